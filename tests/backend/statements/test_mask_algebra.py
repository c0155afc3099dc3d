"""Masks combined by & and |, made into objects, and used to select: against sets of positions."""

from __future__ import annotations

import pickle
from itertools import product
from typing import Any

import numpy as np
import pytest

from spbfs import Matrix, Vector, replace, semiring
from spbfs.exceptions import DimensionMismatch, DomainMismatch, InvalidValue

Positions = set[tuple[int, ...]]
SHAPES = [(7,), (1,), (4, 5)]
KINDS = ["S", "V", "~S", "~V"]


def _object(shape: tuple[int, ...], seed: int, dtype: Any, device: str) -> tuple[Any, Any]:
    """A random object and its stored entries by position; a third of the values is zero."""
    rng = np.random.default_rng(seed)
    stored = [p for p in np.ndindex(shape) if rng.random() < 0.5]
    values = rng.integers(0, 3, len(stored)).astype(dtype)
    make: Any = Vector.from_coo if len(shape) == 1 else Matrix.from_coo
    names = ("size",) if len(shape) == 1 else ("nrows", "ncols")
    where = np.array(stored, int).reshape(-1, len(shape)).T
    out = make(*where, values, **dict(zip(names, shape, strict=True)), device=device)
    return out, dict(zip(stored, values.tolist(), strict=True))


def _mask(obj: Any, entries: Any, kind: str) -> tuple[Any, Positions]:
    mask = obj.S if kind.endswith("S") else obj.V
    admitted = {p for p, x in entries.items() if kind.endswith("S") or x}
    if kind.startswith("~"):
        return ~mask, set(np.ndindex(obj.shape)) - admitted
    return mask, admitted


def _positions(obj: Any) -> Positions:
    return set(zip(*(a.tolist() for a in obj.to_coo()[:-1]), strict=True))


@pytest.mark.parametrize("shape", SHAPES, ids=str)
def test_masks_combine_as_sets_do(device: str, shape: tuple[int, ...]) -> None:
    for seed, (left, right) in enumerate(product(KINDS, KINDS)):
        x, admitted_x = _mask(*_object(shape, seed, int, device), left)
        y, admitted_y = _mask(*_object(shape, seed + 100, bool, device), right)
        assert _positions(x.new()) == admitted_x
        assert _positions((x & y).new()) == admitted_x & admitted_y, (left, right)
        assert _positions((x | y).new()) == admitted_x | admitted_y, (left, right)
        assert (x & y).new().device == device


@pytest.mark.parametrize("shape", SHAPES, ids=str)
def test_a_mask_selects_what_it_admits(device: str, shape: tuple[int, ...]) -> None:
    for seed, kind in enumerate(KINDS):
        u, entries = _object(shape, seed, float, device)
        mask, admitted = _mask(*_object(shape, seed + 50, int, device), kind)
        chosen = u.select(mask).new()
        assert _positions(chosen) == set(entries) & admitted
        assert u.isequal(_object(shape, seed, float, device)[0]), "the operand changed"
        assert chosen.dtype == u.dtype
        assert chosen.isequal(u.dup(mask=mask))


def test_boolean_operands_and_arrays_select(device: str) -> None:
    u = Vector.from_coo([0, 1, 3], [5, 2, 7], size=4, device=device)
    assert u.select(u < 6).new().to_dict() == {0: 5, 1: 2}
    assert u.select(np.array([True, False, True, True])).new().to_dict() == {0: 5, 3: 7}
    at = np.array([True, False, True, True])
    assert _positions((u.S & at).new()) == _positions((at & u.S).new()) == {(0,), (3,)}
    q = Vector.from_coo([0, 1], [True, False], size=4, device=device)
    assert u.select(q).new().to_dict() == {0: 5}
    w = u.dup()
    w << w.select(~q.S)
    assert w.to_dict() == {3: 7} and u.nvals == 3


def test_wrong_masks_are_refused(device: str) -> None:
    u = Vector.from_coo([0], [5], size=4, device=device)
    A = Matrix.from_coo([0], [1], [5], nrows=4, ncols=4, device=device)
    for wrong in (lambda: u.S & A.S, lambda: u.S | Vector(bool, 3, device=device).S):
        with pytest.raises(DimensionMismatch, match="mask"):
            wrong()
    with pytest.raises(DomainMismatch, match="mask"):
        u.S & 3
    with pytest.raises(DomainMismatch, match="mask"):
        u.select(u)
    with pytest.raises(DomainMismatch, match="mask"):
        u.select(A.S)
    with pytest.raises(InvalidValue, match="thunk"):
        u.select(u.S, 3)
    with pytest.raises(DomainMismatch, match="ambiguous"):
        bool(u.S)


def test_a_product_that_was_read_is_masked_as_any_other(device: str) -> None:
    """What reading computed, it computed without the mask."""
    A, _ = _object((6, 6), 3, int, device)
    u, _ = _object((6,), 4, int, device)
    for make in (
        lambda: semiring.plus_times(u @ A),
        lambda: semiring.plus_times(A @ u),
        lambda: semiring.plus_times(A @ A),
    ):
        mask = ~(u if make().ndim == 1 else A).S
        product, w, expected = make(), make().new(), make().new()
        assert product.nvals == w.nvals
        expected(mask, replace) << make()
        w(mask, replace) << product
        assert w.isequal(expected) and w.nvals < product.nvals
        w(mask, replace) << 9
        assert product.new().isequal(make().new()), "written where it was not to be"


def test_the_four_kinds_of_masks_are_classes(device: str) -> None:
    from spbfs.objects.mask import (
        ComplementedStructuralMask,
        ComplementedValueMask,
        StructuralMask,
        ValueMask,
    )

    v = Vector.from_coo([0, 2], [5, 0], size=4, device=device)
    kinds = (StructuralMask, ValueMask, ComplementedStructuralMask, ComplementedValueMask)
    for mask, kind in zip((v.S, v.V, ~v.S, ~v.V), kinds, strict=True):
        assert type(mask) is kind and type(~~mask) is kind
        assert kind(v).new().isequal(mask.new())
        assert pickle.loads(pickle.dumps(mask)).new().isequal(mask.new())
