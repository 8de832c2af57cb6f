"""Measurements, by the command."""

import json
import os
import signal
import subprocess
import sys
import tempfile
import time
import warnings
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import TextIO

from ._command import CommandError, LabError, command, environment
from ._runs import Store, cells
from ._table import Table, package

#: Seconds between two looks at the progress.
_LOOK = 0.2
#: Seconds that an interrupted command has for its end.
_PATIENCE = 10.0
#: The exit code of a measurement in which a library gave a wrong answer. Its cells are complete.
_WRONG_ANSWER = 3

Progress = Callable[[float], object]


def measure(
    algorithm: str | None = None,
    *,
    libraries: Iterable[str] = (),
    sizes: Iterable[int] = (),
    contracts: Iterable[str] = (),
    threads: Iterable[int] = (),
    costs: Iterable[str] = (),
    profile: str | os.PathLike[str] | None = None,
    store: Store = None,
    resume: int | None = None,
    progress: Progress | bool | None = None,
) -> Table:
    """Measures libraries on this machine and returns the cells of the run, as cells() does.

    algorithm is a name in any spelling or a regular expression; libraries are ids of `touchstone
    list`; sizes are lengths of messages in bytes; contracts, threads, costs and profile are the
    options of `touchstone measure`. Without sizes, contracts and threads, the profile says what is
    measured. The run is kept in the store, and resume goes on with an interrupted run of this number.

    progress is a function that gets the finished share, from 0.0 to 1.0; True writes the share on stderr,
    False writes nothing, and None writes it in a terminal or a notebook.

    KeyboardInterrupt ends the command, keeps what is finished, and notes how to go on.

    Raises MissingCommand, MissingPackage, CommandError. If a library gave wrong answers, warns with
    RuntimeWarning and returns the cells of the others.
    """
    package("pyarrow.parquet", "lab")
    arguments = ["measure"]
    for option, value in (("--algorithm", algorithm), ("--profile", profile), ("--resume", resume)):
        if value is not None:
            arguments.append(f"{option}={value}")
    for option, values in (
        ("--sizes", sizes),
        ("--contracts", contracts),
        ("--threads", threads),
    ):
        text = ",".join(map(str, values))
        if text:
            arguments.append(f"{option}={text}")
    for option, texts in (("--library", libraries), ("--cost", costs)):
        if isinstance(texts, str):
            texts = [texts]
        arguments += [f"{option}={text}" for text in texts]
    with tempfile.TemporaryDirectory(prefix="touchstone-") as folder:
        run = _run(arguments, Path(folder), store, _reporter(progress))
    return cells(run, store=store)


def _run(arguments: Sequence[str], folder: Path, store: Store, report: Progress) -> int:
    """Runs the command to its end and returns the number of the run."""
    state, log = folder / "progress.json", folder / "stderr"
    options = ["--quiet", "--format=json", f"--progress={state}"]
    with log.open("wb") as stderr:
        child = subprocess.Popen(
            [command(), *arguments, *options],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=stderr,
            env=environment(store),
            # An interrupt from the keyboard reaches this process alone, which hands it on once.
            process_group=0,
        )
        seen: tuple[int, float] | None = None
        try:
            while child.poll() is None:
                time.sleep(_LOOK)
                now = _look(state)
                if now is not None and now != seen:
                    seen = now
                    report(now[1])
        except BaseException as error:
            _end(child)
            run = _look(state)
            if run is not None:
                error.add_note(f"touchstone.lab.measure(resume={run[0]}) goes on with this run")
            raise
    last = _look(state)
    said = log.read_text(errors="replace")
    if child.returncode not in (0, _WRONG_ANSWER):
        raise CommandError(arguments, child.returncode, said)
    if last is None:
        raise LabError("the command did not say which run it made; it may be older than this package")
    if child.returncode == _WRONG_ANSWER:
        warnings.warn(
            "a library gave wrong answers and was not measured there: touchstone verify shows them",
            RuntimeWarning,
            stacklevel=3,
        )
    if seen is None or seen[1] < 1.0:
        report(1.0)
    return last[0]


def _look(state: Path) -> tuple[int, float] | None:
    """The number of the run and the finished share, if the command has said so."""
    try:
        said = json.loads(state.read_bytes())
        return int(said["run"]), float(said["share"])
    except (OSError, ValueError, KeyError, TypeError):
        return None


def _end(child: subprocess.Popen[bytes]) -> None:
    """Ends the command: it has some seconds to end its workers and to close the store."""
    for how in (signal.SIGINT, signal.SIGTERM, signal.SIGKILL):
        if child.poll() is None:
            child.send_signal(how)
        try:
            child.wait(_PATIENCE)
            return
        except subprocess.TimeoutExpired:
            continue


def _reporter(progress: Progress | bool | None) -> Progress:
    if callable(progress):
        return progress
    if progress is None:
        progress = sys.stderr.isatty() or "ipykernel" in sys.modules
    return _Line(sys.stderr) if progress else lambda share: None


class _Line:
    """One line that is written again and again."""

    def __init__(self, to: TextIO) -> None:
        self._to = to

    def __call__(self, share: float) -> None:
        end = "\n" if share >= 1.0 else ""
        self._to.write(f"\rtouchstone: {share:4.0%} measured{end}")
        self._to.flush()
