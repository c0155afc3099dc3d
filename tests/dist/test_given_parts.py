"""Matrices of what each rank gives: one type for all values, as in one process, or a refusal."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp

import spbfs as sb
from spbfs.exceptions import DimensionMismatch, DomainMismatch, OutOfRange

#: A row of a SciPy array for each of two ranks.
ROWS: dict[str, tuple[Any, Any]] = {
    "a stored False at one": (([True, True], [0, 1]), ([False], [1])),
    "a stored False at the other": (([False], [0]), ([True], [0])),
    "all True": (([True], [1]), ([True, True], [0, 1])),
    "Booleans and integers": (([True], [0]), ([5], [1])),
    "numbers and Booleans": (([0.5], [0]), ([True, False], [0, 1])),
    "nothing at one": (([], []), ([True, False], [0, 1])),
}


@pytest.mark.parametrize("name", ROWS)
def test_rows_of_scipy_have_one_type(name: str) -> None:
    rows = [
        sp.csr_array((np.array(values), ([0] * len(at), at)), shape=(1, 2))
        for values, at in ROWS[name]
    ]
    if name == "nothing at one":  # whose type is no one's
        rows[0] = sp.csr_array((1, 2))
        one = sb.Matrix.from_coo([1, 1], [0, 1], [True, False], nrows=2, ncols=2)
    else:
        one = sb.Matrix.from_scipy(sp.vstack(rows))

    def program(ranks: Any) -> None:
        D = sb.distributed.from_scipy(rows[ranks.rank], ranks)
        assert D.dtype == one.dtype and D.gather().isequal(one)

    sb.distributed.simulate(2, program)


def test_arrays_that_are_no_rows_of_a_graph() -> None:
    def program(ranks: Any) -> None:
        with pytest.raises(DimensionMismatch, match="A: expected two dimensions, got 1"):
            sb.distributed.from_scipy(sp.coo_array(np.array([1, 0, 2])), ranks)
        with pytest.raises(DimensionMismatch, match="A: 3 rows from row 3 on; expected no more"):
            sb.distributed.from_scipy(sp.csr_array((3, 4)), ranks)
        with pytest.raises(DimensionMismatch, match="A: 1 row from row 4 on"):
            sb.distributed.from_scipy(sp.csr_array((1, 4)), ranks, first_row=4)

    sb.distributed.simulate(2, program)


@pytest.mark.parametrize(
    ("values", "dtype"),
    [
        (([2**53 + 1], [2**63 + 1]), "UINT64"),
        ((np.array([3], np.int8), np.array([2**64 - 1], np.uint64)), "UINT64"),
        (([-(2**53) - 1], np.array([2**53 + 1], np.uint64)), "INT64"),
        (([], np.array([7], np.uint64)), "UINT64"),
        (([1], [2]), "INT64"),
        (([0.5], [2**63]), "FP64"),
    ],
)
def test_whole_numbers_are_not_rounded(values: Any, dtype: str) -> None:
    def program(ranks: Any) -> None:
        mine = values[ranks.rank]
        some = [ranks.rank] * len(mine)
        D = sb.distributed.from_edges(some, some, mine, ranks, n=2)
        given = [np.asarray(each)[0].item() for each in values if len(each)]
        assert (D.dtype.name, D.gather().to_coo()[2].tolist()) == (dtype, given)

    sb.distributed.simulate(2, program)


def test_whole_numbers_that_no_type_holds() -> None:
    def program(ranks: Any) -> None:
        with pytest.raises(OutOfRange, match=f"no integer type holds both -1 and {2**63}"):
            sb.distributed.from_edges([0], [1], [[-1], [2**63]][ranks.rank], ranks, n=2)

    sb.distributed.simulate(2, program)


def test_without_edges_there_is_one_type_all_the_same() -> None:
    def program(ranks: Any) -> str:
        none = np.empty(0, [np.float32, np.int8][ranks.rank])
        return str(sb.distributed.from_edges([], [], none, ranks, n=2).dtype.name)

    assert sb.distributed.simulate(2, program) == ["FP32", "FP32"]


def test_there_is_a_rank_at_least() -> None:
    with pytest.raises(OutOfRange, match="size: expected 1 rank or more, got 0"):
        sb.distributed.simulate(0, lambda ranks: ranks.rank)
    with pytest.raises(OutOfRange, match="size: expected 0 <= size"):
        sb.distributed.simulate(-1, lambda ranks: ranks.rank)
    for size in (1.5, "2", None):
        with pytest.raises(DomainMismatch, match="size: expected an integer"):
            sb.distributed.simulate(size, lambda ranks: ranks.rank)  # type: ignore[arg-type]
