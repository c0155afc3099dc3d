"""What is written into few places of a matrix waits beside its storage: nobody can tell by results.

Programs that mix writes and reads run on an engine and on the reference, which keeps nothing back.
"""

from __future__ import annotations

import pickle
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from random import Random
from typing import Any

import numpy as np
import pytest

import spbfs as sb

TYPES = ("BOOL", "INT8", "UINT8", "INT64", "UINT64", "FP32", "FP64")
#: rows, columns, entries: small, with a row that has many, of few entries in a long or wide one.
SHAPES = {
    "small": (6, 5, 12),
    "square": (40, 40, 400),
    "tall": (300, 4, 300),
    "wide": (5, 900, 99),
    "hypersparse": (1 << 40, 1 << 40, 30),
}
HUGE = 1 << 20
ACCUMULATORS = ("plus", "min", "second", "minus", "first")


def some_of(size: int) -> Any:
    """Indices to draw from: all of them, or few enough to be met again."""
    if size < HUGE:
        return range(size)
    return [0, 1, 2, 3, 77, 899, size // 3, size // 2, size - 2, size - 1]


def entries(draw: Random, nrows: int, ncols: int, count: int, dtype: str) -> sb.Matrix:
    """So many entries or fewer, most rows short; values are all one every third time."""
    rows, columns = some_of(nrows), some_of(ncols)
    places = {(draw.choice(rows), draw.choice(columns)) for _ in range(count)}
    places |= {(nrows // 2, j) for j in range(0, min(ncols, 900), 2)}
    values = [1] * len(places) if draw.random() < 0.3 else [draw.randrange(5) for _ in places]
    rows, columns = zip(*sorted(places), strict=True)
    return sb.Matrix.from_coo(rows, columns, values, dtype, nrows=nrows, ncols=ncols)


def vector(draw: Random, size: int, dtype: str) -> sb.Vector:
    share = draw.choice((0.0, 0.1, 0.5, 1.0))
    places = [i for i in some_of(size) if draw.random() < share]
    values = [draw.randrange(-2, 5) if dtype[0] != "U" else draw.randrange(5) for _ in places]
    return sb.Vector.from_coo(places, values, dtype, size=size)


class Writer:
    """Writes statements about a matrix `C` and what is named beside it."""

    def __init__(self, seed: int, shape: str) -> None:
        self.draw = draw = Random(f"{seed} {shape}")
        self.nrows, self.ncols, count = SHAPES[shape]
        dtype, other = draw.choice(TYPES), draw.choice(TYPES)
        kinds = "INT8", "BOOL", dtype, other
        self.given: dict[str, Any] = {
            "C": entries(draw, self.nrows, self.ncols, count, dtype),
            "M": entries(draw, self.nrows, self.ncols, count, draw.choice(kinds)),
            "v": vector(draw, self.ncols, draw.choice(kinds)),
            "u": vector(draw, self.nrows, draw.choice(kinds)),
            "mv": vector(draw, self.ncols, draw.choice(kinds)),
            "mu": vector(draw, self.nrows, draw.choice(kinds)),
            "P": entries(draw, 2, 3, 3, draw.choice(kinds)),
            "N": entries(draw, 2, 3, 3, draw.choice(kinds)),
        }

    def number(self) -> str:
        return self.draw.choice(("0", "1", "3", "2.5", "-1", "True", "sb.Scalar(int)"))

    def rows(self, count: int) -> list[int]:
        return self.draw.sample(some_of(self.nrows), count)

    def columns(self, count: int) -> list[int]:
        return self.draw.sample(some_of(self.ncols), count)

    def options(self, parent: str) -> str:
        words = []
        if self.draw.random() < 0.5:
            kind = self.draw.choice("SV")
            words.append(f"{self.draw.choice(('', '~'))}{parent}.{kind}")
            if self.draw.random() < 0.3:
                words.append("sb.replace")
        if self.draw.random() < 0.4:
            words.append(f"sb.binary.{self.draw.choice(ACCUMULATORS)}")
        return f"({', '.join(words)})" if words else ""

    def write(self) -> str:
        (i,), (j,) = self.rows(1), self.columns(1)
        some, cols = self.rows(2), self.columns(3)
        before, x = self.options("M"), self.number()
        twice = [*cols[:2], cols[0]]
        number = x if x != "sb.Scalar(int)" else "7"
        # A number has no room everywhere.
        all_of_it = "v" if self.ncols > HUGE else number
        diagonal = "u" if self.ncols > HUGE else number
        k = 0 if self.ncols > HUGE else self.draw.choice((0, 1, -1))
        return self.draw.choice(
            (
                f"C[{i}, {j}] = {x}",
                f"C[{i}, {j}] = {x}",
                f"del C[{i}, {j}]",
                f"C[{i}, {j}] << {number}",
                f"C[{i}, {j}](sb.binary.{self.draw.choice(ACCUMULATORS)}) << {number}",
                f"C{before}[{i}, {j}] << {number}",
                f"C{before}[{i}, :] << v",
                f"C{self.options('mv')}[{i}, :] << v",
                f"C{self.options('mv')}[{i}, {cols}] << {x}",
                f"C[{i}, :]{self.options('mv')} << v",
                f"C[{i}, :]{self.options('mv')} << {all_of_it}",
                f"C{self.options('mu')}[:, {j}] << u",
                f"C[:, {j}]{self.options('mu')} << u",
                f"C[{some}, {j}] << {x}",
                f"C{before}[{some}, {cols}] << P",
                f"C[{some}, {cols}]{self.options('N')} << P",
                f"C[{some}, {cols}] << {x}",
                f"C[{some}, {twice}] << P",
                f"C[{some}, :] << M[{some}, :]",
                f"C{before}[:, {cols}] << M[:, {cols[::-1]}]",
                f"C[:, {cols[:2]}](M[:, {cols[1:]}].new().V) << M[:, {cols[:2]}]",
                f"C(M.S)[:, {cols}] << {number}",
                f"C[{i}, :] << C[{some[0]}, :]",
                f"C.setdiag({diagonal}, {k})",
                "C[:, 0](C[:, 1].new().S) << 2",
            )
        )

    def read(self) -> str:
        (i,), (j,) = self.rows(1), self.columns(1)
        return self.draw.choice(
            (
                f"C[{i}, {j}].new().value",
                f"C.get({i}, {j})",
                f"({i}, {j}) in C",
                f"C.T[{j}, {i}].new().value",
                "C.nvals",
                "C.dup()",
                f"C[{i}, :].new()",
                "C.T.new()",
                "sb.semiring.min_first(C @ v).new()",
                "C.select(C.V).new()",
                "pickle.loads(pickle.dumps(C))",
            )
        )


def content(x: Any) -> Any:
    if isinstance(x, sb.Matrix | sb.Vector):
        *places, values = x.to_coo()
        return [p.tolist() for p in places], values.tolist(), x.dtype.name
    return x if x is None else (float(x), type(x).__name__)


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("seed", range(40))
def test_programs_of_writes_and_reads(seed: int, shape: str, device: str) -> None:
    if device == "reference":
        pytest.skip("it judges")
    writer = Writer(seed, shape)
    sides = [
        {k: x.dup().to(where) for k, x in writer.given.items()} | {"sb": sb, "pickle": pickle}
        for where in (device, "reference")
    ]
    text: list[str] = []
    for _ in range(25):
        is_read = writer.draw.random() < 0.3
        statement = writer.read() if is_read else writer.write()
        text.append(statement)
        if is_read:
            ours, theirs = (content(eval(statement, side)) for side in sides)
            assert ours == theirs, "\n".join(text)
        else:
            for side in sides:
                exec(statement, side)
    ours, theirs = (content(side["C"]) for side in sides)
    assert ours == theirs, "\n".join(text)


def dense(n: int, device: str, side: int | None = None) -> sb.Matrix:
    """A matrix with three entries in each of some rows; all of them, unless it has longer sides."""
    i = np.arange(n)
    rows, columns = np.tile(i, 3), np.concatenate([i, (i + 1) % n, (i + 7) % n])
    side = n if side is None else side
    return sb.Matrix.from_coo(rows, columns, 1.0 + rows, nrows=side, ncols=side).to(device)


@pytest.fixture
def merges(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The number of a matrix each time that what waits for it goes into its storage."""
    seen: list[int] = []
    apply = sb.Matrix._apply_pending

    def counted(C: sb.Matrix) -> None:
        seen.append(id(C))
        apply(C)

    monkeypatch.setattr(sb.Matrix, "_apply_pending", counted)
    return seen


def two_columns(C: sb.Matrix, i: int) -> sb.Matrix:
    """One entry in two columns, as long as those of a matrix."""
    return sb.Matrix.from_coo([i], [1], 5.0, nrows=C.nrows, ncols=2, device=C.device)


LOOPS: dict[str, Callable[[sb.Matrix, int, sb.Vector], Any]] = {
    "an element": lambda C, i, v: C.__setitem__((i, 3), i),
    "an element, read": lambda C, i, v: (C.__setitem__((i, 3), i), C[i, 3].new(), C.get(i, 4)),
    "deleted": lambda C, i, v: C.__delitem__((i, i)),
    "a row": lambda C, i, v: C[i, :] << v,
    "a row, read": lambda C, i, v: (C[i, :] << v, C[i, 5].new().value, (i, 9) in C),
    "summed": lambda C, i, v: C[i, :](sb.binary.plus) << v,
    "an element, summed": lambda C, i, v: C[i, i](sb.binary.plus) << 1,
    "a column": lambda C, i, v: C[:, i] << v,
    "columns": lambda C, i, v: C[:, [i, i + 2]] << two_columns(C, i),
    "a block": lambda C, i, v: C[[i, i + 1], [i, i + 2]] << 3,
    "masked": lambda C, i, v: C(v.S)[i, :] << 3,
    "masked, replaced": lambda C, i, v: C[i, :](v.S, sb.replace) << 3,
}


@pytest.mark.parametrize("side", [500, 1 << 40])
@pytest.mark.parametrize("loop", LOOPS)
def test_a_loop_of_writes_merges_once(loop: str, side: int, merges: list[int]) -> None:
    C, written = (dense(500, where, side) for where in ("cpu", "reference"))
    u = sb.Vector.from_coo([2, 5], [1.0, 2.0], size=side)
    storage, v = C._ready(), u.to("reference")
    for i in range(0, 120, 3):
        LOOPS[loop](C, i, u)
        if "read" not in loop:
            LOOPS[loop](written, i, v)
    assert C._data is storage
    assert id(C) not in merges
    if "read" not in loop:
        assert C.to("reference").isequal(written)
        assert merges.count(id(C)) == 1


@pytest.mark.parametrize("nvals", [3, 60, 100])
def test_elements_of_vectors_are_read_beside_what_waits(nvals: int, device: str) -> None:
    u = sb.Vector.from_coo(np.arange(nvals), np.arange(nvals) % 7, "INT8", size=100).to(device)
    u.wait()
    expected = u.to_dict()
    storage = u._data
    for i in range(0, 90, 9):
        u[i] = expected[i] = i
        del u[i + 2]
        expected.pop(i + 2, None)
        for j in (i, i + 2, 1):
            assert u.get(j) == u[j].new().value == expected.get(j)
        assert (i + 1 in u) is (i + 1 in expected)
    assert u._data is storage
    assert u.to_dict() == expected


@pytest.mark.parametrize("many", [3, 40])
def test_entries_are_counted_with_what_waits(many: int, device: str) -> None:
    C = dense(60, device)
    for i in range(many):
        C[i, i] = 5  # is there
        C[i, i + 3] = 5  # is not
        del C[i, i + 1], C[i, i + 4]  # one of them is
        assert C.nvals == 180
    C[0, 3] = sb.Scalar(float)
    assert C.nvals == len(C.to_coo()[0]) == 179


def test_other_values_in_the_same_places_are_written_in_place() -> None:
    C = dense(50, "cpu")
    C[3, 3] = 7
    C.wait()  # values of its own from here on
    held, values = C._data.indices, C._data.values
    address = values.ctypes.data
    del values
    C[3, 4], C[5, 5] = 8, 9
    C.wait()
    assert C._data.indices is held
    assert C._data.values.ctypes.data == address
    assert (C.get(3, 3), C.get(3, 4), C.get(5, 5)) == (7, 8, 9)


HOLDERS: dict[str, Callable[[sb.Matrix], Callable[[], Any]]] = {
    "a copy": lambda C: C.dup().to_dicts,
    "another that it was written over": lambda C: written_over(C).to_dicts,
    "the transpose": lambda C: C.T.new().to_dicts,
    "arrays": lambda C: partial(listed, *C.to_csr()),
    "SciPy": lambda C: partial(listed, C.to_scipy().data),
    "a diagonal": lambda C: C.diag().to_dict,
    "a cast": lambda C: C.dup("FP64").to_dicts,
    "a mask": lambda C: C.S.new().to_dicts,
}


def listed(*arrays: Any) -> list[Any]:
    return [a.tolist() for a in arrays]


def written_over(C: sb.Matrix) -> sb.Matrix:
    other = sb.Matrix(C.dtype, *C.shape)
    other << C
    return other


@pytest.mark.parametrize("holder", HOLDERS)
def test_who_holds_what_was_there_sees_no_change(holder: str, device: str) -> None:
    C = dense(20, device)
    C[1, 1] = 5
    C.wait()
    C[2, 2] = 6
    C.wait()
    look = HOLDERS[holder](C)
    before = look()
    C[2, 2] = 60
    C[3, :] << 4
    C.wait()
    assert look() == before
    assert C.get(2, 2) == 60


def test_what_is_derived_follows_values(device: str) -> None:
    C, v = dense(30, device), sb.Vector.from_dense(np.ones(30)).to(device)
    for x in (2.0, 3.0, 4.0):
        C[4, 4] = x
        row = C[4, :].new().reduce().new().value
        assert sb.semiring.plus_times(C @ v).new().get(4) == row
        assert sb.semiring.plus_times(C.T @ v).new().get(4) == C[:, 4].new().reduce().new().value
        assert C.T.new().get(4, 4) == x
        assert sb.semiring.max_second(v @ C).new().get(4) == C[:, 4].new().reduce("max").new().value


@pytest.mark.parametrize("n", [1 << 40, 100])
def test_hypersparse_matrices(n: int, device: str) -> None:
    C = sb.Matrix.from_coo([0, n - 1], [n - 1, 3], [1, 2], nrows=n, ncols=n).to(device)
    C[n // 2, 5] = 7
    del C[n - 1, 3]
    C[1, :] << sb.Vector.from_coo([n - 2], [9], size=n).to(device)
    C[[2, 4], [n - 1, 6]] << 8
    C(sb.Vector.from_coo([1], True, size=n).to(device).S)[:, n - 1] << 3
    C.setdiag(sb.Vector.from_coo([2], [4], size=n).to(device))
    assert C.to_dicts() == {
        0: {n - 1: 1},
        1: {n - 2: 9, n - 1: 3},
        2: {2: 4, 6: 8, n - 1: 8},
        4: {6: 8, n - 1: 8},
        n // 2: {5: 7},
    }


def test_matrices_of_one_value_stay_so() -> None:
    C = sb.Matrix.from_coo([0, 1, 2], [1, 2, 0], True, nrows=9, ncols=9)
    C[4, 4] = True
    C[0, :] << sb.Vector.from_coo([3, 5], True, size=9)
    assert C.nvals == 5
    assert C._data.values.strides == (0,)
    C[4, 4] = False
    assert C.to_dicts() == {0: {3: True, 5: True}, 1: {2: True}, 2: {0: True}, 4: {4: False}}


def test_threads_read_what_waits() -> None:
    C, written = dense(500, "cpu"), dense(500, "reference")
    for i in range(200):
        C[i, (3 * i) % 500] = written[i, (3 * i) % 500] = i
    with ThreadPoolExecutor(8) as pool:
        sums = set(pool.map(lambda _: C.reduce_scalar().new().value, range(32)))
    assert sums == {written.reduce_scalar().new().value}
