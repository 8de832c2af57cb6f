"""touchstone.lab over a store in PostgreSQL: a cluster of its own, which ends with the test."""

import os
import shutil
import socket
import subprocess
import tempfile
import unittest
from pathlib import Path

from common import DIST, skip
from test_lab import PROFILE, has
from touchstone import lab

#: The user that runs the server if the tests run as root: PostgreSQL refuses root.
NOBODY = 65534


def programs() -> Path | None:
    """The folder of the newest installed server."""
    found = shutil.which("initdb")
    if found:
        return Path(found).parent
    folders = [path.parent for path in Path("/usr/lib/postgresql").glob("*/bin/initdb")]
    return max(folders, key=lambda folder: int(folder.parent.name), default=None)


class Postgres(unittest.TestCase):
    def setUp(self) -> None:
        found, command = programs(), DIST / "bin" / "touchstone"
        if found is None:
            skip("no server of PostgreSQL is installed (package postgresql)")
        if not command.exists() or not has("pyarrow"):
            skip("a store in PostgreSQL needs dist/ and pyarrow")
        assert found is not None
        self.programs = found
        os.environ["TOUCHSTONE_COMMAND"] = str(command)
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        if os.getuid() == 0:
            os.chown(self.folder, NOBODY, NOBODY)
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        self.data = self.folder / "data"
        self.control("initdb", "-U", "lab", "-A", "trust", "--no-sync", "-D", str(self.data))
        options = f"-c listen_addresses= -c port={port} -c unix_socket_directories={self.folder} -c fsync=off"
        log = str(self.folder / "log")
        self.control("pg_ctl", "-w", "-D", str(self.data), "-l", log, "-o", options, "start")
        self.addCleanup(self.control, "pg_ctl", "-w", "-D", str(self.data), "-m", "fast", "stop")
        place = str(self.folder).replace("/", "%2F")
        self.store = f"postgres://lab@{place}:{port}/postgres"

    def control(self, program: str, *arguments: str) -> None:
        done = subprocess.run(
            [self.programs / program, *arguments],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            user=NOBODY if os.getuid() == 0 else None,
            group=NOBODY if os.getuid() == 0 else None,
            extra_groups=[] if os.getuid() == 0 else None,
            cwd=self.folder,
            check=False,
        )
        self.assertEqual(done.returncode, 0, program)

    def test_a_measured_run_is_read(self) -> None:
        profile = self.folder / "profile.toml"
        profile.write_text(PROFILE.format(primitives="md5", rounds="[6, 9]", sample_us=20))
        made = lab.measure(libraries=["touchstone"], profile=profile, store=self.store)
        self.assertEqual({row["bytes"] for row in made.to_pylist()}, {16, 1024})
        self.assertEqual(lab.runs(self.store).column("state").to_pylist(), ["complete"])
        self.assertEqual(lab.cells(1, store=self.store).to_arrow(), made.to_arrow())
        self.assertGreaterEqual(len(lab.samples(store=self.store)), 2 * 6)


if __name__ == "__main__":
    unittest.main()
