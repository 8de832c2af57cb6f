-- When and from which file a run was imported. Empty for a run of this machine.
ALTER TABLE runs ADD COLUMN imported TEXT NOT NULL DEFAULT '';
