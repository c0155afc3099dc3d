"""Matrices of 2**40 rows and columns with a few entries: every operation, on every engine."""

from __future__ import annotations

import pickle
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scattered_programs import SIDE, ScatteredAuthor

import spbfs as sb
from spbfs import Matrix, Vector, binary, indexunary, monoid, semiring
from spbfs.exceptions import InvalidValue, OutOfMemory
from spbfs.planner import forms

graphblas = pytest.importorskip("graphblas", reason="python-graphblas is not installed")

from tests.backend.statements.test_random_programs import Run  # noqa: E402 - imports python-graphblas

SEEDS = 32
STATEMENTS = 12
#: Row, column and value of five entries, and of others that share rows and columns with them.
FIVE = ([5, 2**39, 7, 2**30, 5], [2**39, 7, 5, 2**20, 7], [1, 2, 3, 4, 5])
FOUR = ([5, 7, 2**39, SIDE - 1], [7, 2**39, 5, SIDE - 1], [-1, 2, 10, 3])


class ScatteredRun(Run):
    """One program over long dimensions in python-graphblas and here, side by side."""

    author_of = ScatteredAuthor


@pytest.mark.parametrize("group", range(4))
def test_programs_equal_python_graphblas(device: str, group: int) -> None:
    for seed in range(group, SEEDS, 4):
        _run(ScatteredRun(seed, device), seed, STATEMENTS)


@pytest.fixture
def everything_hypersparse(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Matrices list their rows however few these are."""
    monkeypatch.setattr(forms, "HYPERSPARSE_SIDE", 0)
    monkeypatch.setattr(forms, "HYPERSPARSE_RATIO", 0)
    yield


@pytest.mark.usefixtures("everything_hypersparse")
@pytest.mark.parametrize("group", range(4))
def test_small_programs_where_all_is_hypersparse(device: str, group: int) -> None:
    for seed in range(group, SEEDS, 4):
        _run(Run(1000 + seed, device), seed, STATEMENTS)


def _run(run: Run, seed: int, statements: int) -> None:
    try:
        for _ in range(statements):
            run.step()
    except BaseException as error:
        error.add_note(f"seed {seed}, device {run.device}:\n  " + "\n  ".join(run.text))
        raise


# -- one operation at a time ---------------------------------------------------------------------
class Both:
    """The same objects in one of the two libraries."""

    def __init__(self, module: Any, **options: Any) -> None:
        self.gb = module
        self.A, self.B = (
            module.Matrix.from_coo(*x, nrows=SIDE, ncols=SIDE, **options) for x in (FIVE, FOUR)
        )
        self.u = module.Vector.from_coo([5, 7, SIDE - 1], [2, 3, 4], size=SIDE, **options)
        self.small = module.Matrix.from_coo([0, 1], [1, 2], [10, 20], nrows=3, ncols=3, **options)


def pairs(device: str) -> tuple[Both, Both]:
    return Both(sb, device=device), Both(graphblas)


def content(thing: Any) -> list[Any]:
    *at, values = thing.to_coo()
    return sorted(zip(*(a.tolist() for a in at), values.tolist(), strict=True))


def named(operators: Any, name: str) -> Any:
    """An operator; python-graphblas has those of positions under ``ss``."""
    return getattr(
        operators.ss if name.endswith(("firsti", "firstj", "secondi", "secondj")) else operators,
        name,
    )


OPERATIONS = {
    **{
        f"A @ B {ring}": lambda o, ring=ring: named(o.gb.semiring, ring)(o.A @ o.B)
        for ring in "plus_times min_plus any_pair lor_land plus_firsti plus_firstj".split()
        + "plus_secondi plus_secondj min_firstj max_secondi any_secondj".split()
    },
    **{
        f"A' @ u {ring}": lambda o, ring=ring: named(o.gb.semiring, ring)(o.A.T @ o.u)
        for ring in "plus_times plus_firsti plus_firstj plus_secondi plus_secondj".split()
    },
    **{
        f"u @ A {ring}": lambda o, ring=ring: named(o.gb.semiring, ring)(o.u @ o.A)
        for ring in "plus_times plus_firsti plus_firstj plus_secondi plus_secondj".split()
    },
    **{
        f"kronecker {op}": lambda o, op=op: o.A.kronecker(o.small, named(o.gb.binary, op))
        for op in "times minus firsti firstj secondi secondj".split()
    },
    **{
        f"ewise {op}": lambda o, op=op: o.A.ewise_mult(o.B, named(o.gb.binary, op))
        for op in "minus firsti secondj".split()
    },
    **{
        f"select {op}": lambda o, op=op: o.A.select(op, 2**30)
        for op in "tril triu diag offdiag rowle rowgt colle colgt".split()
    },
    **{
        f"apply {op}": lambda o, op=op: o.A.apply(getattr(o.gb.indexunary, op), 2**41)
        for op in "rowindex colindex diagindex".split()
    },
    "union": lambda o: o.A.ewise_union(o.B, "minus", 100, 200),
    "outer": lambda o: o.u.outer(o.u, "minus"),
    "rows and columns": lambda o: o.A[[5, 6, 2**39, 5], [7, 2**39, 7]],
    "rows": lambda o: o.A[[2**39, 6, 5, 5], :],
    "columns": lambda o: o.A[:, [7, 5, 7, 1]],
    "a row": lambda o: o.A[5, :],
    "a column": lambda o: o.A[:, 7],
    "part of a row": lambda o: o.A[5, [7, 2**39, 3]],
    "row sums": lambda o: o.A.reduce_rowwise("plus"),
    "column sums": lambda o: o.A.reduce_columnwise("max"),
    "elements": lambda o: o.u[[SIDE - 1, 6, 5, 5]],
}


@pytest.mark.parametrize("name", OPERATIONS)
def test_operations(device: str, name: str) -> None:
    ours, theirs = (OPERATIONS[name](o).new() for o in pairs(device))
    assert ours.shape == theirs.shape
    assert content(ours) == content(theirs)
    assert ours.nvals or name == "select diag"


def masked(o: Both) -> Any:
    o.A(~o.B.S, o.gb.binary.plus) << o.gb.semiring.plus_times(o.A @ o.B)
    return o.A


def replaced(o: Both) -> Any:
    o.A(o.B.V, o.gb.replace) << o.A.T
    return o.A


def block(o: Both) -> Any:
    o.A[[5, 9, 2**39], [7, 2**39, 1]] << o.small
    return o.A


def block_of_a_number(o: Both) -> Any:
    o.A(o.gb.binary.plus)[[5, 9], [7, 2**39]] << 100
    return o.A


def number_under_a_mask(o: Both) -> Any:
    o.A(o.B.S) << 8
    return o.A


def assigned_row(o: Both) -> Any:
    o.A[5, :] << o.u
    return o.A


def assigned_column(o: Both) -> Any:
    o.A(o.u.S)[:, 7] << o.u
    return o.A


def single_elements(o: Both) -> Any:
    o.A[3, SIDE - 1] = 9
    o.A[5, 7] = 1
    del o.A[7, 5]
    return o.A


def resized(o: Both) -> Any:
    o.A.resize(2**35, 100)
    return o.A


def grown(o: Both) -> Any:
    o.small.resize(2**50, 2**60)
    return o.small


def emptied(o: Both) -> Any:
    o.A.clear()
    return o.A


CHANGES = [
    masked,
    replaced,
    block,
    block_of_a_number,
    number_under_a_mask,
    assigned_row,
    assigned_column,
    single_elements,
    resized,
    grown,
    emptied,
]


@pytest.mark.parametrize("change", CHANGES)
def test_changes(device: str, change: Any) -> None:
    ours, theirs = (change(o) for o in pairs(device))
    assert ours.shape == theirs.shape
    assert content(ours) == content(theirs)


# -- what is only ours ---------------------------------------------------------------------------
def five(device: str, dtype: Any = None) -> Matrix:
    return Matrix.from_coo(*FIVE, dtype, nrows=SIDE, ncols=SIDE, device=device)


def test_five_entries_take_few_bytes(device: str) -> None:
    A = five(device)
    assert A.nbytes < 1000
    before = A.isequal(A.T.new())
    assert not before
    assert A.nbytes < 2000
    assert Matrix(bool, SIDE, SIDE, device=device).nbytes < 100


def test_elements_and_totals(device: str) -> None:
    A = five(device)
    assert (A[5, 7].new().value, A.get(5, 6), A.get(-1, -1, default=0)) == (5, None, 0)
    assert (5, 7) in A
    assert (5, 6) not in A
    assert A.reduce_scalar("max").value == 5
    assert A.nvals == 5
    assert next(iter(A)) == (5, 7)


def test_copies_and_comparisons(device: str) -> None:
    A = five(device)
    for B in (A.dup(), pickle.loads(pickle.dumps(A)), A.to("reference").to(device), A.T.new().T):
        assert A.isequal(B)
    assert A.dup(float).dtype == "FP64"
    assert "1099511627776 x 1099511627776, 5 stored" in repr(A)
    A[0, 0] = 1
    assert not A.isequal(five(device))


def test_pattern_only_matrices_stay_so(device: str) -> None:
    A = Matrix.from_coo(*FIVE[:2], True, nrows=SIDE, ncols=SIDE, device=device)
    back = pickle.loads(pickle.dumps(A))
    assert back.isequal(A)
    assert semiring.any_pair(A @ back).new().nvals == 5


def test_diagonals(device: str) -> None:
    v = Vector.from_coo([5, 2**39], [1, 2], size=SIDE, device=device)
    for k in (0, 3, -(2**35)):
        D = v.diag(k)
        assert D.nrows == SIDE + abs(k)
        assert D.diag(k).isequal(v)


def test_user_defined_operators(device: str) -> None:
    twice = binary.register_anonymous(lambda x, y: x + 2 * y)
    ring = semiring.register_anonymous(monoid.plus, twice)
    A, B = five(device), Matrix.from_coo(*FOUR, nrows=SIDE, ncols=SIDE, device=device)
    wanted: dict[tuple[int, int], int] = {}
    for i, k, a in zip(*FIVE, strict=True):
        for q, j, b in zip(*FOUR, strict=True):
            if k == q:
                wanted[i, j] = wanted.get((i, j), 0) + a + 2 * b
    made = ring(A @ B).new()
    assert {(i, j): x for i, row in made.to_dicts().items() for j, x in row.items()} == wanted
    place = indexunary.register_anonymous(lambda x, i, j, t: x + i - j + t)
    first = A.apply(place, 1).new().to_coo()[2]
    i, j, x = A.to_coo()
    assert first.tolist() == (x + i - j + 1).tolist()


def test_short_and_wide(device: str) -> None:
    """Three rows of 2**40 columns, and three columns of as many rows."""
    W = Matrix.from_csr([0, 1, 1, 3], [5, 7, 2**39], [1, 2, 3], ncols=SIDE, device=device)
    assert W.T.new().to_dicts() == {5: {0: 1}, 7: {2: 2}, 2**39: {2: 3}}
    assert W.mxm(W.T).new().to_dicts() == {0: {0: 1}, 2: {2: 13}}
    v = Vector.from_coo([7], [10], size=SIDE, device=device)
    assert W.mxv(v).new().to_dict() == {2: 20}
    indptr, indices, values = W.to_csr()
    assert (indptr.tolist(), indices.tolist(), values.tolist()) == (
        [0, 1, 1, 3],
        [5, 7, 2**39],
        [1, 2, 3],
    )
    W[0, :] << v
    assert W.to_dicts() == {0: {7: 10}, 2: {7: 2, 2**39: 3}}
    W[:, [1, 2]] << 4
    assert W.nvals == 9


def test_results_come_back_to_offsets(device: str) -> None:
    """A matrix that was cut to a few rows, or filled, is an ordinary one."""
    A = five(device)
    part = A[[5, 7], [7, 5]].new()
    assert part.to_csr()[0].tolist() == [0, 1, 2]
    assert part.mxm(part).new().to_dicts() == {0: {0: 25}, 1: {1: 9}}


def test_with_an_ordinary_matrix(device: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A few entries meet many over the same rows."""
    monkeypatch.setattr(forms, "HYPERSPARSE_SIDE", 100)
    n, rng = 200, np.random.default_rng(0)
    dense = (rng.random((n, n)) < 0.1) * rng.integers(1, 5, (n, n))
    few = np.zeros((n, n), np.int64)
    few[[3, 199, 100], [199, 3, 7]] = [1, 2, 3]
    D, F = (Matrix.from_dense(x, missing_value=0, device=device) for x in (dense, few))
    for made, wanted in (
        (D.mxm(F), dense @ few),
        (F.mxm(D), few @ dense),
        (F.mxm(D.T), few @ dense.T),
        (D.ewise_add(F), dense + few),
        (D.ewise_mult(F), dense * few),
    ):
        assert (made.new().to_dense(0) == wanted).all()
    D(~F.S, replace=True) << D
    assert (D.to_dense(0) == np.where(few, 0, dense)).all()


def test_loops_of_products(device: str) -> None:
    """A breadth-first search as its definition reads."""
    rng = np.random.default_rng(1)
    places = np.unique(rng.integers(0, SIDE, 40))
    edges = rng.integers(0, len(places), (2, 90))
    A = Matrix.from_coo(*places[edges], True, nrows=SIDE, ncols=SIDE, device=device)
    small = Matrix.from_coo(*edges, True, nrows=len(places), ncols=len(places))
    found = []
    for graph, source in ((A, int(places[0])), (small, 0)):
        q = Vector.from_coo([source], True, size=graph.nrows, device=graph.device)
        v = Vector(int, graph.nrows, device=graph.device)
        level = 0
        while q.nvals:
            v(q.S) << level
            q(~v.S, replace=True) << semiring.any_pair(q @ graph)
            level += 1
        found.append(v.to_dict())
    assert found[0] == {int(places[i]): level for i, level in found[1].items()}
    assert len(found[0]) > 10


@pytest.mark.parametrize(
    "attempt",
    [
        lambda A: A.to_csr(),
        lambda A: A.to_scipy(),
        lambda A: A.to_dense(0),
        lambda A: A.to_networkx(),
        lambda A: A[:, 5] << 3,
        lambda A: A(~A.S) << 3,
    ],
)
def test_what_needs_an_array_over_all_rows(device: str, attempt: Any) -> None:
    A = five(device)
    with pytest.raises(OutOfMemory, match="bytes"):
        attempt(A)
    assert A.isequal(five(device))


def test_scipy_takes_coordinates(device: str) -> None:
    made = five(device).to_scipy("coo")
    assert (made.shape, made.nnz) == ((SIDE, SIDE), 5)


def test_repetitions_are_named() -> None:
    with pytest.raises(InvalidValue, match=rf"position \(7, {2**39}\) occurs twice"):
        Matrix.from_coo([7, 5, 7], [2**39, 1, 2**39], [1, 2, 3], nrows=SIDE, ncols=SIDE)


@pytest.mark.parametrize("suffix", [".mtx", ".txt", ".npz"])
def test_files(device: str, suffix: str, tmp_path: Path) -> None:
    """Written as any matrix is; what is read numbers the vertices, lest one odd id be the cause."""
    A = five(device)
    sb.write(tmp_path / f"five{suffix}", A)
    back, labels = sb.read(tmp_path / f"five{suffix}", compact=True)
    rows, columns, values = back.to_coo()
    labels = labels - (suffix == ".mtx")  # whose ids begin with 1
    assert sorted(zip(labels[rows], labels[columns], values, strict=True)) == sorted(
        zip(*FIVE, strict=True)
    )
