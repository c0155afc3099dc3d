"""What an engine does with the range of a slice is what it does with the same indices listed."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from spbfs.engines.arrays.engine import ArrayEngine
from spbfs.engines.protocol import MaskData
from spbfs.operators.dtypes import INT64
from spbfs.operators.lookup import as_binary
from spbfs.storage.entries import matrix_entries, vector_entries

N = 10
RANGES = [range(1, 9), range(0, 10, 3), range(8, -1, -2), range(9, 2, -1), range(4, 5), range(0)]
PLUS = as_binary("plus").resolve(INT64, INT64)


class Shared(ArrayEngine):
    """What engines have in common, with NumPy."""


@pytest.fixture
def engines(engine: Any, device: str) -> list[Any]:
    return [engine, Shared()] if device == "cpu" else [engine]


def vector(engine: Any, density: float, seed: int) -> Any:
    at = np.flatnonzero(np.random.default_rng(seed).random(N) < density)
    return engine.build_vector(N, engine.asarray(at), engine.asarray(at % 3 + seed - 1), None)


def matrix(engine: Any, density: float, seed: int) -> Any:
    i, j = np.nonzero(np.random.default_rng(seed).random((N, N)) < density)
    values = engine.asarray((i + j) % 3 + seed - 1)
    return engine.build_matrix(N, N, engine.asarray(i), engine.asarray(j), values, None)


def listed(engine: Any, chosen: range | None) -> Any:
    return None if chosen is None else engine.asarray(np.array(chosen, np.int64))


def same(engine: Any, work: Callable[..., Any], *chosen: range | None) -> None:
    """Assert that `work` gives the same for ranges and for their indices."""
    found = []
    for given in (chosen, [listed(engine, x) for x in chosen]):
        x = work(*given)
        stored = vector_entries(x) if len(x.shape) == 1 else matrix_entries(x)
        found.append((x.shape, [engine.to_numpy(array).tolist() for array in stored]))
    assert found[0] == found[1]


@pytest.mark.parametrize("density", [0.05, 0.5, 1.0])
@pytest.mark.parametrize("chosen", RANGES, ids=str)
def test_elements(engines: list[Any], chosen: range, density: float) -> None:
    for engine in engines:
        same(engine, lambda at, e=engine: e.extract_vector(vector(e, density, 1), at), chosen)


@pytest.mark.parametrize("accum", [None, PLUS], ids=["", "plus"])
@pytest.mark.parametrize("given", [0.05, 0.5, 1.0])
@pytest.mark.parametrize("density", [0.05, 0.5, 1.0])
@pytest.mark.parametrize("chosen", RANGES, ids=str)
def test_a_vector_to_elements(
    engines: list[Any], chosen: range, density: float, given: float, accum: Any
) -> None:
    for engine in engines:
        t = engine.extract_vector(vector(engine, given, 2), listed(engine, chosen))

        def work(at: Any, e: Any = engine, t: Any = t) -> Any:
            return e.assign_vector(vector(e, density, 1), t, at, accum)

        same(engine, work, chosen)


@pytest.mark.parametrize("accum", [None, PLUS], ids=["", "plus"])
@pytest.mark.parametrize("replace", [False, True])
@pytest.mark.parametrize("mask", [None, (0.1, False), (0.1, True), (0.9, False), (0.9, True)])
@pytest.mark.parametrize("density", [0.05, 0.5, 1.0])
@pytest.mark.parametrize("chosen", RANGES, ids=str)
def test_a_number_to_elements(
    engines: list[Any], chosen: range, density: float, mask: Any, replace: bool, accum: Any
) -> None:
    for engine in engines:

        def work(at: Any, e: Any = engine) -> Any:
            admits = mask and MaskData(vector(e, mask[0], 1), False, mask[1])
            w = vector(e, density, 2)
            return e.assign_scalar_vector(w, np.int64(7), at, admits, accum, replace)

        same(engine, work, chosen)


@pytest.mark.parametrize("density", [0.05, 0.5])
@pytest.mark.parametrize("rows", RANGES, ids=str)
@pytest.mark.parametrize("cols", [None, *RANGES], ids=str)
def test_rows_and_columns(
    engines: list[Any], rows: range, cols: range | None, density: float
) -> None:
    for engine in engines:
        same(
            engine,
            lambda i, j, e=engine: e.extract_matrix(matrix(e, density, 1), i, j),
            rows,
            cols,
        )


@pytest.mark.parametrize("accum", [None, PLUS], ids=["", "plus"])
@pytest.mark.parametrize("rows", RANGES, ids=str)
@pytest.mark.parametrize("cols", [None, *RANGES], ids=str)
def test_written_rows_and_columns(
    engines: list[Any], rows: range, cols: range | None, accum: Any
) -> None:
    for engine in engines:
        C, M = matrix(engine, 0.3, 1), matrix(engine, 0.5, 3)
        T = engine.extract_matrix(
            matrix(engine, 0.5, 2), listed(engine, rows), listed(engine, cols)
        )

        def matrix_to(i: Any, j: Any, e: Any = engine, C: Any = C, T: Any = T) -> Any:
            return e.assign_matrix(C, T, i, j, accum)

        same(engine, matrix_to, rows, cols)
        for mask in (None, MaskData(M, True, False), MaskData(M, False, True)):

            def number_to(i: Any, j: Any, e: Any = engine, C: Any = C, mask: Any = mask) -> Any:
                return e.assign_scalar_matrix(C, np.int64(7), i, j, mask, accum, mask is not None)

            same(engine, number_to, rows, cols)
