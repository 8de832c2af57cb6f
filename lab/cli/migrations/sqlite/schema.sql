-- The tables of a store with the current schema. A new store is made from this file. The
-- migrations in this folder bring an older store to the same schema; a test compares both.
--
-- A run and everything that was found in the run. Samples are raw: nanoseconds per sample as
-- little-endian 64-bit floats, in the order of the rounds.
CREATE TABLE runs (
    id          INTEGER PRIMARY KEY,
    started     TEXT NOT NULL,           -- RFC 3339, UTC
    seconds     REAL NOT NULL DEFAULT 0, -- wall time over all resumptions
    complete    INTEGER NOT NULL DEFAULT 0,
    lab_version TEXT NOT NULL,
    command     TEXT NOT NULL,
    profile     TEXT NOT NULL,
    profile_text TEXT NOT NULL,
    plan        TEXT NOT NULL,           -- JSON: the options that a resumption repeats
    target      REAL NOT NULL,
    null_ns     REAL NOT NULL DEFAULT 0,
    machine     TEXT NOT NULL,           -- JSON: line and labelled facts
    imported    TEXT NOT NULL DEFAULT '', -- when and from which file; empty: made here
    uid         TEXT NOT NULL DEFAULT '', -- unique in all stores: a UUID
    archive     TEXT NOT NULL DEFAULT '', -- where the samples are; empty: here, in cells
    summarised  INTEGER NOT NULL DEFAULT 0 -- whether the run has points
) STRICT;
CREATE UNIQUE INDEX runs_uid ON runs (uid) WHERE uid <> '';

CREATE TABLE libraries (
    run   INTEGER NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
    id    TEXT NOT NULL,
    facts TEXT NOT NULL,                 -- JSON of summary::Library
    PRIMARY KEY (run, id)
) STRICT, WITHOUT ROWID;

CREATE TABLE verifications (
    run       INTEGER NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
    library   TEXT NOT NULL,
    primitive TEXT NOT NULL,
    operation TEXT NOT NULL,
    facts     TEXT NOT NULL,             -- JSON of summary::Verification
    PRIMARY KEY (run, library, primitive, operation)
) STRICT, WITHOUT ROWID;

CREATE TABLE failures (
    id    INTEGER PRIMARY KEY,
    run   INTEGER NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
    facts TEXT NOT NULL                  -- JSON of summary::Failure
) STRICT;

-- A task is done when its cells are stored. One transaction stores both.
CREATE TABLE tasks (
    run       INTEGER NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
    primitive TEXT NOT NULL,
    operation TEXT NOT NULL,
    contract  TEXT NOT NULL,
    bytes     INTEGER NOT NULL,
    threads   INTEGER NOT NULL,
    messages  INTEGER NOT NULL DEFAULT 1,  -- of one call
    PRIMARY KEY (run, primitive, operation, contract, bytes, threads, messages)
) STRICT, WITHOUT ROWID;

CREATE TABLE cells (
    id        INTEGER PRIMARY KEY,
    run       INTEGER NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
    library   TEXT NOT NULL,
    primitive TEXT NOT NULL,
    operation TEXT NOT NULL,
    contract  TEXT NOT NULL,
    bytes     INTEGER NOT NULL,
    threads   INTEGER NOT NULL,
    calls     INTEGER NOT NULL,            -- calls in one sample (per thread)
    stop      TEXT NOT NULL,               -- narrow | budget
    open_ns   INTEGER NOT NULL,
    key_ns    INTEGER NOT NULL,
    first_ns  INTEGER NOT NULL,
    mhz       REAL,
    flags     TEXT NOT NULL,               -- JSON list
    api       TEXT NOT NULL,
    kernel    TEXT NOT NULL,
    note      TEXT NOT NULL,
    samples   BLOB NOT NULL,
    messages  INTEGER NOT NULL DEFAULT 1,  -- of one call
    processes BLOB NOT NULL DEFAULT x'',   -- of each sample: little-endian 32-bit numbers
    UNIQUE (run, library, primitive, operation, contract, bytes, threads, messages)
) STRICT;

-- A series is a cell of one machine, one library and one version; its points are runs.
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

-- Measurements of programs that encrypt whole files. They belong to a machine and to no run.
CREATE TABLE files (
    id      INTEGER PRIMARY KEY,
    uid     TEXT NOT NULL UNIQUE,          -- unique in all stores: a UUID
    started TEXT NOT NULL,                 -- RFC 3339, UTC
    machine TEXT NOT NULL,                 -- the machine's name
    facts   TEXT NOT NULL                  -- JSON of files::measured::Measured
) STRICT;
CREATE INDEX files_machine ON files (machine, started);
