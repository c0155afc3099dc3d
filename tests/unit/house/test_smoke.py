"""A second that tells whether anything works at all: run it first.

python -m pytest tests/unit/house/test_smoke.py
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import spbfs as sb
from spbfs import Matrix, Vector, replace, semiring

KARATE = Path(__file__).parents[3] / "examples" / "data" / "karate.mtx"


def test_read_search_and_check() -> None:
    A = sb.read(KARATE)
    assert (A.nrows, A.nvals) == (34, 156)
    result = sb.bfs(A, 0)
    assert np.bincount(result.levels.to_dense()).tolist() == [1, 16, 9, 8]
    sb.verify.bfs_tree(A, 0, result.parents, result.levels)


def test_six_lines_give_the_levels_of_the_fused_search() -> None:
    A = sb.generate.kronecker(7, 4, seed=1)
    source = int(np.argmax(np.diff(A.to_csr()[0])))
    q, levels, depth = Vector(bool, A.nrows), Vector(int, A.nrows), 0
    q[source] = True
    while q.nvals:
        levels(q.S) << depth
        q(~levels.S, replace) << semiring.any_pair(q @ A)
        depth += 1
    assert levels.isequal(sb.bfs(A, source).levels)


def test_the_engines_agree_on_a_product() -> None:
    A = Matrix.from_coo([0, 0, 1, 2], [1, 2, 2, 0], [1.0, 4.0, 2.0, 1.0], nrows=3, ncols=3)
    v = Vector.from_coo([0], [0.0], size=3)
    on_cpu = semiring.min_plus(v @ A).new()
    on_reference = semiring.min_plus(v.to("reference") @ A.to("reference")).new()
    assert on_cpu.to_dense(fill_value=-1.0).tolist() == [-1.0, 1.0, 4.0]
    assert on_reference.to("cpu").isequal(on_cpu)


def test_the_default_number_of_threads(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OMP_NUM_THREADS", "3,2")
    sb.set_threads(None)
    assert sb.get_threads() == 3
    sb.set_threads(2)
    assert sb.get_threads() == 2
    monkeypatch.delenv("OMP_NUM_THREADS")
    sb.set_threads(None)
    assert sb.get_threads() >= 1
