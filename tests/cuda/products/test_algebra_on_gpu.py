"""What only the CUDA engine has: hubs, streams, memory that runs out, arrays of other libraries."""

from __future__ import annotations

import re
import sys
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp
from gpu import cp, held_bytes, refusal

import spbfs as sb
from spbfs import Matrix, Vector, binary, monoid, replace, semiring
from spbfs.exceptions import DeviceMismatch, IndexOutOfBound, OutOfMemory

#: Longer than what a warp sums alone, and than what one CTA takes at a time.
HUB = 20_000


def _hubs(dtype: Any) -> Matrix:
    """Rows and columns of 20,000 entries among short ones; values are small and exact."""
    rng = np.random.default_rng(11)
    few = rng.integers(0, HUB, (2, 3 * HUB))
    all_of_them = np.arange(HUB)
    rows = np.concatenate([few[0], np.full(HUB, 5), all_of_them, np.full(HUB // 4, 77)])
    cols = np.concatenate([few[1], all_of_them, np.full(HUB, 9), all_of_them[::4]])
    values = rng.integers(0, 2 if dtype is bool else 5, len(rows)).astype(dtype)
    return Matrix.from_coo(rows, cols, values, nrows=HUB, ncols=HUB, dup_op=binary.first)


@pytest.mark.parametrize("direction", ["push", "pull"])
@pytest.mark.parametrize(
    ("name", "dtype"),
    [
        ("plus_times", np.float64),
        ("plus_times", np.int16),
        ("min_plus", np.float32),
        ("max_second", np.int64),
        ("lor_land", bool),
        ("lxor_first", bool),
        ("times_pair", np.uint8),
        ("min_secondi", np.int64),
    ],
)
def test_hubs_are_shared_by_the_grid(name: str, dtype: Any, direction: str) -> None:
    A = _hubs(dtype)
    rng = np.random.default_rng(3)
    member = rng.random(HUB) < 0.5
    member[5] = True
    values = rng.integers(0, 2 if dtype is bool else 4, HUB).astype(dtype)
    u = Vector.from_coo(np.flatnonzero(member), values[member], size=HUB)
    mask = Vector.from_coo(np.arange(0, HUB, 3), True, size=HUB)
    op = getattr(semiring, name)
    C, v, m = A.to("cuda"), u.to("cuda"), mask.to("cuda")
    for given, ours in ((op(u @ A), op(v @ C)), (op(A @ u), op(C @ v))):
        wanted, got = Vector(given.dtype, HUB), Vector(given.dtype, HUB)
        wanted(~mask.S, replace) << given
        got(~m.S, replace, direction=direction) << ours
        assert got.to("cpu").isequal(wanted, check_dtype=True)
    pattern = semiring.any_pair(v @ C).new(direction=direction)
    assert pattern.to("cpu").isequal(semiring.any_pair(u @ A).new())


def test_sums_of_long_rows_and_of_everything() -> None:
    A = _hubs(np.int64)
    C = A.to("cuda")
    for name in ("plus", "min", "max", "times", "any"):
        op = getattr(monoid, name)
        ours, wanted = C.reduce_rowwise(op).new().to("cpu"), A.reduce_rowwise(op).new()
        if name == "any":
            ours, wanted = (v.apply("one").new() for v in (ours, wanted))
        assert ours.isequal(wanted)
    assert C.reduce_scalar(monoid.plus).value == A.reduce_scalar(monoid.plus).value
    full = Vector.from_dense(np.arange(3_000_000, dtype=np.int64)).to("cuda")
    assert full.reduce(monoid.max).new().value == 2_999_999
    assert full.reduce(monoid.plus).new().value == 3_000_000 * 2_999_999 // 2


def test_the_product_of_matrices_with_hubs() -> None:
    A = _hubs(np.int64)
    few = A.select("rowle", 200).new()
    C, D = A.to("cuda"), few.to("cuda")
    for op in (semiring.plus_times, semiring.any_pair, semiring.max_first):
        got, wanted = op(D @ C).new(mask=D.S), op(few @ A).new(mask=few.S)
        assert got.to("cpu").isequal(wanted)


@pytest.mark.parametrize(
    ("name", "dtype"),
    [
        ("plus_pair", np.int64),
        ("plus_times", np.float64),
        ("plus_minus", np.int32),
        ("min_first", np.float32),
        ("max_second", np.uint8),
        ("any_pair", bool),
        ("any_firsti", np.int64),
        ("max_firstj", np.int64),
        ("min_secondj", np.int64),
        ("lxor_land", bool),
    ],
)
@pytest.mark.parametrize("by", ["halves", "members", "members in ranges"])
def test_products_with_a_known_transpose_are_dots_under_a_mask(
    name: str, dtype: Any, by: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("spbfs.engines.cuda.products.mxm._MANY", 0)
    if by != "halves":
        # Those of few look-ups are left to the other kernel, and hubs are shared.
        for constant, value in (("LEAST", 20), ("A_MEMBER", 0), ("MOST", 70)):
            monkeypatch.setattr(f"spbfs.engines.cuda.products.dots._{constant}", value)
    if by == "members in ranges":
        ranges = ("spbfs.engines.cuda.products.dots._ranges", lambda columns: (32, 2))
        monkeypatch.setattr(*ranges)
    rng = np.random.default_rng(4)
    n, few, many = 700, 50, 4000
    rows = np.r_[rng.integers(0, n, many), np.full(n, 7), np.arange(n)]
    cols = np.r_[rng.integers(0, few, many), np.arange(n) % few, np.full(n, 9)]
    values = rng.integers(0, 2 if dtype is bool else 5, rows.size).astype(dtype)
    A = Matrix.from_coo(rows, cols, values, nrows=n, ncols=few, dup_op=binary.first)
    B = Matrix.from_coo(rows[::3], cols[::3], values[::3], nrows=n, ncols=few, dup_op=binary.first)
    pairs = rng.integers(0, n, (2, 300))
    places = np.r_[pairs[0], 7, np.full(n, 7)], np.r_[pairs[1], 7, np.arange(n)]
    P = Matrix.from_coo(*places, True, nrows=n, ncols=n)
    op = getattr(semiring, name)
    C, D = A.to("cuda"), B.to("cuda")
    with sb.trace() as steps:
        found = op(C @ D.T).new(mask=P.to("cuda").S)
    kernel = "mxm dots" if by == "halves" else "mxm members"
    assert kernel in [step.get("kernel") for step in steps]
    assert found.to("cpu").isequal(op(A @ B.T).new(mask=P.S), check_dtype=True)


def test_long_rows_among_too_many_columns_are_spelled_out(monkeypatch: pytest.MonkeyPatch) -> None:
    """A row of 9,000 products, with bits for its columns and without; shorter ones are sorted."""
    inner = np.arange(9000)
    A = Matrix.from_coo(np.repeat([0, 1], [9000, 4000]), np.r_[inner, inner[:4000]], 3)
    B = Matrix.from_coo(inner, inner % 70, inner % 5)
    wanted, C, D = semiring.plus_times(A @ B).new(), A.to("cuda"), B.to("cuda")
    for ranges, kernel in ((64, "mxm rows"), (0, "mxm expand")):
        monkeypatch.setattr("spbfs.engines.cuda.products.by_rows._MOST_RANGES", ranges)
        for left, is_long in ((C, True), (C[[1], :].new(), False)):
            with sb.trace() as steps:
                found = semiring.plus_times(left @ D).new()
            told = kernel if is_long else "mxm rows"
            assert told in [step.get("kernel") for step in steps]
            assert found.to("cpu").isequal(wanted if is_long else wanted[[1], :].new())


@pytest.mark.parametrize("name", ["plus_times", "any_pair"])
@pytest.mark.parametrize("ncols", [70, 1 << 21])
def test_rows_are_counted_first_where_memory_is_short(
    name: str, ncols: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Rows of every length that is sorted, and keys of both widths."""
    rng = np.random.default_rng(3)
    sizes = [0, 1, 8, 9, 100, 300, 500, 900, 0, 40]
    inner = np.concatenate([rng.choice(1000, size, replace=False) for size in sizes])
    A = Matrix.from_coo(np.repeat(np.arange(10), sizes), inner, 3, nrows=10, ncols=1000)
    B = Matrix.from_coo(np.arange(1000), rng.integers(0, ncols, 1000), 2, ncols=ncols)
    op = getattr(semiring, name)
    wanted, asked = op(A @ B).new(), []
    for room in (True, False):
        monkeypatch.setattr(
            "spbfs.engines.cuda.products.by_rows.has_room", lambda n, r=room: asked.append(n) or r
        )
        found = op(A.to("cuda") @ B.to("cuda")).new()
        assert found.to("cpu").isequal(wanted, check_dtype=True)
    assert len(asked) == 2 and asked[0] == asked[1] > 0


def test_work_runs_on_the_current_stream() -> None:
    A = sb.generate.kronecker(12, seed=5).to("cuda")
    wanted = sb.bfs(A, 1).levels.to_dict()
    with cp.cuda.Stream(non_blocking=True):
        q, levels = Vector(bool, A.nrows), Vector(int, A.nrows)
        q[1] = True
        depth = 0
        while q.nvals:
            levels(q.S) << depth
            q(~levels.S, replace) << semiring.any_pair(q @ A)
            depth += 1
        assert levels.to_dict() == wanted


def test_counts_are_found_after_their_box_was_used_again() -> None:
    A = sb.generate.path(8).to("cuda")
    q = Vector.from_coo([3], True, size=8).to("cuda")
    first = semiring.any_pair(q @ A).new()
    for _ in range(1500):
        semiring.any_pair(q @ A).new()
    assert first.nvals == 2


def test_memory_that_runs_out_is_an_error_with_both_numbers() -> None:
    pool = cp.get_default_memory_pool()
    A = sb.generate.kronecker(14, seed=1).to("cuda")
    pool.set_limit(held_bytes() + (8 << 20))
    try:
        with pytest.raises(OutOfMemory, match=r"[\d,]+ bytes"):
            semiring.plus_pair(A @ A).new()
    finally:
        pool.set_limit(0)
    assert semiring.any_pair(Vector.from_coo([0], True, size=A.nrows).to("cuda") @ A).new().nvals


def test_whatever_does_not_fit_is_refused_in_our_own_terms() -> None:
    host = sb.generate.kronecker(14, seed=1)
    A, arrays, n = host.to("cuda"), host.to_csr(), host.nrows
    attempts: dict[str, Any] = {
        "transfer": lambda: host.to("cuda"),
        "rows": lambda: Matrix.from_csr(*arrays, ncols=n, device="cuda"),
        "entries": lambda: Matrix.from_coo(*host.to_coo(), nrows=n, ncols=n, device="cuda"),
        "dense": lambda: Vector.from_dense(np.arange(1 << 22), device="cuda"),
        "export": lambda: A.to_coo(device="cuda"),
    }
    for name, attempt in attempts.items():
        error = refusal(attempt, 4096)
        assert error is not None, name
        assert re.search(r"[\d,]+ bytes", str(error))
    assert attempts["transfer"]().isequal(A)


def test_arrays_on_the_gpu_are_taken_over_without_a_copy() -> None:
    from cupyx.scipy import sparse

    S = sparse.random(300, 200, 0.05, "csr", dtype=np.float32, random_state=1)
    S.sort_indices()
    A = Matrix.from_scipy(S)
    assert A.device == "cuda"
    data = A._ready()
    assert data.indices.data.ptr == S.indices.data.ptr
    assert data.values.data.ptr == S.data.data.ptr
    assert (A.to_dense(0) == cp.asnumpy(S.toarray())).all()
    rows, cols, values = A.to_coo(device="cuda")
    B = Matrix.from_coo(rows, cols, values, nrows=300, ncols=200)
    assert B.device == "cuda"
    assert B.isequal(A)


def test_dense_arrays_on_the_gpu_become_vectors_and_matrices_there() -> None:
    v = Vector.from_dense(cp.asarray([5, 0, 7], np.int16), missing_value=0)
    assert (v.device, v.dtype, v.to_dict()) == ("cuda", "INT16", {0: 5, 2: 7})
    v << cp.arange(3)
    assert v.to_dict() == {0: 0, 1: 1, 2: 2}
    v[1:] = cp.asarray([4, 5])
    assert v.to_dict() == {0: 0, 1: 4, 2: 5}
    A = Matrix.from_dense(cp.asarray([[0, 5], [7, 0]]).T, missing_value=0)
    assert (A.device, A.to_dicts()) == ("cuda", {0: {1: 7}, 1: {0: 5}})


def test_indices_may_be_on_the_gpu() -> None:
    host = Vector.from_dense(np.arange(10, 20))
    v = host.to("cuda")
    some = np.array([7, -1, 2], np.int32)
    assert v[cp.asarray(some)].new().to_dict() == host[some].new().to_dict()
    flags = host.to_dense() % 3 == 0
    for w, where in ((host, flags), (v, cp.asarray(flags))):
        w[where] = 5
    assert v.to_dict() == host.to_dict()
    mask = Vector.from_coo([1, 4], [True, False], size=10)
    for mine in (mask.S, ~mask.V):
        other = mask.to("cuda")
        theirs = other.S if mine.structural else ~other.V
        assert v.dup(mask=theirs).to_dict() == host.dup(mask=mine).to_dict()
    A = Matrix.from_coo([0, 1, 2], [2, 1, 0], [1, 2, 3]).to("cuda")
    assert A[cp.asarray([2, 0]), [0, 2]].new().to_dicts() == {0: {0: 3}, 1: {1: 1}}
    with pytest.raises(IndexOutOfBound, match=r"index.*10"):
        v[cp.asarray([3, 10])]
    v[cp.asarray([3, 3])] = [1, 2]
    assert v[3].new().value == 2
    v.resize(3)
    A.resize(2, 2)
    assert (len(v.to_dict()), A.to_dicts()) == (3, {1: {1: 2}})


def test_a_full_vector_is_an_array_of_other_libraries() -> None:
    v = Vector.from_coo(cp.arange(9), cp.arange(9.0))
    assert cp.asarray(v).data.ptr == cp.from_dlpack(v).data.ptr == v._ready().values.data.ptr
    assert not hasattr(Vector(int, 3).to("cuda"), "__cuda_array_interface__")


def test_what_is_written_to_a_shared_array_changes_no_other_vector() -> None:
    v, w = (Vector.from_scalar(7, 9, device="cuda") for _ in range(2))
    shared = cp.asarray(v)
    shared[0] = 3
    assert v.to_coo()[1].tolist() == [3, *8 * [7]]
    assert w.to_coo()[1].tolist() == 9 * [7]


def _spread(array: Any, dtype: Any) -> Any:
    """The same elements, every third of an array on the GPU."""
    room = cp.zeros(3 * len(array), dtype)
    room[::3] = cp.asarray(array.astype(dtype))
    return room[::3]


@pytest.mark.parametrize("view", [_spread, lambda a, t: cp.asarray(a[::-1].astype(t))[::-1]])
def test_views_are_read_as_they_are_seen(view: Any) -> None:
    A = Matrix.from_coo([0, 1, 1, 2, 3], [1, 2, 3, 3, 0], [3, 1, 4, 1, 5], nrows=4, ncols=4)
    indptr, indices, values = A.to_csr()
    arrays = view(indptr, np.int32), view(indices, np.int32), view(values, np.int64)
    B = Matrix.from_csr(*arrays, ncols=4)
    v = Vector.from_coo(view(np.arange(4), np.int64), view(values[:4], np.int64), size=4)
    assert B.to("cpu").isequal(A)
    assert semiring.plus_times(B @ v).new().to_dict() == {0: 3, 1: 8, 2: 1, 3: 15}
    assert sb.bfs(B, 0).levels.to_dict() == {0: 0, 1: 1, 2: 2, 3: 2}


def test_threads_that_make_constants_at_once_make_their_own() -> None:
    def make(first: int) -> bool:
        vectors = [Vector.from_scalar(first + i, 1, device="cuda") for i in range(100)]
        return all(v.to_coo()[1][0] == first + i for i, v in enumerate(vectors))

    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        with ThreadPoolExecutor(8) as pool:
            assert all(pool.map(make, range(10**6, 10**6 + 8000, 1000)))
    finally:
        sys.setswitchinterval(interval)


def test_an_array_on_the_wrong_side_is_refused_by_name() -> None:
    on_gpu = cp.arange(3)
    with pytest.raises(DeviceMismatch, match="indices"):
        Vector.from_coo(on_gpu, 1, size=5, device="cpu")
    with pytest.raises(DeviceMismatch, match="rows"):
        Matrix.from_coo(on_gpu, [0, 1, 2], True, nrows=5, ncols=5, device="cpu")
    v = Vector(int, 5)
    with pytest.raises(DeviceMismatch, match="index"):
        v[on_gpu] = 1
    with pytest.raises(DeviceMismatch, match="value"):
        v << cp.arange(5)


def _long_and_short(n: int) -> sp.csr_array:
    """So many short rows that a warp takes several batches of them in a run; and hubs."""
    rng = np.random.default_rng(6)
    near = sp.diags_array([1.0] * 3, offsets=[-2, 0, 1], shape=(n, n)).tocoo()
    hubs = np.repeat([7, n // 2, n - 1], 5000)
    at = (
        np.concatenate([near.coords[0], hubs]),
        np.concatenate([near.coords[1], rng.integers(0, n, hubs.size)]),
    )
    S = sp.coo_array((np.ones(at[0].size), at), (n, n)).tocsr()
    S.data = rng.integers(1, 9, S.nnz).astype(float)
    return S


@pytest.mark.parametrize("masked", [False, True])
@pytest.mark.parametrize("stored", [1.0, 0.2])
def test_short_rows_in_runs_and_hubs_among_them(stored: float, masked: bool) -> None:
    S, rng = _long_and_short(100_000), np.random.default_rng(7)
    n = S.shape[0]
    x = np.where(rng.random(n) < stored, rng.integers(1, 9, n), 0).astype(float)
    admitted = rng.random(n) < 0.1 if masked else np.ones(n, bool)
    v = sb.Vector.from_coo(np.flatnonzero(x), x[x != 0], size=n, device="cuda")
    mask = sb.Vector.from_coo(np.flatnonzero(admitted), True, size=n, device="cuda")
    y = sb.Vector(float, n, device="cuda")
    A = sb.Matrix.from_scipy(S, device="cuda")
    y(mask.S, direction="pull") << sb.semiring.plus_times(A @ v)
    np.testing.assert_array_equal(y.to("cpu").to_dense(0), np.where(admitted, S @ x, 0))


def test_pagerank_of_short_rows_and_hubs() -> None:
    A = sb.Matrix.from_scipy(_long_and_short(100_000))
    found, again = (sb.pagerank(A.to("cuda")).to("cpu").to_dense() for _ in range(2))
    np.testing.assert_array_equal(found, again)
    np.testing.assert_allclose(found, sb.pagerank(A).to_dense(), rtol=1e-4)
