"""A matrix on the CPU and on the GPU at once: one matrix, whatever is done with it."""

from __future__ import annotations

import pickle
from copy import copy, deepcopy

import numpy as np
import pytest

import spbfs as sb
from spbfs.engines import get_engine
from spbfs.exceptions import BackendUnavailable, InvalidValue


@pytest.fixture(scope="module", autouse=True)
def _with_a_gpu() -> None:
    try:
        get_engine("cuda")
    except BackendUnavailable as error:
        pytest.skip(str(error))


def _path(n: int = 6) -> sb.Matrix:
    return sb.generate.path(n)


def _depths(A: sb.Matrix) -> list[int]:
    """Of searches by either device and by both in turns."""
    ways = ("TC", "TG", ["TC", "BG", "BC", "TG"])
    return [sb.bfs(A, 0, strategy=way).depth for way in ways]


@pytest.mark.parametrize("begin", ["cpu", "cuda", "reference"])
def test_it_is_on_both(begin: str) -> None:
    B = _path().to(begin)
    A = B.to("cpu+cuda")
    assert A.residences == ("cuda", "cpu")
    assert A.device == "cuda"
    assert B.residences == (begin,)
    assert A.to("cpu+cuda") is A
    assert A.to("cuda") is A
    assert A.to("cpu").residences == ("cpu",)
    assert A.isequal(B.to("cuda"), check_dtype=True)
    assert "on cpu+cuda" in repr(A)
    assert _depths(A) == [5, 5, 5]


def test_operations_run_on_the_gpu() -> None:
    A = _path().to("cpu+cuda")
    q = sb.Vector.from_coo([0], [True], size=6).to("cuda")
    assert sb.semiring.any_pair(q @ A).new().device == "cuda"
    assert (A + A).new().residences == ("cuda",)
    assert A.T.new().device == "cuda"


def test_changes_change_both() -> None:
    A = _path().to("cpu+cuda")
    assert _depths(A) == [5, 5, 5]
    A[0, 4] = True
    assert _depths(A) == [2, 2, 2]
    del A[0, 4]
    assert _depths(A) == [5, 5, 5]
    A << A.select("tril").new()
    assert _depths(A) == [0, 0, 0]
    A.resize(8, 8)
    A[0, 7] = True
    assert _depths(A) == [1, 1, 1]
    A.clear()
    assert _depths(A) == [0, 0, 0]
    assert A.residences == ("cuda", "cpu")


def test_what_it_was_made_from_is_another_matrix() -> None:
    B = _path()
    A = B.to("cpu+cuda")
    B[0, 5] = True
    assert _depths(A) == [5, 5, 5]
    assert sb.bfs(B, 0).depth == 3


@pytest.mark.parametrize("copied", [sb.Matrix.dup, copy, deepcopy, lambda A: A.dup(mask=A.S)])
def test_copies_are_on_both(copied: object) -> None:
    A = _path().to("cpu+cuda")
    B = copied(A)  # type: ignore[operator]
    assert B.residences == A.residences
    B[0, 5] = True
    assert (_depths(A), _depths(B)) == ([5, 5, 5], [3, 3, 3])


def test_pickles_are_on_both() -> None:
    A = _path().to("cpu+cuda")
    A.name = "path"
    B = pickle.loads(pickle.dumps(A))
    assert (B.residences, B.name, B.dtype) == (A.residences, "path", A.dtype)
    assert _depths(B) == [5, 5, 5]


@pytest.mark.parametrize("first", ["BC", "BG"])
def test_what_one_residence_has_found_out_the_other_knows(first: str) -> None:
    A = _path().to("cpu+cuda")
    sb.bfs(A, 0, strategy=first)
    assert sb.bfs(A, 0, strategy="TC").depth == 5
    data = A._ready()
    assert data.derived.symmetric is data.derived.host.derived.symmetric is True


def test_bytes_are_those_of_both() -> None:
    n = 1000
    B = sb.generate.path(n)
    A = B.to("cpu+cuda")
    assert A.nbytes >= B.nbytes + B.to("cuda").nbytes


@pytest.mark.parametrize("size", [(1 << 40), 3])
def test_other_storage(size: int) -> None:
    """Hypersparse, packed and rectangular matrices."""
    A = sb.Matrix.from_coo([0, 1, 2], [1, 2, 0], [1, 2, 3], nrows=size, ncols=size)
    B = A.to("cpu+cuda")
    assert B.to("cpu").isequal(A)
    assert sb.bfs(B, 0, strategy="TC").depth == 2
    bits = sb.Matrix.from_packed_bits(np.array([[5], [3]], np.uint64), 3)
    assert bits.to("cpu+cuda").to("cpu").isequal(bits)


def test_vectors_have_one_residence() -> None:
    with pytest.raises(InvalidValue, match=r"device: expected one of .*, got 'cpu\+cuda'"):
        sb.Vector.from_dense([1, 2]).to("cpu+cuda")
    with pytest.raises(InvalidValue, match=r"device: expected one of .*, got 'cpu\+cuda'"):
        sb.Matrix(bool, 2, 2, device="cpu+cuda")
    with pytest.raises(InvalidValue, match="device: expected one of"):
        _path().to("cuda+gpu")
