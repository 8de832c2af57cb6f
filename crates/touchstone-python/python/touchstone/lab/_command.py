"""The command touchstone: finding and calling it."""

import os
import shutil
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path

from .._errors import Error


class LabError(Error):
    """Any error of touchstone.lab."""


class MissingCommand(LabError, FileNotFoundError):
    """The command touchstone is not on this machine, or not where TOUCHSTONE_COMMAND says."""


class MissingPackage(LabError, ImportError):
    """A package that makes tables is not installed. The message says how to install it."""


class CommandError(LabError, RuntimeError):
    """The command failed."""

    #: The exit code: 1 the lab itself failed, 2 wrong usage, 3 a verification failed, 4 nothing to
    #: measure, or -N for the signal N.
    returncode: int
    #: What the command wrote on stderr.
    stderr: str

    def __init__(self, arguments: Sequence[str], returncode: int, stderr: str) -> None:
        self.returncode = returncode
        self.stderr = stderr
        last = stderr.strip().rsplit("\n", 1)[-1] or "it said nothing"
        super().__init__(f"touchstone {arguments[0]} ended with code {returncode}: {last}")


def command() -> Path:
    """Returns the path of the command touchstone.

    Raises MissingCommand.
    """
    named = os.environ.get("TOUCHSTONE_COMMAND")
    found = shutil.which(named or "touchstone")
    if found is not None:
        return Path(found)
    if named:
        raise MissingCommand(
            f"TOUCHSTONE_COMMAND is {named}, which is no program; give it the path of dist/bin/touchstone"
        )
    raise MissingCommand(
        "the command touchstone is not in PATH; build it with make dist, and add dist/bin to PATH or "
        "set TOUCHSTONE_COMMAND to its path"
    )


def environment(store: str | os.PathLike[str] | None) -> Mapping[str, str]:
    """The environment of the command. The store is not an argument, because the arguments of a
    process can be seen by other users."""
    variables = dict(os.environ)
    if store is not None:
        variables["TOUCHSTONE_STORE"] = os.fspath(store)
    return variables


def call(
    arguments: Sequence[str], store: str | os.PathLike[str] | None = None
) -> bytes:
    """Calls the command and returns what it wrote on stdout."""
    done = subprocess.run(
        [command(), *arguments],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        env=environment(store),
        check=False,
    )
    if done.returncode != 0:
        raise CommandError(arguments, done.returncode, done.stderr.decode(errors="replace"))
    return done.stdout
