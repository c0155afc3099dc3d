"""What makes a matrix of what people give in the place of one: for messages."""

from __future__ import annotations

import os
from numbers import Number
from typing import Any

from spbfs.exceptions import UnknownDtype
from spbfs.operators.dtypes import DType, lookup_dtype

__all__ = ["described", "dtype_of_empty", "is_of_library", "kind_of", "maker_of"]

#: What makes a matrix of what a library has.
_OF_LIBRARIES = {
    "graphblas": "Matrix.from_coo(*A.to_coo(), nrows=A.nrows, ncols=A.ncols)",
    "igraph": "Matrix.from_scipy(A.get_adjacency_sparse())",
    "networkx": "Matrix.from_networkx",
    "numpy": "Matrix.from_dense(A, missing_value=0)",
    "pandas": "Matrix.from_pandas_edgelist",
    "polars": "Matrix.from_pandas_edgelist",
    "pyarrow": "Matrix.from_pandas_edgelist",
    "scipy": "Matrix.from_scipy",
}
#: And what of Python's own; of lists, by what they list.
_OF_PYTHON: dict[type, str] = {
    dict: "Matrix.from_dicts(A, nrows=n, ncols=n)",
    str: "spbfs.read",
}
_OF_LISTS: dict[type, str] = {
    list: "Matrix.from_dense(A, missing_value=0)",
    tuple: "Matrix.from_edgelist",
}


def dtype_of_empty(dtype: Any, example: str) -> DType:
    """The type that a constructor is given, to which many give what should be in the object."""
    try:
        return lookup_dtype(dtype)
    except UnknownDtype as error:
        kind = example.partition("(")[0]
        raise UnknownDtype(
            f"{error}; {example} is empty, {kind}.from_dense and its like make one of values"
        ) from None


def kind_of(given: Any) -> str:
    """What it is, for a message; of what is called as ours is, whose."""
    if isinstance(given, type):
        return f"the class {_called(given)}"
    return _called(type(given))


def _called(kind: type) -> str:
    ours = kind.__name__ in ("Matrix", "Vector", "Scalar")
    return f"{kind.__module__.partition('.')[0]}.{kind.__name__}" if ours else kind.__name__


def is_of_library(given: Any) -> bool:
    """Whether it is of a library whose graphs or arrays there is a way to take."""
    return type(given).__module__.partition(".")[0] in _OF_LIBRARIES


def described(given: Any) -> str:
    """What stands in the place of a matrix or a vector, and what makes one of it.

    Examples
    --------
    >>> described([1, 2]), described("plus")
    ('list; Vector.from_dense makes one of it', 'str')
    """
    numbers = isinstance(given, list | tuple) and all(isinstance(x, Number) for x in given)
    if getattr(given, "ndim", 1 if numbers else 0) == 1:
        return f"{kind_of(given)}; Vector.from_dense makes one of it"
    return kind_of(given) + ("" if isinstance(given, str) else maker_of(given))


def maker_of(given: Any) -> str:
    """The rest of a message, by what a matrix is made of `given`; empty where nothing is known.

    Examples
    --------
    >>> maker_of([[0, 1], [1, 0]]), maker_of("graph.mtx"), maker_of(None)
    ('; Matrix.from_dense(A, missing_value=0) makes one of it', '; spbfs.read makes one of it', '')
    """
    if isinstance(given, list) and given:
        maker = _OF_LISTS.get(type(given[0]))
    elif isinstance(given, os.PathLike):
        maker = _OF_PYTHON[str]
    else:
        library = type(given).__module__.partition(".")[0]
        maker = _OF_PYTHON.get(type(given), _OF_LIBRARIES.get(library))
    # A column or a row of numbers is no matrix.
    if maker is None or (hasattr(given, "shape") and len(given.shape) != 2):
        return ""
    return f"; {maker} makes one of it"
