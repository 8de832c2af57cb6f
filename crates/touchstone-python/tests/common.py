"""What the tests share: the known answers of the repository, and skips that are printed."""

import os
import re
import sys
import unittest
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parents[3]
VECTORS = Path(os.environ.get("TOUCHSTONE_VECTORS", REPOSITORY / "vectors"))
DIST = Path(os.environ.get("TOUCHSTONE_DIST", REPOSITORY / "dist"))


def skip(reason: str) -> None:
    """Skips a test, and prints so."""
    print(f"SKIPPED: {reason}", file=sys.stderr)
    raise unittest.SkipTest(reason)


@dataclass
class Answer:
    """A record of a file of known answers."""

    place: str
    primitive: str
    operation: str
    fields: dict[str, str] = field(default_factory=dict)

    def bytes(self, name: str) -> bytes | None:
        text = self.fields.get(name)
        return None if text is None else value(text)

    def cost(self, name: str) -> int | None:
        text = self.fields.get(f"cost.{name}")
        return None if text is None else int(text)

    @property
    def result(self) -> str:
        return self.fields.get("result", "valid")


def value(text: str) -> bytes:
    """A byte string, as docs/vector-format.md describes."""
    if text.startswith('"'):
        return text[1:-1].encode("ascii")
    if text.startswith("painted:"):
        return bytes(i % 251 for i in range(int(text.removeprefix("painted:"))))
    if text.startswith("counted:"):
        return bytes(i % 256 for i in range(int(text.removeprefix("counted:"))))
    if repeated := re.fullmatch(r"repeat:(\d+):(.*)", text):
        return int(repeated[1]) * value(repeated[2])
    return bytes.fromhex(text)


def answers(folder: str) -> Iterator[Answer]:
    """The records of all files in a folder of known answers."""
    files = sorted((VECTORS / folder).rglob("*.vec"))
    if not files:
        raise AssertionError(f"there are no known answers in {VECTORS / folder}")
    for path in files:
        yield from _file(path)


def _file(path: Path) -> Iterator[Answer]:
    section: tuple[str, str] | None = None
    shared: dict[str, str] = {}
    record: dict[str, str] = {}
    start = 0
    for number, line in enumerate([*path.read_text().splitlines(), ""], 1):
        if line.startswith("#"):
            continue
        if line.startswith("["):
            primitive, operation = line.strip("[]").split(" ")
            section, shared = (primitive, operation), {}
        elif line:
            start = start or number
            name, _, text = line.partition(" =")
            record[name] = text.strip()
        elif record and section:
            if "name" in record:
                yield Answer(f"{path.name}:{start}", *section, fields=shared | record)
            else:
                shared = record
            record, start = {}, 0
