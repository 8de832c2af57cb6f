"""Stored and exported runs as tables."""

import io
import json
import os
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any, cast

from ._command import LabError, call
from ._table import Table, from_rows, package

#: The newest form of exported runs that this module reads (docs/run-format.md).
_SCHEMA = 3

Store = str | os.PathLike[str] | None
Run = int | str | os.PathLike[str] | None


def runs(store: Store = None) -> Table:
    """Returns the runs of a store: run (the number), started, profile, minutes, state, samples (where
    the samples are), machine.

    store is an SQLite file or postgres://USER@HOST/DATABASE; without it, TOUCHSTONE_STORE or the
    user's own store. The password of PostgreSQL comes from PGPASSWORD or ~/.pgpass.

    Raises MissingCommand, MissingPackage, CommandError.
    """
    document = json.loads(call(["runs", "--format", "json"], _store(store)))
    table = next(table for table in document["tables"] if table["name"] == "runs")
    kinds = {
        column["name"]: "float64" if column["type"] == "number" else "string"
        for column in table["columns"]
    }
    kinds["run"] = "int64"
    return from_rows(table["rows"], kinds)


def document(run: Run = None, *, store: Store = None) -> dict[str, Any]:
    """Returns all that is stored of a run, as docs/run-format.md describes: the run, the machine, the
    libraries, the verification, the failures, the tasks with their cells and samples.

    run is a number in the store, or the path of a run that `touchstone export` wrote as JSON; without
    it, the newest run.

    Raises MissingCommand, CommandError; LabError for a file that is no exported run.
    """
    if run is None or isinstance(run, int):
        text = call(["export", *_number(run), "--to", "json"], _store(store))
        return _checked(text, "the newest run" if run is None else f"run {run}")
    path = Path(run)
    return _checked(path.read_bytes(), str(path))


def cells(run: Run = None, *, store: Store = None) -> Table:
    """Returns the cells of a run, a row for each library and call: the median ns for one message with
    its interval from ns_low to ns_high, quartiles, the ratio to the best library, the kernel, the
    timed call, and what casts doubt on the cell (flags). docs/run-format.md has the columns.

    run is as in document(). The file of an exported run needs the command too, because the intervals
    are computed from the samples.

    Raises MissingCommand, MissingPackage, CommandError.
    """
    parquet = package("pyarrow.parquet", "lab")
    if run is None or isinstance(run, int):
        written = call(["export", *_number(run), "--to", "parquet"], _store(store))
    else:
        with tempfile.TemporaryDirectory(prefix="touchstone-") as folder:
            scratch = Path(folder, "runs.sqlite")
            call(["import", os.fspath(Path(run).absolute())], scratch)
            written = call(["export", "--to", "parquet"], scratch)
    # Threads of pyarrow that read from a Python object can abort the interpreter at its end
    # (github.com/apache/arrow/issues/50482).
    table = parquet.read_table(io.BytesIO(written), use_threads=False, pre_buffer=False)
    return Table(table.drop_columns(["samples_ns"]))


def samples(run: Run = None, *, store: Store = None) -> Table:
    """Returns the raw samples of a run, a row for each sample: library, primitive, operation, contract,
    bytes, threads, messages, sample (its number in the cell, from 0), process (the start of the
    worker that took the sample, or null), and ns for one message.

    run is as in document(). The file of an exported run is read without the command.

    Raises MissingCommand, MissingPackage, CommandError; LabError for a file that is no exported run.
    """
    columns = {
        "library": "string",
        "primitive": "string",
        "operation": "string",
        "contract": "string",
        "bytes": "int64",
        "threads": "int64",
        "messages": "int64",
        "sample": "int64",
        "process": "int64",
        "ns": "float64",
    }
    package("pyarrow", "lab")
    found = document(run, store=store)
    try:
        return from_rows(_samples(found), columns)
    except (KeyError, TypeError, IndexError, ZeroDivisionError) as error:
        raise LabError(f"the exported run is damaged: {error!r}") from error


def _samples(found: dict[str, Any]) -> Iterator[dict[str, Any]]:
    for task in found["tasks"]:
        key = {name: value for name, value in task.items() if name != "cells"}
        for cell in task["cells"]:
            each = cell["calls"] * task["threads"] * task["messages"]
            processes = cell.get("processes") or [None] * len(cell["samples_ns"])
            for number, (ns, process) in enumerate(
                zip(cell["samples_ns"], processes, strict=True)
            ):
                yield key | {
                    "library": cell["library"],
                    "sample": number,
                    "process": process,
                    "ns": ns / each,
                }


def _store(store: Store) -> Store:
    """Refuses a file that is not there: the command would show a new, empty store."""
    if store is not None and "://" not in os.fspath(store) and not Path(store).exists():
        raise LabError(f"there is no store {os.fspath(store)}; give the path of a runs.sqlite")
    return store


def _number(run: int | None) -> list[str]:
    return [] if run is None else [str(run)]


def _checked(text: bytes, name: str) -> dict[str, Any]:
    try:
        found = json.loads(text)
    except ValueError as error:
        raise LabError(f"{name} is no exported run: {error}") from error
    if not isinstance(found, dict) or found.get("format") != "touchstone run":
        raise LabError(f"{name} is no exported run; touchstone export --to json writes one")
    if not isinstance(found.get("schema"), int) or found["schema"] > _SCHEMA:
        raise LabError(f"{name} was written by a newer touchstone; update touchstone-lab")
    return cast(dict[str, Any], found)
