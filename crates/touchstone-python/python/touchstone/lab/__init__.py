"""The results of the Touchstone lab as tables, and measurements from a notebook.

>>> from touchstone import lab
>>> table = lab.measure("sha-256", libraries=["openssl", "touchstone"], sizes=[64, 1024])
>>> table.to_pandas().groupby("library").ns.min()

The module calls the command touchstone, which the variable TOUCHSTONE_COMMAND names or PATH has, and
makes tables with pyarrow (pip install 'touchstone-lab[lab]').
"""

from ._command import CommandError, LabError, MissingCommand, MissingPackage, command
from ._measure import measure
from ._runs import cells, document, runs, samples
from ._table import Table

__all__ = [
    "CommandError",
    "LabError",
    "MissingCommand",
    "MissingPackage",
    "Table",
    "cells",
    "command",
    "document",
    "measure",
    "runs",
    "samples",
]

for _item in (CommandError, LabError, MissingCommand, MissingPackage, Table):
    _item.__module__ = "touchstone.lab"
del _item
