"""spbfs: GraphBLAS-style sparse linear algebra for graph traversal, on CPU and GPU.

Importing it loads no engine and touches no GPU; what is heavy is imported when first used.
"""

from __future__ import annotations

from importlib import import_module as _import_module
from importlib.metadata import PackageNotFoundError as _PackageNotFoundError
from importlib.metadata import version as _version
from typing import TYPE_CHECKING, Any

try:
    __version__ = _version("spbfs")
except _PackageNotFoundError:  # a source tree that was never installed
    __version__ = "0+unknown"

#: public name -> (module, attribute); an attribute of None is the module itself
_EXPORTS: dict[str, tuple[str, str | None]] = {
    "Matrix": ("spbfs.core.matrix", "Matrix"),
    "Vector": ("spbfs.core.vector", "Vector"),
    "Scalar": ("spbfs.core.scalar", "Scalar"),
    "replace": ("spbfs.core.assign", "replace"),
    "dtypes": ("spbfs.core.dtypes", None),
    "exceptions": ("spbfs.exceptions", None),
    "unary": ("spbfs.unary", None),
    "binary": ("spbfs.binary", None),
    "monoid": ("spbfs.monoid", None),
    "semiring": ("spbfs.semiring", None),
    "indexunary": ("spbfs.indexunary", None),
    "select": ("spbfs.select", None),
    "trace": ("spbfs.burble", "trace"),
}

__all__ = [
    "Matrix",
    "Scalar",
    "Vector",
    "__version__",
    "binary",
    "dtypes",
    "exceptions",
    "indexunary",
    "monoid",
    "replace",
    "select",
    "semiring",
    "trace",
    "unary",
]

if TYPE_CHECKING:
    from spbfs import binary, exceptions, indexunary, monoid, select, semiring, unary
    from spbfs.burble import trace
    from spbfs.core import dtypes
    from spbfs.core.assign import replace
    from spbfs.core.matrix import Matrix
    from spbfs.core.scalar import Scalar
    from spbfs.core.vector import Vector


def __getattr__(name: str) -> Any:
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
