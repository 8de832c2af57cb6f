"""touchstone.lab: a store and an exported run of the real command, and its failures."""

import importlib
import json
import os
import signal
import stat
import subprocess
import sys
import tempfile
import threading
import time
import unittest
from pathlib import Path
from typing import Any, ClassVar
from unittest import mock

from common import DIST, skip
from touchstone import Error, lab

#: A profile of some cells, each measured for milliseconds.
PROFILE = """
target = 0.5
rounds = {rounds}
sample_us = {sample_us}
seconds = 60
[[work]]
primitives = "{primitives}"
operations = "hash"
contracts = ["hot"]
sizes = [16, 1024]
"""

COMMAND = DIST / "bin" / "touchstone"


def has(package: str) -> bool:
    try:
        importlib.import_module(package)
    except ImportError:
        return False
    return True


class Missing(unittest.TestCase):
    def test_the_command_is_missing(self) -> None:
        with mock.patch.dict(os.environ, {"TOUCHSTONE_COMMAND": "/nowhere/touchstone"}):
            with self.assertRaisesRegex(lab.MissingCommand, "TOUCHSTONE_COMMAND is /nowhere"):
                lab.command()
            self.assertRaises(FileNotFoundError, lab.document)
        with mock.patch.dict(os.environ, {"PATH": "/nowhere"}):
            os.environ.pop("TOUCHSTONE_COMMAND", None)
            with self.assertRaisesRegex(lab.MissingCommand, "make dist"):
                lab.command()

    def test_pyarrow_is_missing(self) -> None:
        with mock.patch.dict(sys.modules, {"pyarrow": None, "pyarrow.parquet": None}):
            for call in (lab.cells, lab.samples, lab.measure):
                with self.assertRaisesRegex(ImportError, r"pip install 'touchstone-lab\[lab\]'"):
                    call()

    def test_files_that_are_no_runs(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder, "run.json")
            for text, message in (
                ("", "no exported run"),
                ("[]", "no exported run"),
                ('{"format": "other"}', "no exported run"),
                ('{"format": "touchstone run", "schema": 4}', "newer touchstone"),
                ('{"format": "touchstone run", "schema": "2"}', "newer touchstone"),
            ):
                path.write_text(text)
                with self.assertRaisesRegex(lab.LabError, message):
                    lab.document(path)
            self.assertRaises(FileNotFoundError, lab.document, Path(folder, "absent.json"))
            if has("pyarrow"):
                path.write_text('{"format": "touchstone run", "schema": 2, "tasks": [{}]}')
                with self.assertRaisesRegex(lab.LabError, "damaged"):
                    lab.samples(path)


@unittest.skipUnless(has("pyarrow"), "SKIPPED: pyarrow is not installed")
class Runs(unittest.TestCase):
    folder: ClassVar[tempfile.TemporaryDirectory[str]]
    store: ClassVar[Path]
    made: ClassVar[Any]
    seen: ClassVar[list[float]]

    @classmethod
    def setUpClass(cls) -> None:
        if not COMMAND.exists():
            skip(f"there is no {COMMAND}: make dist")
        os.environ["TOUCHSTONE_COMMAND"] = str(COMMAND)
        cls.folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.folder.cleanup)
        cls.store = Path(cls.folder.name, "runs.sqlite")
        cls.seen = []
        cls.made = lab.measure(
            libraries=["touchstone", "rustcrypto"],
            profile=cls.profile("sha-256"),
            store=cls.store,
            progress=cls.seen.append,
        )

    @classmethod
    def profile(cls, primitives: str, *, rounds: str = "[6, 9]", sample_us: int = 20) -> Path:
        path = Path(cls.folder.name, f"{sample_us}.toml")
        path.write_text(PROFILE.format(primitives=primitives, rounds=rounds, sample_us=sample_us))
        return path

    def test_measured_cells(self) -> None:
        rows = self.made.to_pylist()
        self.assertEqual(
            {(row["library"], row["primitive"], row["bytes"]) for row in rows},
            {(l, "sha-256", b) for l in ("touchstone", "rustcrypto") for b in (16, 1024)},
        )
        for row in rows:
            self.assertLessEqual(row["ns_fastest"], row["ns"])
        self.assertEqual(self.seen[-1], 1.0)
        self.assertEqual(self.seen, sorted(self.seen))
        self.assertEqual(self.made.to_arrow(), lab.cells(1, store=self.store).to_arrow())
        self.assertEqual(self.made.to_arrow(), lab.cells(store=self.store).to_arrow())

    def test_runs(self) -> None:
        table = lab.runs(self.store)
        self.assertEqual(table.num_rows, 1)
        self.assertEqual(len(table), 1)
        row = table.to_pylist()[0]
        self.assertEqual((row["run"], row["state"]), (1, "complete"))
        self.assertIn("started", repr(table))

    def test_samples_are_those_of_the_document(self) -> None:
        table = lab.samples(store=self.store)
        document = lab.document(1, store=self.store)
        count = sum(len(cell["samples_ns"]) for task in document["tasks"] for cell in task["cells"])
        self.assertEqual(len(table), count)
        self.assertGreaterEqual(count, 4 * 6)
        rows = iter(table.to_pylist())
        for task in document["tasks"]:
            for cell in task["cells"]:
                for number, ns in enumerate(cell["samples_ns"]):
                    row = next(rows)
                    self.assertEqual((row["library"], row["sample"]), (cell["library"], number))
                    each = ns / (cell["calls"] * task["threads"] * task["messages"])
                    self.assertEqual((row["ns"], row["bytes"]), (each, task["bytes"]))

    def test_an_exported_run_has_the_same_tables(self) -> None:
        bundle = Path(self.folder.name, "run.json")
        bundle.write_text(json.dumps(lab.document(1, store=self.store)))
        self.assertEqual(lab.cells(bundle).to_arrow(), self.made.to_arrow())
        with mock.patch.dict(os.environ, {"TOUCHSTONE_COMMAND": "/nowhere"}):
            samples = lab.samples(bundle)
            with self.assertRaises(lab.MissingCommand):
                lab.cells(bundle)
        self.assertEqual(samples.to_arrow(), lab.samples(1, store=self.store).to_arrow())

    def test_conversions(self) -> None:
        ns = self.made.column("ns").to_pylist()
        if has("pandas"):
            frame = self.made.to_pandas()
            self.assertEqual(list(frame["ns"]), ns)
            self.assertEqual(len(frame.groupby("library")), 2)
        else:
            print("SKIPPED: pandas is not installed", file=sys.stderr)
        if has("polars"):
            polars = importlib.import_module("polars")
            self.assertEqual(self.made.to_polars()["ns"].to_list(), ns)
            self.assertEqual(polars.DataFrame(self.made)["ns"].to_list(), ns)
        else:
            print("SKIPPED: polars is not installed", file=sys.stderr)
        for package in ("pandas", "polars"):
            with mock.patch.dict(sys.modules, {package: None}):
                with self.assertRaisesRegex(lab.MissingPackage, rf"touchstone-lab\[{package}\]"):
                    getattr(self.made, f"to_{package}")()

    def test_failures_of_the_command(self) -> None:
        with self.assertRaisesRegex(lab.CommandError, "no run 99") as caught:
            lab.cells(99, store=self.store)
        self.assertEqual(caught.exception.returncode, 2)
        with self.assertRaisesRegex(lab.CommandError, "code 4|code 2") as caught:
            lab.measure("no-such-algorithm", store=self.store)
        self.assertTrue(caught.exception.stderr)
        self.assertRaises(lab.LabError, lab.runs, Path(self.folder.name, "absent.sqlite"))
        self.assertTrue(issubclass(lab.CommandError, Error))

    def test_a_store_is_no_argument(self) -> None:
        program = Path(self.folder.name, "show")
        program.write_text('#!/bin/sh\necho "$@" >&2\necho "store $TOUCHSTONE_STORE" >&2\nexit 1\n')
        program.chmod(program.stat().st_mode | stat.S_IXUSR)
        with mock.patch.dict(os.environ, {"TOUCHSTONE_COMMAND": str(program)}):
            with self.assertRaises(lab.CommandError) as caught:
                lab.runs("postgres://lab@db.example/lab")
        said = caught.exception.stderr.splitlines()
        self.assertEqual(said, ["runs --format json", "store postgres://lab@db.example/lab"])

    def test_an_interrupt_ends_the_command_and_the_run_goes_on(self) -> None:
        store = Path(self.folder.name, "interrupted.sqlite")
        # 400 samples of 5 ms in each of 4 cells: 8 seconds.
        profile = self.profile("sha-(1|256)", rounds="[400, 401]", sample_us=5000)
        begun: list[float] = []
        # A shell's background jobs ignore an interrupt, and Python then does so too.
        before = signal.signal(signal.SIGINT, signal.default_int_handler)
        self.addCleanup(signal.signal, signal.SIGINT, before)

        def progress(share: float) -> None:
            self.assertLess(share, 1.0)
            if not begun:
                begun.append(share)
                threading.Timer(0.5, os.kill, (os.getpid(), signal.SIGINT)).start()

        with self.assertRaises(KeyboardInterrupt) as caught:
            lab.measure(libraries=["touchstone"], profile=profile, store=store, progress=progress)
        self.assertIn("measure(resume=1)", "".join(caught.exception.__notes__))
        self.assertEqual(self.children(), [])
        self.assertEqual(lab.runs(store).to_pylist()[0]["state"], "interrupted: --resume")
        table = lab.measure(resume=1, store=store)
        self.assertEqual(len(table), 4)
        self.assertEqual(lab.runs(store).to_pylist()[0]["state"], "complete")

    def children(self) -> list[str]:
        """The processes of this command that still run, after some time to end."""
        for _ in range(50):
            listed = subprocess.run(
                ["ps", "-o", "comm=", "--ppid", str(os.getpid())], capture_output=True, text=True
            )
            found = [name for name in listed.stdout.split() if name.startswith("touchstone")]
            if not found:
                break
            time.sleep(0.1)
        return found

    def test_progress_on_stderr(self) -> None:
        code = (
            "from touchstone import lab; import sys\n"
            "lab.measure(libraries=['touchstone'], profile=sys.argv[1], store=sys.argv[2], "
            "progress=True)"
        )
        store = Path(self.folder.name, "progress.sqlite")
        done = subprocess.run(
            [sys.executable, "-c", code, self.profile("sha-256"), store],
            capture_output=True,
            text=True,
        )
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertTrue(done.stderr.endswith("touchstone: 100% measured\n"), done.stderr)
        self.assertEqual(done.stdout, "")


if __name__ == "__main__":
    unittest.main()
