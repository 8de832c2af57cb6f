-- An id of each run that is unique in all stores (a UUID). The lab fills it in for older runs.
ALTER TABLE runs ADD COLUMN uid TEXT NOT NULL DEFAULT '';
CREATE UNIQUE INDEX runs_uid ON runs (uid) WHERE uid <> '';
