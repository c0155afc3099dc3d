"""Masks, accumulation, replacement and assignment of the array engine against dictionaries."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from array_cases import (
    FORMS,
    admitted,
    engine,
    entries,
    iso,
    masks,
    matrix,
    summed,
    vector,
    written,
)

from spbfs.engines.protocol import MaskData
from spbfs.exceptions import OutOfMemory
from spbfs.operators.dtypes import BOOL, INT64
from spbfs.operators.tables.builtin import BINARY
from spbfs.planner import forms as planner
from spbfs.storage.data import VectorData


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("other", FORMS)
def test_vector_write(form: str, other: str) -> None:
    rng = np.random.default_rng(10)
    plus = BINARY["plus"].resolve(INT64, INT64)
    places = range(40)
    for mask_form, equal, accum, replace in itertools.product(
        FORMS, (False, True), (None, plus), (False, True)
    ):
        for mask in masks(rng, lambda f=mask_form: vector(rng, 40, f)):
            C, T = vector(rng, 40, form, INT64, equal), vector(rng, 40, other, INT64, equal)
            c, t = entries(C), entries(T)
            wanted = written(c, summed(c, t, accum), admitted(mask, places), replace)
            assert entries(engine.write(C, T, mask, accum, replace)) == wanted
            assert entries(T) == t


@pytest.mark.parametrize("form", FORMS)
def test_vector_write_under_its_own_mask(form: str) -> None:
    rng = np.random.default_rng(11)
    plus = BINARY["plus"].resolve(INT64, INT64)
    for other, structural, complement, accum, replace in itertools.product(
        FORMS, (True, False), (True, False), (None, plus), (True, False)
    ):
        C, T = vector(rng, 30, form), vector(rng, 30, other)
        c, t = entries(C), entries(T)
        mask = MaskData(C, structural, complement)
        wanted = written(c, summed(c, t, accum), admitted(mask, range(30)), replace)
        assert entries(engine.write(C, T, mask, accum, replace)) == wanted
        C = vector(rng, 30, form)
        c, mask = entries(C), MaskData(C, structural, complement)
        allowed = admitted(mask, range(30))
        wanted = written(c, summed(c, dict.fromkeys(allowed, 5), accum), allowed, replace)
        out = engine.assign_scalar_vector(C, np.int64(5), None, mask, accum, replace)
        assert entries(out) == wanted


def test_matrix_write() -> None:
    rng = np.random.default_rng(12)
    plus = BINARY["plus"].resolve(INT64, INT64)
    places = list(itertools.product(range(6), range(7)))
    for equal, accum, replace in itertools.product((False, True), (None, plus), (False, True)):
        for mask in masks(rng, lambda: matrix(rng, 6, 7)):
            C, T = matrix(rng, 6, 7, INT64, equal), matrix(rng, 6, 7, INT64, equal)
            c, t = entries(C), entries(T)
            wanted = written(c, summed(c, t, accum), admitted(mask, places), replace)
            assert entries(engine.write(C, T, mask, accum, replace)) == wanted


def test_accumulation_casts_lone_entries_to_the_output_only() -> None:
    """An operator that compares must not turn what it never saw into 0 and 1."""
    eq = BINARY["eq"].resolve(INT64, INT64)
    a, b = np.array([0, 1]), np.array([1, 2])
    for form in ("list", "bitmap"):
        C = VectorData(3, np.array([7, 8]), indices=a)
        T = VectorData(3, np.array([8, 9]), indices=b)
        C = engine.to_bitmap(C) if form == "bitmap" else C
        assert entries(engine.write(C, T, None, eq, False)) == {0: 7, 1: 1, 2: 9}


@pytest.mark.parametrize("form", FORMS)
def test_vector_assign_scalar(form: str) -> None:
    rng = np.random.default_rng(13)
    plus = BINARY["plus"].resolve(INT64, INT64)
    for region, mask_form, equal, accum, replace in itertools.product(
        (None, np.array([5, 0, 17])), FORMS, (False, True), (None, plus), (False, True)
    ):
        for mask in masks(rng, lambda f=mask_form: vector(rng, 30, f)):
            w = vector(rng, 30, form, INT64, equal)
            old = entries(w)
            allowed = admitted(mask, range(30))
            chosen = allowed & set(range(30) if region is None else region.tolist())
            wanted = {k: v for k, v in old.items() if k in allowed or not replace or mask is None}
            wanted |= {k: old[k] + 9 if accum and k in old else 9 for k in chosen}
            out = engine.assign_scalar_vector(w, np.int64(9), region, mask, accum, replace)
            assert entries(out) == wanted


def test_matrix_assign_scalar() -> None:
    rng = np.random.default_rng(14)
    plus = BINARY["plus"].resolve(INT64, INT64)
    regions = [(None, None), (np.array([4, 1]), None), (np.array([0, 3]), np.array([6, 2, 0]))]
    places = set(itertools.product(range(6), range(7)))
    for (P, Q), accum, replace in itertools.product(regions, (None, plus), (False, True)):
        for mask in masks(rng, lambda: matrix(rng, 6, 7)):
            C = matrix(rng, 6, 7)
            old = entries(C)
            allowed = admitted(mask, places)
            inside = {
                (i, j)
                for i, j in places
                if (P is None or i in P) and (Q is None or j in Q) and (i, j) in allowed
            }
            wanted = {k: v for k, v in old.items() if k in allowed or not replace or mask is None}
            wanted |= {k: old[k] + 9 if accum and k in old else 9 for k in inside}
            out = engine.assign_scalar_matrix(C, np.int64(9), P, Q, mask, accum, replace)
            assert entries(out) == wanted


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("other", FORMS)
def test_vector_assign(form: str, other: str) -> None:
    rng = np.random.default_rng(15)
    plus = BINARY["plus"].resolve(INT64, INT64)
    for region, accum in itertools.product(
        (None, np.array([7, 2, 19, 11]), np.arange(3, 25)), (None, plus)
    ):
        size = 30 if region is None else len(region)
        w, t = vector(rng, 30, form), vector(rng, size, other)
        old, at = entries(w), np.arange(30) if region is None else region
        new = {int(at[k]): v for k, v in entries(t).items()}
        wanted = summed(old, new, accum)
        wanted |= {k: v for k, v in old.items() if k not in at and k not in wanted}
        assert entries(engine.assign_vector(w, t, region, accum)) == wanted
        # A dense vector may be written in place, a list is not.
        assert entries(w) == old or (region is not None and w.indices is None)


def test_matrix_assign() -> None:
    rng = np.random.default_rng(16)
    plus = BINARY["plus"].resolve(INT64, INT64)
    regions = [
        (None, None),
        (np.array([4, 1]), None),
        (None, np.array([3, 0])),
        (np.array([5, 0, 2]), np.array([6, 1])),
    ]
    for (P, Q), accum in itertools.product(regions, (None, plus)):
        at_row, at_col = (
            np.arange(6) if P is None else P,
            np.arange(7) if Q is None else Q,
        )
        C, T = matrix(rng, 6, 7), matrix(rng, len(at_row), len(at_col))
        old = entries(C)
        new = {(int(at_row[i]), int(at_col[j])): v for (i, j), v in entries(T).items()}
        wanted = summed(old, new, accum)
        wanted |= {k: v for k, v in old.items() if k[0] not in at_row or k[1] not in at_col}
        assert entries(engine.assign_matrix(C, T, P, Q, accum)) == wanted


def test_levels_are_written_in_place() -> None:
    """The line ``levels(q.S) << d`` of a search: no copy, and the count stays right."""
    levels = VectorData(1000, np.zeros(1000, np.int64), present=np.zeros(1000, bool), counted=0)
    values, present = levels.values, levels.present
    q = VectorData(1000, iso(True, 3, BOOL), indices=np.array([4, 40, 400]))
    for d in range(2):
        out = engine.assign_scalar_vector(levels, np.int64(d), None, MaskData(q, True), None, False)
        assert out is levels
        assert out.values is values
        assert out.present is present
        assert out.counted == 3
        assert entries(out) == dict.fromkeys((4, 40, 400), d)


def test_a_list_that_is_updated_often_becomes_a_bitmap_and_then_full() -> None:
    n = 640
    w = VectorData(n, np.zeros(0, np.int64), indices=np.zeros(0, np.int64))
    moved, seen = 0, []
    for i in range(n):
        moved += engine.nvals(w) + 1 if w.form == "list" else 0
        q = VectorData(n, iso(True, 1, BOOL), indices=np.array([i]))
        w = engine.assign_scalar_vector(w, np.int64(i), None, MaskData(q, True), None, False)
        if not seen or seen[-1] != w.form:
            seen.append(w.form)
    assert seen == ["list", "bitmap", "full"]
    assert moved <= n * planner.CPU_FORMS.update_budget + n * planner.CPU_FORMS.bitmap_density
    assert entries(w) == {i: i for i in range(n)}


def test_dense_results_that_cannot_fit_are_refused_and_change_nothing() -> None:
    n = 2**50
    at = np.array([1, 2**40])
    w, m = (VectorData(n, np.array([5, 6]), indices=at + k) for k in (0, 1))
    with pytest.raises(OutOfMemory, match=f"{n} elements"):
        engine.assign_scalar_vector(w, np.int64(9), None, MaskData(m, True, True), None, False)
    assert entries(w) == {1: 5, 2**40: 6}
    # Nothing dense is needed where the mask or the vector is a list.
    out = engine.assign_scalar_vector(w, np.int64(9), None, MaskData(m, True), None, False)
    assert entries(out) == {1: 5, 2: 9, 2**40: 6, 2**40 + 1: 9}
    full = engine.assign_scalar_vector(w, np.int64(3), None, None, None, False)
    assert full.nbytes == 8
    assert entries(engine.ewise_mult(full, w, BINARY["plus"].resolve(INT64, INT64))) == {
        1: 8,
        2**40: 9,
    }
