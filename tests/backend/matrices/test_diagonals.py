"""Vectors on any diagonal, in every form, as NumPy lays them out."""

from __future__ import annotations

import numpy as np
import pytest

from spbfs import Matrix, Vector
from spbfs.exceptions import OutOfMemory


@pytest.mark.parametrize("form", ["full", "iso", "bitmap", "list", "empty"])
@pytest.mark.parametrize("k", [-9, -3, -1, 0, 1, 3, 9])
def test_a_vector_on_a_diagonal(device: str, form: str, k: int) -> None:
    for size in (1, 2, 7, 40):
        dense = np.full(size, 5) if form == "iso" else np.arange(1, size + 1)
        if form in ("bitmap", "list"):
            dense[np.arange(size) % (2 if form == "bitmap" else 9) == 1] = 0
        elif form == "empty":
            dense[:] = 0
        u = Vector.from_coo(
            np.flatnonzero(dense), dense[dense != 0], "INT64", size=size, device=device
        )
        A = u.diag(k)
        wanted = np.diag(dense, k)
        n = size + abs(k)
        rows, cols = np.nonzero(wanted)
        same = Matrix.from_coo(
            rows, cols, wanted[rows, cols], "INT64", nrows=n, ncols=n, device=device
        )
        assert A.shape == (n, n) and A.isequal(same, check_dtype=True)
        indptr, _, _ = A.to_csr()
        assert (np.diff(indptr) == np.count_nonzero(wanted, axis=1)).all()
        assert A.diag(k).isequal(u)


def test_a_diagonal_that_no_memory_holds_is_refused_by_name(device: str) -> None:
    A = Matrix(float, 2**40, 2**40, device=device)
    with pytest.raises(OutOfMemory, match=f"^values: a diagonal of {2**40:,} numbers"):
        A.setdiag(1)
    assert A.nvals == 0
