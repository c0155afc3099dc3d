"""Functions of the host for what is on a GPU: matrices of CuPy's go there, results come back."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

from scipy.sparse import issparse

from spbfs.csgraph.graphs import on_gpu_side, to_gpu

__all__ = ["passed_on"]


def passed_on(function: Callable[..., Any]) -> Callable[..., Any]:
    """The function, which takes what is on a GPU as well."""

    @wraps(function)
    def call(*args: Any, **kwargs: Any) -> Any:
        given = [*args, *kwargs.values()]
        if not any(map(on_gpu_side, given)):
            return function(*args, **kwargs)
        like = next(x for x in given if on_gpu_side(x))
        positional = [x.get() if on_gpu_side(x) else x for x in args]
        named = {k: x.get() if on_gpu_side(x) else x for k, x in kwargs.items()}
        return _back(function(*positional, **named), like)

    return call


def _back(result: Any, like: Any) -> Any:
    """Arrays of a result on the GPU, and its sparse matrices of CuPy's kind."""
    if isinstance(result, tuple):
        return tuple(_back(x, like) for x in result)
    return to_gpu(result, like) if issparse(result) or hasattr(result, "__array__") else result
