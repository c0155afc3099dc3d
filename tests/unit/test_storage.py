"""What a matrix says that it holds, and in which types others get it."""

from __future__ import annotations

import numpy as np

from spbfs import Matrix
from spbfs.storage.data import MatrixData


def data() -> MatrixData:
    return MatrixData(2, 2, np.array([0, 1, 2], np.int32), np.array([1, 0], np.int32), np.ones(2))


def test_what_is_kept_with_the_transpose_counts() -> None:
    A = data()
    A.transpose = data()
    before = A.nbytes
    A.transpose.cache["hubs"] = np.zeros(10, np.int32)
    assert A.nbytes == before + 40


def test_scipy_gets_offsets_and_columns_of_one_width() -> None:
    """Graph algorithms of older SciPys take nothing but 32 bits."""
    wide = MatrixData(2, 2, np.array([0, 1, 2]), np.array([1, 0], np.int32), np.ones(2))
    S = Matrix._from_data(wide).to_scipy()
    assert S.indptr.dtype == S.indices.dtype == np.int32
    assert S.toarray().tolist() == [[0, 1], [1, 0]]
