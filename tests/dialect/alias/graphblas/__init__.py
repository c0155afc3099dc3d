"""python-graphblas's names for ours, so that its own tests and documents run over spbfs.

Nothing but imports and assignments: what passes passes by spbfs alone.
"""

# ruff: noqa: F401, F403

import sys
from types import ModuleType

import spbfs
from spbfs import *
from spbfs import (
    __version__,
    binary,
    dtypes,
    exceptions,
    indexunary,
    monoid,
    select,
    semiring,
    unary,
)
from spbfs.objects import infix_expressions as _infix
from spbfs.objects import mask as _mask
from spbfs.objects import statement as _statement
from spbfs.operators import definitions as _definitions

__getattr__ = spbfs.__getattr__
backend = "spbfs"
# What is not there yet; an alias of what is complete has no such line.
agg = getattr(spbfs, "agg", None)
op = getattr(spbfs, "op", None)
config = getattr(spbfs, "config", None)
dtypes._supports_complex = False
for _name in ("get_semiring", "SelectOp"):
    if not hasattr(_definitions, _name):
        setattr(_definitions, _name, type(_name, (), {}))

core = ModuleType("graphblas.core")
core._supports_udfs = True
core.lib = core.ss = core.NULL = None
core.mask = _mask
core.expr = _statement
core.infix = _infix
core.operator = _definitions
core.dtypes = dtypes
core.utils = ModuleType("graphblas.core.utils")
core.utils._NP2 = True
core.utils.ensure_type = None

for _kind in ("unary", "binary", "monoid", "semiring"):
    if not hasattr(globals()[_kind], "numpy"):
        globals()[_kind].numpy = sys.modules[f"graphblas.{_kind}.numpy"] = globals()[_kind]
sys.modules |= {
    "graphblas.core": core,
    "graphblas.core.mask": core.mask,
    "graphblas.core.expr": core.expr,
    "graphblas.core.infix": core.infix,
    "graphblas.core.operator": core.operator,
    "graphblas.core.dtypes": core.dtypes,
    "graphblas.core.utils": core.utils,
    "graphblas.binary": binary,
    "graphblas.dtypes": dtypes,
    "graphblas.exceptions": exceptions,
    "graphblas.indexunary": indexunary,
    "graphblas.monoid": monoid,
    "graphblas.select": select,
    "graphblas.semiring": semiring,
    "graphblas.unary": unary,
}
