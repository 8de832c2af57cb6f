-- What stays of a run when its raw samples are moved away, and what a history is read from: the
-- time of each cell with its interval. A series is a cell of one machine, one library and one
-- version; its points are runs.
ALTER TABLE runs ADD COLUMN archive TEXT NOT NULL DEFAULT '';
ALTER TABLE runs ADD COLUMN summarised INTEGER NOT NULL DEFAULT 0;

CREATE TABLE series (
    id        INTEGER PRIMARY KEY,
    primitive TEXT NOT NULL,
    operation TEXT NOT NULL,
    contract  TEXT NOT NULL,
    bytes     INTEGER NOT NULL,
    threads   INTEGER NOT NULL,
    messages  INTEGER NOT NULL,
    machine   TEXT NOT NULL,
    library   TEXT NOT NULL,
    version   TEXT NOT NULL,
    UNIQUE (primitive, operation, contract, threads, messages, bytes, machine, library, version)
) STRICT;
CREATE INDEX series_machine ON series (machine);

CREATE TABLE points (
    series    INTEGER NOT NULL REFERENCES series (id),
    run       INTEGER NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
    ns        REAL NOT NULL,
    low       REAL NOT NULL,
    high      REAL NOT NULL,
    rounds    INTEGER NOT NULL,
    processes INTEGER NOT NULL,
    PRIMARY KEY (series, run)
) STRICT, WITHOUT ROWID;
CREATE INDEX points_run ON points (run);
