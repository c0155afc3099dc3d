"""Trees of searches as arrays of parents, -1 where a vertex has none: checked, and measured."""

from __future__ import annotations

from typing import Any

import numpy as np

from spbfs.exceptions import VerificationError
from spbfs.storage.data import MatrixData
from spbfs.storage.entries import array_module
from spbfs.verify.arrays import first_of, is_stored

__all__ = ["check_parents", "levels_of_tree"]

Array = Any  # of the module that holds the matrix: NumPy's, or CuPy's for one on the GPU


def check_parents(data: MatrixData, sources: Array, parent: Array) -> None:
    """Sources have themselves as parents, other vertices the start of an edge to them, or none."""
    n = data.nrows
    for s in sources[parent[sources] != sources].tolist():
        raise VerificationError("parents: source {} has parent {}, expected itself", s, parent[s])
    v = first_of(parent >= n)
    if v is not None:
        raise VerificationError(f"parents: vertex {{}} has parent {parent[v]}, not below {n}", v)
    tree = parent >= 0
    tree[sources] = False
    child = array_module(parent).flatnonzero(tree)
    missing = ~is_stored(data, parent[child], child)
    k = first_of(missing | (parent[child] == child))
    if k is not None:
        v = int(child[k])
        why = "but A has no entry ({1}, {0})" if missing[k] else "itself, but is no source"
        raise VerificationError(f"parents: vertex {{0}} has parent {{1}}, {why}", v, parent[v])


def levels_of_tree(sources: Array, parent: Array) -> Array:
    """Distance to a source along parents, by pointer doubling."""
    xp = array_module(parent)
    tree = parent >= 0
    up = xp.where(tree, parent, xp.arange(parent.shape[0]))
    level = tree.astype(np.int64)
    level[sources] = 0
    for _ in range(max(1, parent.shape[0].bit_length())):
        level += level[up]
        up = up[up]
    root = xp.zeros(parent.shape[0], np.bool_)
    root[sources] = True
    v = first_of(tree & ~root[up])
    if v is not None:
        raise VerificationError(
            "parents: from vertex {} (parent {}) parents lead to no source", v, parent[v]
        )
    level[~tree] = -1
    return level
