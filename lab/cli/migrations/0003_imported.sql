-- Where a run that another machine made came from: when, and which file. Empty
-- for a run of this machine.
ALTER TABLE runs ADD COLUMN imported TEXT NOT NULL DEFAULT '';
