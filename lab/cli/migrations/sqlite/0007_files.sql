-- Measurements of programs that encrypt whole files. They belong to a machine and to no run.
CREATE TABLE files (
    id      INTEGER PRIMARY KEY,
    uid     TEXT NOT NULL UNIQUE,          -- unique in all stores: a UUID
    started TEXT NOT NULL,                 -- RFC 3339, UTC
    machine TEXT NOT NULL,                 -- the machine's name
    facts   TEXT NOT NULL                  -- JSON of files::measured::Measured
) STRICT;
CREATE INDEX files_machine ON files (machine, started);
