-- Adds the number of messages in one call, for calls with many messages. SQLite cannot add a
-- column to a UNIQUE constraint, so the migration makes both tables again.
CREATE TABLE tasks_2 (
    run       INTEGER NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
    primitive TEXT NOT NULL,
    operation TEXT NOT NULL,
    contract  TEXT NOT NULL,
    bytes     INTEGER NOT NULL,
    threads   INTEGER NOT NULL,
    messages  INTEGER NOT NULL DEFAULT 1,  -- of one call
    PRIMARY KEY (run, primitive, operation, contract, bytes, threads, messages)
) STRICT, WITHOUT ROWID;

INSERT INTO tasks_2 (run, primitive, operation, contract, bytes, threads)
    SELECT run, primitive, operation, contract, bytes, threads FROM tasks;
DROP TABLE tasks;
ALTER TABLE tasks_2 RENAME TO tasks;

CREATE TABLE cells_2 (
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
    UNIQUE (run, library, primitive, operation, contract, bytes, threads, messages)
) STRICT;

INSERT INTO cells_2 (id, run, library, primitive, operation, contract, bytes, threads, calls,
                     stop, open_ns, key_ns, first_ns, mhz, flags, api, kernel, note, samples)
    SELECT id, run, library, primitive, operation, contract, bytes, threads, calls,
           stop, open_ns, key_ns, first_ns, mhz, flags, api, kernel, note, samples FROM cells;
DROP TABLE cells;
ALTER TABLE cells_2 RENAME TO cells;
