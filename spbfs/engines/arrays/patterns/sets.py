"""Sorted sets of int64 keys: the patterns of vectors and matrices, and how they are combined."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from spbfs.base.flags import all_true

__all__ = [
    "Union",
    "in_order",
    "intersect",
    "is_first",
    "is_sorted",
    "locate",
    "member",
    "same",
    "set_of",
    "true_at",
    "union_of",
    "unite",
]

Array = Any


def locate(xp: Any, keys: Array, wanted: Array) -> tuple[Array, Array]:
    """Where each of `wanted` would stand in the sorted `keys`, and whether it is there."""
    at = xp.searchsorted(keys, wanted)
    if keys.shape[0] == 0:
        return at, xp.zeros(wanted.shape, np.bool_)
    return at, keys[xp.minimum(at, keys.shape[0] - 1)] == wanted


def member(xp: Any, wanted: Array, keys: Array) -> Array:
    """For each of `wanted`, whether it is among the sorted `keys`."""
    return locate(xp, keys, wanted)[1]


def is_sorted(xp: Any, keys: Array) -> bool:
    """Whether keys rise strictly."""
    return keys.shape[0] < 2 or all_true(keys[1:] > keys[:-1])


def in_order(xp: Any, keys: Array) -> Array:
    """Keys sorted, in an array of their own.

    Those that rise already are copied: a GPU would have to be waited for to know.
    """
    return keys.copy() if xp is np and is_sorted(xp, keys) else xp.sort(keys)


def true_at(flags: Array) -> Array:
    """Where flags are set, rising: ``flatnonzero`` in a third of the time, where they are few."""
    at: Array = flags.nonzero()[0]
    return at


def same(a: Array, b: Array) -> bool:
    """Whether two arrays hold the same."""
    return a is b or (a.shape == b.shape and all_true(a == b))


def set_of(xp: Any, keys: Array) -> Array:
    """The set of `keys` in any order, some repeated; instead of NumPy's ``unique`` and its kin.

    Those take Python's lock again in a destructor, from which nobody may be thrown: where the
    interpreter exits meanwhile, a daemon thread that is in one aborts the process.
    """
    ordered = xp.sort(keys)
    return ordered[is_first(xp, ordered)]


def is_first(xp: Any, ordered: Array) -> Array:
    """For each of sorted keys, whether it is the first of those equal to it."""
    first = xp.ones(ordered.shape[0], np.bool_)
    first[1:] = ordered[1:] != ordered[:-1]
    return first


def intersect(xp: Any, a: Array, b: Array) -> tuple[Array | None, Array | None]:
    """Positions in `a` and in `b` of the keys they share; None stands for all of them."""
    if same(a, b):
        return None, None
    if a.shape[0] < b.shape[0]:
        in_b, in_a = intersect(xp, b, a)
        return in_a, in_b
    at, hit = locate(xp, a, b)
    in_b = true_at(hit)
    return at[in_b], in_b


def union_of(xp: Any, a: Array, b: Array) -> Array:
    """The union of two sorted sets, where nobody asks which key came from which."""
    both = xp.concatenate((a, b))
    # A stable sort finds the two runs and merges them.
    both.sort(kind="stable")
    return both[is_first(xp, both)]


@dataclass(slots=True)
class Union:
    """The union of two sorted sets and where each operand's keys went.

    ``a_at[i]`` is the position of ``a[i]`` in `keys`, None where it is i itself; `a_common` and
    `b_common` are the positions of the shared keys in the operands.
    """

    keys: Array
    a_at: Array | None
    b_at: Array | None
    a_common: Array | None
    b_common: Array | None


def unite(xp: Any, a: Array, b: Array) -> Union:
    """Merge by searching the smaller set in the larger: no sort."""
    if same(a, b):
        return Union(a, None, None, None, None)
    if a.shape[0] < b.shape[0]:
        u = unite(xp, b, a)
        return Union(u.keys, u.b_at, u.a_at, u.b_common, u.a_common)
    at, hit = locate(xp, a, b)
    b_common = true_at(hit)
    a_common = at[b_common]
    if b_common.shape[0] == b.shape[0]:
        return Union(a, None, a_common, a_common, b_common)
    new = true_at(~hit)
    size = a.shape[0] + new.shape[0]
    new_at = at[new] + xp.arange(new.shape[0])
    old = xp.ones(size, np.bool_)
    old[new_at] = False
    a_at = true_at(old)
    keys = xp.empty(size, a.dtype)
    keys[a_at] = a
    keys[new_at] = b[new]
    b_at = xp.empty(b.shape[0], np.int64)
    b_at[new] = new_at
    b_at[b_common] = a_at[a_common]
    return Union(keys, a_at, b_at, a_common, b_common)
