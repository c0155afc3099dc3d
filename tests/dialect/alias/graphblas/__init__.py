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
    op,
    select,
    semiring,
    unary,
)
from spbfs.objects import infix_expressions as _infix
from spbfs.objects import mask as _mask
from spbfs.objects import statement as _statement
from spbfs.operators import definitions as _definitions
from spbfs.operators import lookup as _lookup
from spbfs.operators import parameterized as _parameterized
from spbfs.operators.operator import Operator as _Operator
from spbfs.operators.registry import OpPath as _OpPath

__getattr__ = spbfs.__getattr__
backend = "spbfs"
# What is not there yet; an alias of what is complete has no such line.
agg = getattr(spbfs, "agg", None)
config = getattr(spbfs, "config", None)
dtypes._supports_complex = False

core = ModuleType("graphblas.core")
core._supports_udfs = True
core.lib = core.ss = core.NULL = None
core.mask = _mask
core.expr = _statement
core.infix = _infix
core.operator = ModuleType("graphblas.core.operator")
core.operator.__dict__.update(vars(_definitions) | vars(_lookup) | vars(_parameterized))
core.operator.OpBase = _Operator
core.operator.OpPath = _OpPath
core.dtypes = dtypes
core.utils = ModuleType("graphblas.core.utils")
core.utils._NP2 = True
core.utils.ensure_type = None

sys.modules |= {
    "graphblas.core": core,
    "graphblas.core.mask": core.mask,
    "graphblas.core.expr": core.expr,
    "graphblas.core.infix": core.infix,
    "graphblas.core.operator": core.operator,
    "graphblas.core.dtypes": core.dtypes,
    "graphblas.core.utils": core.utils,
    "graphblas.binary": binary,
    "graphblas.binary.numpy": binary.numpy,
    "graphblas.monoid.numpy": monoid.numpy,
    "graphblas.semiring.numpy": semiring.numpy,
    "graphblas.unary.numpy": unary.numpy,
    "graphblas.op": op,
    "graphblas.dtypes": dtypes,
    "graphblas.exceptions": exceptions,
    "graphblas.indexunary": indexunary,
    "graphblas.monoid": monoid,
    "graphblas.select": select,
    "graphblas.semiring": semiring,
    "graphblas.unary": unary,
}
