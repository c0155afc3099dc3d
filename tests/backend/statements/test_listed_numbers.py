"""Lists that are written: numbers of the target's type, as constructors have it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from spbfs import Matrix, Vector, binary
from spbfs.exceptions import OutOfRange

LARGE = 2**63 + 1


def everywhere(C: Any, x: Any) -> None:
    C << x


def assigned(C: Any, x: Any) -> None:
    C[:] = x


def placed(C: Any, x: Any) -> None:
    C[[1, 0]] << x[::-1]


def updated(C: Any, x: Any) -> None:
    C.update(tuple(x))


def larger(C: Any, x: Any) -> None:
    C << 0
    C(binary.max) << x


def larger_in_part(C: Any, x: Any) -> None:
    C << 0
    C[[0, 1]](binary.max) << x


WRITES = [everywhere, assigned, placed, updated, larger, larger_in_part]


@pytest.mark.parametrize("write", WRITES)
def test_no_bit_of_a_list_is_lost(device: str, write: Callable[..., Any]) -> None:
    v = Vector("UINT64", 2, device=device)
    write(v, [LARGE, 1])
    assert v.to_dict() == {0: LARGE, 1: 1}


@pytest.mark.parametrize("write", WRITES)
@pytest.mark.parametrize(
    ("dtype", "values", "told"),
    [("INT8", [300, 1], "300"), ("UINT64", [1, -1], "-1"), ("INT64", [2**63, -1], str(2**63))],
)
def test_what_the_target_does_not_hold_is_refused(
    device: str, write: Callable[..., Any], dtype: str, values: list[Any], told: str
) -> None:
    v = Vector(dtype, 2, device=device)
    with pytest.raises(OutOfRange, match=f"^value: {told} does not fit {dtype}"):
        write(v, values)


def test_lists_of_lists_rows_and_diagonals(device: str) -> None:
    A = Matrix("UINT64", 2, 2, device=device)
    A << [[LARGE, 1], [2, 3]]
    assert A.to_dense().tolist() == [[LARGE, 1], [2, 3]]
    A[1, :] << [LARGE, 4]
    A[:, 0] = [5, LARGE]
    assert A.to_dense().tolist() == [[5, 1], [LARGE, 4]]
    A.setdiag([LARGE, 6])
    assert A.to_dense().tolist() == [[LARGE, 1], [LARGE, 6]]
    for write in (lambda: A.__lshift__([[1, -1]] * 2), lambda: A.setdiag([1, -1])):
        with pytest.raises(OutOfRange, match=r"^value: -1 does not fit UINT64"):
            write()


def test_fractions_are_cut_but_where_the_accumulator_counts_with_them(device: str) -> None:
    v = Vector("INT64", 2, device=device)
    v << [1.5, -2.5]
    assert v.to_dict() == {0: 1, 1: -2}
    v << [1e30, float("nan")]
    assert v.to_dict() == {0: 2**63 - 1, 1: 0}, "floats are cast, as in the dialect"
    v << [1, -2]
    v(binary.times) << [2.5, 2]
    assert v.to_dict() == {0: 2, 1: -4}
    v(binary.times["FP64"]) << [2.5, 2]
    assert v.to_dict() == {0: 5, 1: -8}
