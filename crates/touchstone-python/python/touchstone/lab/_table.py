"""Tables: Arrow tables, with conversions."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from ._command import MissingPackage

if TYPE_CHECKING:
    from types import ModuleType

    import pandas
    import polars
    import pyarrow


def package(name: str, extra: str) -> ModuleType:
    """Imports a package that makes tables."""
    import importlib

    try:
        return importlib.import_module(name)
    except ImportError as error:
        raise MissingPackage(
            f"this needs {name}: pip install 'touchstone-lab[{extra}]'"
        ) from error


class Table:
    """Rows with named columns, in the form of Apache Arrow.

    All methods and attributes of pyarrow.Table are there too: num_rows, column_names, filter(),
    group_by(). Every library that knows Arrow's interface for Python (polars, pandas, DuckDB) takes
    the object itself.
    """

    def __init__(self, arrow: pyarrow.Table) -> None:
        self._arrow = arrow

    def to_arrow(self) -> pyarrow.Table:
        """Returns the pyarrow.Table."""
        return self._arrow

    def to_pandas(self, **options: Any) -> pandas.DataFrame:
        """Returns a pandas.DataFrame; the options are those of pyarrow.Table.to_pandas().

        Raises MissingPackage.
        """
        package("pandas", "pandas")
        return self._arrow.to_pandas(**options)

    def to_polars(self) -> polars.DataFrame:
        """Returns a polars.DataFrame.

        Raises MissingPackage.
        """
        frame: polars.DataFrame = package("polars", "polars").from_arrow(self._arrow)
        return frame

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        return self._arrow.__arrow_c_stream__(requested_schema)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return getattr(self._arrow, name)

    def __getitem__(self, key: str | int | slice) -> Any:
        return self._arrow[key]

    def __len__(self) -> int:
        return int(self._arrow.num_rows)

    def __repr__(self) -> str:
        return f"<touchstone.lab.Table of {len(self)} rows: {', '.join(self._arrow.column_names)}>"


def from_rows(rows: Iterable[Mapping[str, Any]], columns: Mapping[str, str]) -> Table:
    """Makes a table of rows. columns has the name of Arrow's type for each column."""
    arrow = package("pyarrow", "lab")
    rows = list(rows)
    types = {name: getattr(arrow, kind)() for name, kind in columns.items()}
    data = {
        name: arrow.array([row[name] for row in rows], type=kind) for name, kind in types.items()
    }
    return Table(arrow.table(data))
