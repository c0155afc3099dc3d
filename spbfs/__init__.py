"""spbfs: GraphBLAS-style sparse linear algebra for graph traversal, on CPU and GPU.

Importing it loads no engine and touches no GPU; what is heavy is imported when first used.
"""

from __future__ import annotations

from importlib import import_module as _import_module
from typing import TYPE_CHECKING, Any

#: public name -> (module, attribute); an attribute of None is the module itself
_EXPORTS: dict[str, tuple[str, str | None]] = {
    "MAX_SIZE": ("spbfs.objects.checks", "MAX_SIZE"),
    "Matrix": ("spbfs.objects.matrix", "Matrix"),
    "Vector": ("spbfs.objects.vector", "Vector"),
    "Scalar": ("spbfs.objects.scalar", "Scalar"),
    "replace": ("spbfs.objects.statement", "replace"),
    "dtypes": ("spbfs.operators.dtypes", None),
    "exceptions": ("spbfs.exceptions", None),
    "unary": ("spbfs.unary", None),
    "binary": ("spbfs.binary", None),
    "monoid": ("spbfs.monoid", None),
    "semiring": ("spbfs.semiring", None),
    "indexunary": ("spbfs.indexunary", None),
    "select": ("spbfs.select", None),
    "op": ("spbfs.op", None),
    "agg": ("spbfs.agg", None),
    "Energy": ("spbfs.base.energy", "Energy"),
    "lookahead": ("spbfs.base.lookahead", "lookahead"),
    "measure_energy": ("spbfs.base.energy", "measure_energy"),
    "suggest_device": ("spbfs.algorithms.suggest", "suggest_device"),
    "trace": ("spbfs.base.tracing", "trace"),
    "bfs": ("spbfs.algorithms.bfs", "bfs"),
    "calibrate": ("spbfs.calibration", "calibrate"),
    "bfs_many": ("spbfs.algorithms.bfs_many", "bfs_many"),
    "BFSManyResult": ("spbfs.algorithms.bfs_many", "BFSManyResult"),
    "KHopIndex": ("spbfs.algorithms.khop", "KHopIndex"),
    "betweenness": ("spbfs.algorithms.betweenness", "betweenness"),
    "closeness": ("spbfs.algorithms.closeness", "closeness"),
    "diameter_bounds": ("spbfs.algorithms.eccentricity", "diameter_bounds"),
    "distances": ("spbfs.algorithms.distances", "distances"),
    "eccentricity": ("spbfs.algorithms.eccentricity", "eccentricity"),
    "harmonic": ("spbfs.algorithms.closeness", "harmonic"),
    "khop": ("spbfs.algorithms.khop", "khop"),
    "khop_sizes": ("spbfs.algorithms.khop", "khop_sizes"),
    "levels": ("spbfs.algorithms.bfs", "levels"),
    "levels_many": ("spbfs.algorithms.bfs_many", "levels_many"),
    "BFSPlan": ("spbfs.algorithms.bfs", "BFSPlan"),
    "BFSResult": ("spbfs.algorithms.bfs", "BFSResult"),
    "verify": ("spbfs.verify", None),
    "generate": ("spbfs.generate", None),
    "io": ("spbfs.io", None),
    "viz": ("spbfs.viz", None),
    "get_threads": ("spbfs.base.threads", "get_threads"),
    "kernels_path": ("spbfs.base.paths", "kernels_path"),
    "read": ("spbfs.io", "read"),
    "set_rates": ("spbfs.io.rates", "set_rates"),
    "set_threads": ("spbfs.base.threads", "set_threads"),
    "write": ("spbfs.io", "write"),
}

__all__ = [
    "MAX_SIZE",
    "BFSManyResult",
    "BFSPlan",
    "BFSResult",
    "Energy",
    "KHopIndex",
    "Matrix",
    "Scalar",
    "Vector",
    "__version__",
    "agg",
    "betweenness",
    "bfs",
    "bfs_many",
    "binary",
    "calibrate",
    "closeness",
    "diameter_bounds",
    "distances",
    "dtypes",
    "eccentricity",
    "exceptions",
    "generate",
    "get_threads",
    "harmonic",
    "indexunary",
    "io",
    "kernels_path",
    "khop",
    "khop_sizes",
    "levels",
    "levels_many",
    "lookahead",
    "measure_energy",
    "monoid",
    "op",
    "read",
    "replace",
    "select",
    "semiring",
    "set_rates",
    "set_threads",
    "suggest_device",
    "trace",
    "unary",
    "verify",
    "viz",
    "write",
]

if TYPE_CHECKING:
    __version__: str
    from spbfs import (
        agg,
        binary,
        exceptions,
        generate,
        indexunary,
        io,
        monoid,
        op,
        select,
        semiring,
        unary,
        verify,
        viz,
    )
    from spbfs.algorithms.betweenness import betweenness
    from spbfs.algorithms.bfs import BFSPlan, BFSResult, bfs, levels
    from spbfs.algorithms.bfs_many import BFSManyResult, bfs_many, levels_many
    from spbfs.algorithms.closeness import closeness, harmonic
    from spbfs.algorithms.distances import distances
    from spbfs.algorithms.eccentricity import diameter_bounds, eccentricity
    from spbfs.algorithms.khop import KHopIndex, khop, khop_sizes
    from spbfs.algorithms.suggest import suggest_device
    from spbfs.base.energy import Energy, measure_energy
    from spbfs.base.lookahead import lookahead
    from spbfs.base.paths import kernels_path
    from spbfs.base.threads import get_threads, set_threads
    from spbfs.base.tracing import trace
    from spbfs.calibration import calibrate
    from spbfs.io import read, write
    from spbfs.io.rates import set_rates
    from spbfs.objects.checks import MAX_SIZE
    from spbfs.objects.matrix import Matrix
    from spbfs.objects.scalar import Scalar
    from spbfs.objects.statement import replace
    from spbfs.objects.vector import Vector
    from spbfs.operators import dtypes


def _version() -> str:
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version("spbfs")
    except PackageNotFoundError:  # a source tree that was never installed
        return "0+unknown"


def __getattr__(name: str) -> Any:
    if name == "__version__":
        return _version()
    if name not in _EXPORTS:
        raise AttributeError(f"module 'spbfs' has no attribute {name!r}")
    module, attribute = _EXPORTS[name]
    value = _import_module(module)
    if attribute is not None:
        value = getattr(value, attribute)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
