"""Classes of operators."""

# ruff: noqa: F401, F403

from spbfs.operators import definitions as _definitions
from spbfs.operators.definitions import *
from spbfs.operators.lookup import *
from spbfs.operators.operator import Operator as OpBase
from spbfs.operators.parameterized import *
from spbfs.operators.registry import OpPath

# What is not there yet; an alias of what is complete has no such line.
for _name in ("get_semiring", "SelectOp"):
    if not hasattr(_definitions, _name):
        globals()[_name] = type(_name, (), {})
