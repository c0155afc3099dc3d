"""Stencils as graphs, on the host and on a GPU."""

from __future__ import annotations

from math import prod
from typing import Any

__all__ = ["axes", "stencil"]


def stencil(xp: Any, shape: tuple[int, ...], steps: list[tuple[int, ...]]) -> tuple[int, Any, Any]:
    """Every point of a box joined to those so many steps away along the axes: n, indptr, indices,
    arrays of `xp`, which is NumPy or CuPy.

    Examples
    --------
    >>> import numpy as np
    >>> stencil(np, (3,), axes(1))[2].tolist()
    [0, 1, 0, 1, 2, 1, 2]
    """
    n = prod(shape)
    strides = [prod(shape[k + 1 :]) for k in range(len(shape))]
    point = xp.arange(n, dtype=xp.int32)
    count = xp.zeros(n, dtype=xp.int32)

    def inside(step: tuple[int, ...]) -> Any:
        valid = xp.ones(n, dtype=bool)
        for extent, stride, move in zip(shape, strides, step, strict=True):
            if move:
                place = point // stride % extent + move
                valid &= (place >= 0) & (place < extent)
        return valid

    for step in steps:
        count += inside(step)
    indptr = xp.zeros(n + 1, dtype=xp.int32)
    indptr[1:] = xp.cumsum(count)
    indices = xp.empty(int(indptr[-1]), dtype=xp.int32)
    place = indptr[:-1].copy()

    def distance(step: tuple[int, ...]) -> int:
        return sum(m * s for m, s in zip(step, strides, strict=True))

    for step in sorted(steps, key=distance):
        valid = inside(step)
        indices[place[valid]] = point[valid] + distance(step)
        place += valid
    return n, indptr, indices


def axes(dimensions: int) -> list[tuple[int, ...]]:
    """No step, and one along every axis, either way."""
    units = [tuple(int(i == k) for i in range(dimensions)) for k in range(dimensions)]
    return [(0,) * dimensions, *units, *(tuple(-x for x in u) for u in units)]
