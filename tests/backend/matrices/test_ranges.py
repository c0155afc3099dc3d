"""Short ways of reading a matrix, against what SciPy reads."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp

import spbfs as sb

S = sp.random_array((30, 41), density=0.2, rng=np.random.default_rng(2), format="csr")
LINES = [slice(3, 17), slice(0, 30), slice(29, 30), slice(5, 5), [4, 5, 6], [6, 5, 4], [4, 4, 6]]
# Views: one turned round, one with gaps, one of equal numbers that are stored once.
LINES += [np.arange(7)[::-1], np.arange(20)[::5], np.broadcast_to(np.int64(3), 2)]


@pytest.mark.parametrize("columns", LINES, ids=str)
@pytest.mark.parametrize("rows", LINES, ids=str)
@pytest.mark.parametrize("iso", [False, True])
def test_what_follows_one_another(rows: Any, columns: Any, iso: bool, device: str) -> None:
    given = sp.csr_array(S > 0) if iso else S
    A = sb.Matrix.from_scipy(given).to(device)
    found = A[rows, columns].new()
    want = given.toarray()[rows, :][:, columns]
    assert found.shape == want.shape
    np.testing.assert_array_equal(found.to("cpu").to_scipy().toarray(), want)
    before = A.dup()
    if found.nvals:
        found << found.apply(sb.unary.ainv if not iso else sb.unary.lnot)
    assert A.isequal(before)


def test_single_elements(device: str) -> None:
    A = sb.Matrix.from_scipy(S).to(device)
    dense = S.toarray()
    for i, j in [(0, 0), (29, 40), (7, 3), (-1, -1), *zip(*S.nonzero(), strict=True)][:60]:
        value = A[int(i), int(j)].new().value
        assert (value or 0) == dense[i, j]


@pytest.mark.parametrize("op", ["times", "minus", "firsti", "firstj", "secondi", "secondj"])
@pytest.mark.parametrize("shape", [(1, 1), (8, 6), (5, 0), (0, 5)], ids=str)
def test_kronecker_products(shape: tuple[int, int], op: str, device: str) -> None:
    rng = np.random.default_rng(7)
    B = sp.csr_array(rng.random(shape) * (rng.random(shape) < 0.4))
    left, right = (sb.Matrix.from_scipy(x) for x in (S[:9, :7].tocsr(), B))
    found = left.to(device).kronecker(right.to(device), getattr(sb.binary, op)).new()
    want = left.to("reference").kronecker(right.to("reference"), getattr(sb.binary, op)).new()
    assert found.to("reference").isequal(want, check_dtype=True)
