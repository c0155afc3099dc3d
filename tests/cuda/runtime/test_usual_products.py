"""Builds compile ahead what programs use most: no product of theirs waits for a compiler."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from gpu import cp

from spbfs import Matrix, Vector, binary, monoid, replace, semiring
from spbfs.engines.cuda.lookahead import kernels as lookahead
from spbfs.engines.cuda.products import kernels, row_kernels
from spbfs.engines.cuda.runtime import counting, launch
from spbfs.engines.cuda.runtime.source import Specialisation
from spbfs.engines.cuda.specialisations import specialisations
from spbfs.engines.cuda.vectors import convert
from spbfs.engines.cuda.writing import accumulate

LISTED = {s.key for s in specialisations()}
KEPT = (
    *(kernels.product_kernel, kernels.members_kernel, convert.convert_kernel),
    *(row_kernels.sorted_rows_kernel, row_kernels.long_rows_kernel, accumulate.accumulate_kernel),
    *(lookahead._kernel, counting._kernel),
)


def _matrix(dtype: Any) -> Matrix:
    u, v = np.unique(
        (np.random.default_rng(4).random((2, 4000)) ** 2 * 200).astype(np.int64), axis=1
    )
    values = True if dtype is bool else np.arange(1, u.size + 1).astype(dtype)
    return Matrix.from_coo(u, v, values, nrows=200, ncols=200, device="cuda")


def _ones(dtype: Any) -> Vector:
    return Vector.from_dense(cp.arange(200).astype(dtype))


def _levels() -> None:
    A, depth = _matrix(bool), 0
    q, levels = Vector(bool, 200, device="cuda"), Vector(int, 200, device="cuda")
    q[3] = True
    while q.nvals:
        levels(q.S) << depth
        q(~levels.S, replace) << semiring.any_pair(q @ A)
        depth += 1


def _parents() -> None:
    A = _matrix(bool)
    q, parents = Vector(int, 200, device="cuda"), Vector(int, 200, device="cuda")
    q[3] = parents[3] = 3
    while q.nvals:
        q(~parents.S, replace) << semiring.any_firsti(q @ A)
        parents(q.S) << q


def _paths() -> None:
    A, lengths = _matrix(float), Vector(float, 200, device="cuda")
    lengths[3] = 0.0
    for _ in range(4):
        lengths(binary.min) << semiring.min_plus(lengths @ A)


USUAL: dict[str, Callable[[], Any]] = {
    "levels": _levels,
    "parents": _parents,
    "paths": _paths,
    **{
        f"{name} {np.dtype(t)}": lambda name=name, t=t: getattr(semiring, name)(
            _matrix(t) @ _matrix(t)
        ).new()
        for name, t in (
            *(("plus_times", float), ("plus_times", np.float32), ("plus_times", int)),
            *(("plus_pair", bool), ("min_plus", float), ("any_pair", bool), ("lor_land", bool)),
            *(("max_min", float), ("any_times", float), ("any_eq", float)),
        )
    },
    **{
        f"any_first {np.dtype(t)}": lambda t=t: (
            semiring.any_first(_matrix(t) @ _matrix(bool)).new(),
            semiring.any_second(_matrix(bool) @ _matrix(t)).new(),
        )
        for t in (int, float)
    },
    **{
        f"vector {np.dtype(t)}": lambda t=t: (
            semiring.plus_times(_matrix(t) @ _ones(t)).new(),
            semiring.plus_times(_ones(t) @ _matrix(t)).new(),
        )
        for t in (float, np.float32, int)
    },
    "triangles": lambda: semiring.plus_pair(_matrix(bool) @ _matrix(bool).T).new(
        mask=_matrix(bool).S
    ),
    "rows": lambda: (
        _matrix(float).reduce_rowwise(monoid.plus).new(),
        _matrix(int).reduce_rowwise(monoid.plus).new(),
    ),
    "ranks": lambda: semiring.plus_second(_matrix(bool) @ _ones(float)).new(),
    "nearest": lambda: (
        semiring.min_second(_matrix(bool) @ _ones(int)).new(),
        semiring.any_second(_matrix(bool) @ _ones(int)).new(),
        semiring.plus_pair(_matrix(bool) @ _ones(int)).new(),
        semiring.min_plus(_matrix(float) @ _ones(float)).new(),
        semiring.any_secondi(_matrix(bool) @ _ones(int)).new(),
    ),
}


@pytest.mark.parametrize("name", USUAL)
def test_what_programs_use_most_is_compiled_ahead(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    loaded: list[Specialisation] = []
    load = launch.load

    def watched(specialisation: Specialisation) -> Any:
        loaded.append(specialisation)
        return load(specialisation)

    for function in KEPT:
        function.cache_clear()
    monkeypatch.setattr(launch, "load", watched)
    USUAL[name]()
    assert loaded
    missing = [(s.kernels, s.defines) for s in loaded if s.key not in LISTED]
    assert not missing
