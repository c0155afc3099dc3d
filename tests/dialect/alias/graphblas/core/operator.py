"""Classes of operators."""

# ruff: noqa: F403

from spbfs.operators import definitions as _definitions
from spbfs.operators.definitions import *

# What is not there yet; an alias of what is complete has no such line.
for _name in ("get_semiring", "SelectOp"):
    if not hasattr(_definitions, _name):
        globals()[_name] = type(_name, (), {})
