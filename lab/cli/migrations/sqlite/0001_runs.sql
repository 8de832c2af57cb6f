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
    machine     TEXT NOT NULL            -- JSON: line and labelled facts
) STRICT;

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
    PRIMARY KEY (run, primitive, operation, contract, bytes, threads)
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
    calls     INTEGER NOT NULL,          -- calls in one sample (per thread)
    stop      TEXT NOT NULL,             -- narrow | budget
    open_ns   INTEGER NOT NULL,
    key_ns    INTEGER NOT NULL,
    first_ns  INTEGER NOT NULL,
    mhz       REAL,
    flags     TEXT NOT NULL,             -- JSON list
    api       TEXT NOT NULL,
    kernel    TEXT NOT NULL,
    note      TEXT NOT NULL,
    samples   BLOB NOT NULL,
    UNIQUE (run, library, primitive, operation, contract, bytes, threads)
) STRICT;
