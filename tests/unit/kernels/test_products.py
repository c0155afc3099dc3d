"""The product kernels of the CPU engine against the definition, entry by entry."""

from __future__ import annotations

import itertools
import os
import subprocess
import sys

import numpy as np
import pytest
from product_cases import (
    ENGINE,
    Cells,
    cells_of,
    check,
    masks,
    multiplied,
    products,
    random_matrix,
    random_vector,
    resolved,
)

from spbfs.engines.cpu.graph.transpose import transposed
from spbfs.engines.cpu.operators.codes import kernel_codes
from spbfs.engines.cpu.products import mxm as cpu_mxm
from spbfs.engines.protocol import Hints, MaskData
from spbfs.engines.specialise import product_key
from spbfs.operators.definitions import BinaryOp, Monoid, Semiring, TypedSemiring
from spbfs.operators.dtypes import BOOL, FP32, FP64, INT8, INT64, UINT64
from spbfs.operators.rules import same
from spbfs.operators.tables.builtin import BINARY, MONOID, SEMIRING
from spbfs.planner import many as planner_many
from spbfs.planner import products as planner
from spbfs.storage.data import MatrixData, VectorData

#: Those with kernels of their own; they meet every combination of forms and options.
HOT = (
    "any_pair any_first any_second any_firstj any_secondi any_firsti lor_land min_plus min_second "
    "min_firstj max_plus max_second plus_times plus_pair plus_first plus_second"
).split()


@pytest.fixture(params=["dense", "sorted"])
def push_way(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """Both ways of a push to collect its result, whatever the sizes."""
    monkeypatch.setattr(planner, "SORTED_EDGES", 0 if request.param == "dense" else 10**9)
    monkeypatch.setattr(planner, "SORTED_SHARE", 0.0)
    monkeypatch.setattr(planner, "SMALL_RESULT", 0)
    return str(request.param)


@pytest.mark.parametrize("name", sorted(SEMIRING))
def test_every_semiring(name: str, push_way: str) -> None:
    rng = np.random.default_rng(len(name))
    for (dtype, semiring), first, flip in itertools.product(
        resolved(name), (False, True), (False, True)
    ):
        rows, cols = 9, 7
        A = random_matrix(rng, (rows, cols), dtype, wide=int(rng.integers(3)))
        form = str(rng.choice(["list", "bitmap", "full"]))
        u = random_vector(rng, rows if flip else cols, dtype, form)
        expected = multiplied(A, u, semiring, first, flip)
        options = list(masks(rng, cols if flip else rows))
        for direction in ("push", "pull"):
            mask = options[rng.integers(len(options))]
            hints = Hints(direction, threads=int(rng.integers(1, 3)))
            w = ENGINE.mxv((A, semiring, flip, first), u, mask, hints)
            check(w, expected, semiring, mask)


@pytest.mark.parametrize("name", HOT)
@pytest.mark.parametrize("iso", [False, True])
def test_every_form_and_mask(name: str, iso: bool, push_way: str) -> None:
    rng = np.random.default_rng(len(name))
    for dtype, form in itertools.product((BOOL, INT64, FP32), ("list", "bitmap", "full")):
        if dtype not in SEMIRING[name]:
            continue
        semiring = SEMIRING[name].resolve(dtype, dtype)
        first, flip = bool(rng.integers(2)), bool(rng.integers(2))
        A = random_matrix(rng, (12, 12), dtype, iso, int(rng.integers(3)))
        u = random_vector(rng, 12, dtype, form, iso)
        expected = multiplied(A, u, semiring, first, flip)
        for mask, direction in itertools.product(masks(rng, 12), ("push", "pull", "auto")):
            w = ENGINE.mxv((A, semiring, flip, first), u, mask, Hints(direction))
            check(w, expected, semiring, mask)


def test_operands_of_different_types() -> None:
    rng = np.random.default_rng(5)
    for left, right in itertools.product((BOOL, INT8, UINT64, FP32), repeat=2):
        if left == right == BOOL:
            continue  # not defined
        semiring = SEMIRING["plus_times"].resolve(left, right)
        A, u = random_matrix(rng, (8, 8), left), random_vector(rng, 8, right, "bitmap")
        for direction in ("push", "pull"):
            w = ENGINE.mxv((A, semiring, False, False), u, None, Hints(direction))
            check(w, multiplied(A, u, semiring, False, False), semiring, None)


USER = Semiring(
    "user",
    Monoid("larger", BinaryOp("larger", same, function=lambda x, y: x if x > y else y)),
    BinaryOp("twice_plus", same, function=lambda x, y: x + 2 * y),
)
MIXED = Semiring("plus_twice_plus", MONOID["plus"], USER.binaryop)
CASTING = Semiring("lor_plus", MONOID["lor"], BINARY["plus"])


@pytest.mark.parametrize("semiring", [USER, MIXED, CASTING])
def test_semirings_that_no_kernel_has(semiring: Semiring) -> None:
    rng = np.random.default_rng(9)
    typed = TypedSemiring(
        semiring,
        semiring.monoid.resolve(INT64),
        semiring.binaryop.resolve(INT64, INT64),
    )
    assert kernel_codes(product_key(typed)) is None
    A, B = random_matrix(rng, (6, 8), INT64), random_matrix(rng, (8, 7), INT64)
    for form, first in itertools.product(("list", "bitmap", "full"), (False, True)):
        u = random_vector(rng, 8, INT64, form)
        for mask in masks(rng, 6):
            w = ENGINE.mxv((A, typed, False, first), u, mask, Hints())
            check(w, multiplied(A, u, typed, first, False), typed, mask)
    for mask in (None, MaskData(random_matrix(rng, (6, 7), BOOL), False, True)):
        C = ENGINE.mxm(A, B, typed, mask=mask, hints=Hints())
        check(C, products(cells_of(A), cells_of(B), typed), typed, mask)


@pytest.mark.parametrize("method", ["dense", "hash", "dots"])
@pytest.mark.parametrize("name", sorted(SEMIRING))
def test_every_semiring_of_matrices(
    name: str, method: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    rng = np.random.default_rng(len(name))
    for dtype, semiring in resolved(name):
        iso = bool(rng.integers(2))
        A = random_matrix(rng, (6, 9), dtype, iso, int(rng.integers(3)))
        B = random_matrix(rng, (9, 8), dtype, iso, int(rng.integers(3)))
        transposed(B)
        mask: MaskData | None = MaskData(
            random_matrix(rng, (6, 8), [BOOL, FP32][rng.integers(2)], bool(rng.integers(2))),
            bool(rng.integers(2)),
            method != "dots" and bool(rng.integers(2)),
        )
        if method != "dots" and rng.integers(3) == 0:
            mask = None
        monkeypatch.setattr(
            planner,
            "mxm_method",
            # Programs of operators look nothing up.
            lambda lookups, **_: "hash" if method == "dots" and lookups < 0 else method,
        )
        C = ENGINE.mxm(A, B, semiring, mask=mask, hints=Hints(threads=int(rng.integers(1, 3))))
        check(C, products(cells_of(A), cells_of(B), semiring), semiring, mask)


def test_empty_operands() -> None:
    semiring = SEMIRING["plus_times"].resolve(FP64, FP64)
    rng = np.random.default_rng(0)
    for rows, cols in itertools.product((0, 3), repeat=2):
        A = random_matrix(rng, (rows, cols), FP64)
        for form in ("list", "bitmap", "full"):
            u = random_vector(rng, cols, FP64, form)
            for direction in ("push", "pull", "auto"):
                w = ENGINE.mxv((A, semiring, False, False), u, None, Hints(direction))
                check(w, multiplied(A, u, semiring, False, False), semiring, None)
        C = ENGINE.mxm(A, random_matrix(rng, (cols, 2), FP64), semiring, mask=None, hints=Hints())
        assert (C.nrows, C.ncols) == (rows, 2)


@pytest.mark.parametrize("name", ["any_pair", "any_secondi", "min_plus", "plus_times", "lxor_land"])
def test_many_rows_on_many_threads(name: str) -> None:
    """Enough rows that every worker gets some; results are those of one thread."""
    rng = np.random.default_rng(3)
    n, entries = 20_000, 200_000
    keys = np.unique(rng.integers(0, n * n, entries))
    indptr = np.searchsorted(keys, np.arange(n + 1) * n)
    dtype = BOOL if name == "lxor_land" else INT64
    values = rng.integers(0, 100, len(keys)).astype(dtype.np_type)
    A = MatrixData(n, n, indptr, (keys % n).astype(np.int32), values)
    u = VectorData(n, rng.integers(0, 100, n).astype(dtype.np_type), present=rng.random(n) < 0.2)
    mask = MaskData(VectorData(n, np.True_, present=rng.random(n) < 0.3), True, True)
    mask.data.values = np.broadcast_to(np.True_, (n,))
    semiring = SEMIRING[name].resolve(dtype, dtype)

    def run(direction: str, threads: int) -> Cells:
        hints = Hints(direction, threads)
        w = ENGINE.mxv((A, semiring, True, True), u, mask, hints)
        return cells_of(w)

    alone = run("push", 1)
    assert len(alone) > n // 2
    for direction, threads in (("push", 4), ("pull", 1), ("pull", 4)):
        got = run(direction, threads)
        assert got.keys() == alone.keys()
        if name != "any_secondi":
            assert got == alone
        else:
            edges = set(zip(np.repeat(np.arange(n), np.diff(indptr)), A.indices, strict=True))
            assert all((int(k), i) in edges and u.present[k] for (i, _), k in got.items())


def test_matrix_product_on_many_threads_is_scipys() -> None:
    scipy_sparse = pytest.importorskip("scipy.sparse")
    random = np.random.RandomState(4)  # what every SciPy takes
    S = scipy_sparse.random(3000, 2000, density=0.004, format="csr", random_state=random)
    T = scipy_sparse.random(2000, 2500, density=0.004, format="csr", random_state=random)
    # No zeros: SciPy drops the products that are.
    S.data[:], T.data[:] = 1 + np.round(S.data * 8), 1 + np.round(T.data * 8)
    S.sort_indices()
    T.sort_indices()
    A = MatrixData(*S.shape, S.indptr, S.indices, S.data)
    B = MatrixData(*T.shape, T.indptr, T.indices, T.data)
    semiring = SEMIRING["plus_times"].resolve(FP64, FP64)
    for threads in (1, 4):
        C = ENGINE.mxm(A, B, semiring, mask=None, hints=Hints(threads=threads))
        expected = (S @ T).tocsr()
        expected.sort_indices()
        np.testing.assert_array_equal(C.indptr, expected.indptr)
        np.testing.assert_array_equal(C.indices, expected.indices)
        np.testing.assert_array_equal(C.values, expected.data)


def test_a_missing_transpose_is_made_when_it_has_cost_enough() -> None:
    rng = np.random.default_rng(1)
    A = random_matrix(rng, (40, 40), FP64)
    u = random_vector(rng, 40, FP64, "full")
    semiring = SEMIRING["any_second"].resolve(FP64, FP64)
    for _ in range(200):
        ENGINE.mxv((A, semiring, True, True), u, None, Hints())
        if A.derived.transpose is not None:
            break
    assert A.derived.transpose is not None


def test_hubs_change_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """Once a matrix knows its hubs, pulls that look there first find the same."""
    monkeypatch.setattr(planner, "HUBS_AFTER_PULLS", 0)
    monkeypatch.setattr(planner_many, "SKEW", 0)
    rng = np.random.default_rng(12)
    for name, wide in itertools.product(("any_pair", "any_secondi", "any_second"), range(3)):
        semiring = SEMIRING[name].resolve(INT64, INT64)
        A = random_matrix(rng, (30, 30), INT64, wide=wide)
        for form, first in itertools.product(("list", "bitmap"), (False, True)):
            if name == "any_second" and first:
                continue  # the matrix's own values: hubs say nothing of them
            u = random_vector(rng, 30, INT64, form)
            expected = multiplied(A, u, semiring, first, False)
            for mask in masks(rng, 30):
                w = ENGINE.mxv((A, semiring, False, first), u, mask, Hints("pull"))
                check(w, expected, semiring, mask)
        assert A.derived.hubs is not None


def dense_square(n: int) -> MatrixData:
    indptr = np.arange(n + 1, dtype=np.int64) * n
    indices = np.tile(np.arange(n, dtype=np.int32), n)
    return MatrixData(n, n, indptr, indices, np.broadcast_to(np.float64(1.5), (n * n,)))


def test_a_product_that_cannot_fit_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    A = dense_square(40)
    semiring = SEMIRING["plus_times"].resolve(FP64, FP64)
    asked = []
    monkeypatch.setattr(cpu_mxm, "_SMALL", 0)
    monkeypatch.setattr(cpu_mxm, "available_bytes", lambda: 0)
    monkeypatch.setattr(cpu_mxm, "require_bytes", lambda needed, what: asked.append(needed))
    ENGINE.mxm(A, A, semiring, mask=None, hints=Hints())
    # 1600 entries of four bytes of index and eight of value, twice.
    assert asked == [2 * 1600 * 12]


FORKS = """
import os
import numpy as np
from spbfs.engines.cpu.engine import CpuEngine
from spbfs.engines.protocol import Hints
from spbfs.operators.tables.builtin import SEMIRING
from spbfs.operators.dtypes import BOOL
from spbfs.storage.data import MatrixData, VectorData
n = 50_000
A = MatrixData(n, n, np.arange(n + 1), np.roll(np.arange(n, dtype=np.int32), 1), np.ones(n, bool))
u = VectorData(n, np.ones(n, bool), present=np.arange(n) % 2 == 0)
def run():
    operation = A, SEMIRING["any_pair"].resolve(BOOL, BOOL), False, False
    w = CpuEngine().mxv(operation, u, None, Hints("pull", 4))
    return CpuEngine().count(w) == n // 2
assert run()
child = os.fork()
if child == 0:
    os._exit(0 if run() else 1)
assert os.waitpid(child, 0)[1] == 0
assert run()
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system cannot fork")
def test_a_forked_child_multiplies_too() -> None:
    command = [sys.executable, "-W", "ignore", "-c", FORKS]
    subprocess.run(command, check=True, timeout=60)
