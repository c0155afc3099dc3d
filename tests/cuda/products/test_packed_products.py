"""Products with packed bits on a GPU: both directions, long rows, every width of a row of bits."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp
from gpu import cp

from spbfs.engines.cuda.products.packed import packed_rows
from spbfs.engines.protocol import Hints
from spbfs.storage.data import MatrixData, iso_array
from spbfs.storage.packed import WORDS

ROWS, COLUMNS = 150, 5003


def _matrix(A: Any, offsets: Any, index: Any) -> MatrixData:
    values = iso_array(cp.ones(1, np.bool_), A.nnz)
    arrays = cp.asarray(A.indptr.astype(offsets)), cp.asarray(A.indices.astype(index))
    return MatrixData(*A.shape, *arrays, values)


class _Engine:
    """What a push asks of the engine."""

    xp = cp

    def __init__(self, across: MatrixData) -> None:
        self._across = across

    def transposed(self, _: MatrixData) -> MatrixData:
        return self._across


@pytest.mark.parametrize("words", WORDS)
@pytest.mark.parametrize(
    ("offsets", "index"), [(np.int32, np.int32), (np.int64, np.int32), (np.int64, np.int64)]
)
def test_rows_of_bits_are_joined(words: int, offsets: Any, index: Any) -> None:
    rng = np.random.default_rng(words)
    dense = rng.random((ROWS, COLUMNS)) < rng.random((ROWS, 1)) ** 6
    dense[[0, 77]] = True  # a CTA's work
    dense[3] = False
    A = sp.csr_array(dense)
    given, across = _matrix(A, offsets, index), _matrix(sp.csr_array(A.T), offsets, index)
    flags = rng.random((COLUMNS, 64 * words)) < 0.002
    flags[rng.random(COLUMNS) < 0.5] = False
    bits = np.packbits(flags, axis=1, bitorder="little").view(np.uint64)
    within = rng.random((ROWS, 64 * words)) < 0.5
    within[5] = False
    keep = np.packbits(within, axis=1, bitorder="little").view(np.uint64)
    joined = (A.astype(np.int64) @ flags.astype(np.int64)) > 0
    for direction in ("pull", "push"):
        for kept, expected in ((None, joined), (cp.asarray(keep), joined & within)):
            hints = Hints(direction)
            out = packed_rows(_Engine(across), given, cp.asarray(bits), kept, hints).get()
            found = np.unpackbits(out.view(np.uint8), axis=1, bitorder="little")
            assert np.array_equal(found, expected), direction
