"""Every example of docs/python.md and of the package's README runs and prints what it shows."""

import doctest
import importlib
import os
import re
import tempfile
import unittest
from pathlib import Path

from common import DIST, REPOSITORY, skip

BLOCK = re.compile(r"^```python\n(.*?)^```$", re.MULTILINE | re.DOTALL)


class Manual(unittest.TestCase):
    def check(self, path: Path, wanted: int) -> None:
        """Runs the blocks of a file, which share their names."""
        text = path.read_text()
        blocks = list(BLOCK.finditer(text))
        self.assertGreaterEqual(len(blocks), wanted)
        names: dict[str, object] = {}
        here = Path.cwd()
        with tempfile.TemporaryDirectory() as folder:
            os.chdir(folder)
            try:
                for block in blocks:
                    if "lab" in block[1] and not self.has_lab():
                        print("SKIPPED: the examples of touchstone.lab need dist/ and pandas, polars")
                        continue
                    line = text[: block.start()].count("\n") + 1
                    parser, runner = doctest.DocTestParser(), doctest.DocTestRunner(
                        optionflags=doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
                    )
                    test = parser.get_doctest(block[1], names, path.name, str(path), line)
                    self.assertTrue(test.examples, f"{path}:{line} has no >>> lines")
                    said: list[str] = []
                    result = runner.run(test, out=said.append, clear_globs=False)
                    names = test.globs
                    self.assertEqual(result.failed, 0, "".join(said))
            finally:
                os.chdir(here)

    def has_lab(self) -> bool:
        if not (DIST / "bin" / "touchstone").exists():
            return False
        os.environ["TOUCHSTONE_COMMAND"] = str(DIST / "bin" / "touchstone")
        os.environ["TOUCHSTONE_STORE"] = "runs.sqlite"
        try:
            for package in ("pyarrow", "pandas", "polars"):
                importlib.import_module(package)
        except ImportError:
            return False
        return True

    def test_manual(self) -> None:
        path = REPOSITORY / "docs" / "python.md"
        if not path.exists():
            skip("the repository's docs are not beside these tests")
        self.check(path, 8)

    def test_readme(self) -> None:
        self.check(Path(__file__).parents[1] / "README.md", 1)


if __name__ == "__main__":
    unittest.main()
