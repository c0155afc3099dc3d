"""python-graphblas's names for ours, so that its own tests and documents run over spbfs.

Nothing but imports and assignments: what passes passes by spbfs alone.
"""

# ruff: noqa: F401, F403

import sys

import spbfs
from spbfs import *
from spbfs import (
    agg,
    binary,
    dtypes,
    exceptions,
    indexunary,
    io,
    monoid,
    op,
    select,
    semiring,
    unary,
    viz,
)

__getattr__ = spbfs.__getattr__
__version__ = "2025.2.0"  # that of the dialect
backend = "spbfs"
# What is not there yet; an alias of what is complete has no such line.
config = getattr(spbfs, "config", None)
dtypes._supports_complex = False

sys.modules |= {
    "graphblas.agg": agg,
    "graphblas.binary": binary,
    "graphblas.binary.numpy": binary.numpy,
    "graphblas.monoid.numpy": monoid.numpy,
    "graphblas.semiring.numpy": semiring.numpy,
    "graphblas.unary.numpy": unary.numpy,
    "graphblas.dtypes": dtypes,
    "graphblas.exceptions": exceptions,
    "graphblas.indexunary": indexunary,
    "graphblas.io": io,
    "graphblas.monoid": monoid,
    "graphblas.op": op,
    "graphblas.select": select,
    "graphblas.semiring": semiring,
    "graphblas.unary": unary,
    "graphblas.viz": viz,
}
from graphblas import core  # noqa: E402
