"""Matrices whose entries stay in memory of the host, where the GPU reads them."""

from __future__ import annotations

import json
import pickle
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from gpu import cp, held_bytes, refusal
from search_graphs import GRAPHS, check_search, levels_of

import spbfs as sb
from spbfs import semiring
from spbfs.cli import main
from spbfs.engines.arrays.structure.expand import expand_mxv
from spbfs.engines.cuda.bfs import fused
from spbfs.engines.cuda.graph import layout as layouts
from spbfs.engines.cuda.products import mxv, plan
from spbfs.engines.cuda.runtime.launch import PADDING
from spbfs.engines.cuda.runtime.pinned import empty_pinned, host_view
from spbfs.engines.cuda.searches import device as searches
from spbfs.exceptions import InvalidValue, OutOfMemory
from spbfs.planner.search_cuda import LayoutChoice, Tuning
from spbfs.storage.arrays import memory_of

LAYOUTS = [("auto", "auto"), ("compact", "auto"), ("degree", None), (None, "degree")]


def _pinned(name: str) -> sb.Matrix:
    return sb.Matrix.from_scipy(GRAPHS[name]).to("cuda", memory="pinned")


def _dense_graph() -> sb.Matrix:
    """Of so many entries a vertex that a quarter of them is more than what searches need."""
    return sb.generate.kronecker(10, 256, seed=3)


@contextmanager
def _limit(nbytes: int) -> Iterator[None]:
    """Beside what is held now no more than so many bytes of the GPU's memory."""
    pool = cp.get_default_memory_pool()
    before = pool.get_limit()
    pool.set_limit(size=held_bytes() + nbytes)
    try:
        yield
    finally:
        pool.set_limit(size=before)


@pytest.mark.parametrize("direction", ["auto", "push", "pull"])
@pytest.mark.parametrize(("relabel", "neighbours"), LAYOUTS)
@pytest.mark.parametrize("name", GRAPHS)
def test_searches(name: str, relabel: Any, neighbours: Any, direction: Any) -> None:
    A, n = _pinned(name), GRAPHS[name].shape[0]
    for source in {0, 7 % n, n - 1}:
        found = sb.bfs(A, source, direction=direction, relabel=relabel, neighbours=neighbours)
        check_search(name, source, found.levels.to_dense(-1), found.parents.to_dense(-1))
    layout = A._ready().derived.searches._layouts[relabel, neighbours]
    arrays = (layout.out_indices, layout.in_indices)
    assert layout.pinned and {memory_of(x) for x in arrays} == {"pinned"}
    if (relabel, neighbours) == ("auto", "auto"):
        assert layout.out_indices is A._ready().indices and layout.records is None


@pytest.mark.parametrize("relabel", ["auto", "compact", "degree"])
@pytest.mark.parametrize("name", ["skewed", "directed", "lattice", "late, shuffled", "loops"])
def test_lists_put_in_order(name: str, relabel: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """As those of large graphs are, whose levels no CTA takes alone."""
    monkeypatch.setattr(fused, "ordered_rows", lambda _: 1)
    monkeypatch.setattr(searches, "fused_tuning", lambda: Tuning(cta_enter=0))
    A, n = _pinned(name), GRAPHS[name].shape[0]
    for source in (0, n // 2, n - 1, 0):  # levels of the search before are still there
        found = sb.bfs(A, source, direction="push", relabel=relabel)
        check_search(name, source, found.levels.to_dense(-1), found.parents.to_dense(-1))
        del found
    found = sb.bfs(A, n // 2, levels=False, relabel=relabel)
    assert np.array_equal(found.parents.to_dense(-1) >= 0, levels_of(name, n // 2) >= 0)
    expected = np.stack([levels_of(name, v) for v in (0, n - 1)])
    expected = np.where(expected < 0, n, expected).min(axis=0)
    found = sb.bfs(A, cp.asarray([0, n - 1], np.int32), parents=False, relabel=relabel)
    assert np.array_equal(found.levels.to_dense(-1), np.where(expected == n, -1, expected))


def test_products_do_with_the_room_that_there_is(monkeypatch: pytest.MonkeyPatch) -> None:
    """What a kernel needs is less than what it takes to spell a product out; that a product once
    had no room is forgotten."""
    spelled = []

    def counted(*arguments: Any) -> Any:
        spelled.append(arguments)
        return expand_mxv(*arguments)

    monkeypatch.setattr(mxv, "expand_mxv", counted)
    monkeypatch.setattr(plan, "has_room", lambda _: False)
    A = sb.generate.kronecker(10, seed=3).to("cuda", memory="pinned")
    x = sb.Vector.from_dense(np.arange(A.nrows, dtype=np.int32)).to("cuda")
    products = []
    for free in (0, 1 << 30):
        monkeypatch.setattr(plan, "free_bytes", lambda free=free: free)
        products.append(semiring.plus_second(A @ x).new().to("cpu"))
        assert len(spelled) == 1
    assert products[0].isequal(products[1])


@pytest.mark.parametrize("name", ["skewed", "directed", "late, shuffled", "star"])
def test_hubs_come_first(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(layouts, "search_layout", lambda *_: LayoutChoice(hubs=300, records=0))
    A, n = _pinned(name), GRAPHS[name].shape[0]
    for direction in ("auto", "pull"):
        found = sb.bfs(A, 7 % n, direction=direction)
        check_search(name, 7 % n, found.levels.to_dense(-1), found.parents.to_dense(-1))


@pytest.mark.parametrize("relabel", ["auto", "degree"])
@pytest.mark.parametrize("limited", [False, True])
def test_a_quarter_of_the_graph_is_enough(relabel: Any, limited: bool) -> None:
    """The entries are copied for a layout in its order, chunk by chunk, and never on the GPU."""
    A = _dense_graph()
    expected = sb.bfs(A, 5)
    with _limit(A.nbytes // 4 if limited else 1 << 30):
        P = A.to("cuda", memory="pinned")
        found = sb.bfs(P, 5, relabel=relabel)
        levels, parents = found
        sb.verify.bfs_tree(A, 5, parents.to("cpu").to_dense(-1), levels.to("cpu").to_dense(-1))
        assert levels.to("cpu").isequal(expected.levels)
    layout = P._ready().derived.searches._layouts[relabel, "auto"]
    assert layout.pinned and layout.ell_slab is not None
    if limited:
        # Larger than what is left in CuPy's pool, once arrays of other tests have left none.
        larger = sb.generate.kronecker(16, 32, seed=3)
        cp.get_default_memory_pool().free_all_blocks()
        assert refusal(lambda: larger.to("cuda", memory="device"), A.nbytes // 4) is not None


@pytest.mark.parametrize("name", ["skewed", "directed", "late, shuffled"])
@pytest.mark.parametrize("relabel", ["compact", None])
def test_without_room_for_the_slab_there_is_none(
    name: str, relabel: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(layouts, "_has_room_for_slab", lambda *_: False)
    P = _pinned(name)
    for direction in ("auto", "pull"):
        found = sb.bfs(P, 7, direction=direction, relabel=relabel)
        check_search(name, 7, found.levels.to_dense(-1), found.parents.to_dense(-1))
    assert P._ready().derived.searches._layouts[relabel, "auto"].ell_slab is None


def test_what_does_not_fit_is_refused() -> None:
    P = _dense_graph().to("cuda", memory="pinned")
    with _limit(8 * P.nrows), pytest.raises(OutOfMemory, match=r"^A: its layout for searches"):
        sb.bfs(P, 5)
    assert sb.bfs(P, 5).depth == 3


@pytest.mark.parametrize("name", ["skewed", "directed", "late", "one vertex", "no edges"])
def test_many_searches(name: str) -> None:
    A = sb.Matrix.from_scipy(GRAPHS[name])
    sources = np.arange(70) % A.nrows
    expected = sb.bfs_many(A, sources).levels
    found = sb.bfs_many(A.to("cuda", memory="pinned"), sources).levels
    assert np.array_equal(cp.asnumpy(found), expected)


@pytest.mark.parametrize("direction", ["push", "pull"])
@pytest.mark.parametrize("name", ["skewed", "directed", "star", "no edges"])
def test_products(name: str, direction: Any) -> None:
    A = sb.Matrix.from_scipy(GRAPHS[name])
    rng = np.random.default_rng(1)
    W = sb.Matrix.from_coo(*A.to_coo()[:2], rng.random(A.nvals), nrows=A.nrows, ncols=A.ncols)
    few = sb.Vector.from_coo([0, A.nrows - 1], [0.5, 2.0], size=A.nrows)
    for M, ring in ((A, semiring.any_pair), (W, semiring.min_plus), (W, semiring.plus_times)):
        P = M.to("cuda", memory="pinned")
        assert {memory_of(P._ready().indices), P.memory} == {"pinned"}
        for v in (few, sb.Vector.from_dense(rng.random(A.nrows))):
            for product in (lambda M, v: v @ M, lambda M, v: M @ v, lambda M, v: M.T @ v):
                expected = ring(product(M, v)).new()
                found = ring(product(P, v.to("cuda"))).new(direction=direction).to("cpu")
                assert found.isclose(expected)


def test_a_transpose_is_made_by_the_host() -> None:
    A = sb.Matrix.from_scipy(GRAPHS["directed"])
    P = A.to("cuda", memory="pinned")
    W = sb.Matrix.from_coo(*A.to_coo()[:2], np.arange(A.nvals), nrows=A.nrows, ncols=A.ncols)
    assert P.T.new().to("cpu").isequal(A.T.new())
    assert W.to("cuda", memory="pinned").T.new().to("cpu").isequal(W.T.new())
    sb.bfs(P, 0, direction="pull")
    transpose = P._ready().derived.transpose
    assert memory_of(transpose.indices) == "pinned"
    assert transpose.derived.transpose_of() is P._ready()


def test_frontiers_of_a_loop_are_those_of_the_reference() -> None:
    A = sb.Matrix.from_scipy(GRAPHS["skewed"]).to("cuda", memory="pinned")
    for _ in range(2):  # the second is computed ahead
        levels, depth = sb.Vector(int, A.nrows), 0
        q = sb.Vector(bool, A.nrows)
        q[3] = True
        while q.nvals:
            levels(q.S) << depth
            q(~levels.S, replace=True) << semiring.any_pair(q @ A)
            depth += 1
        assert levels.isequal(sb.bfs(A, 3).levels)


def test_where_entries_lie() -> None:
    A = sb.Matrix.from_coo([0, 1, 2], [1, 2, 0], [1.5, 2.5, 3.5])
    P = A.to("cuda", memory="pinned")
    D = A.to("cuda")
    assert (A.memory, D.memory, P.memory) == ("host", "device", "pinned")
    assert P.to("cuda") is P.to("cuda", memory="pinned") is P and D.to("cuda", memory="auto") is D
    assert P.to("cuda", memory="device").memory == "device"
    assert D.to("cuda", memory="pinned").memory == "pinned"
    assert "on cuda (pinned)" in repr(P) and "pinned" not in repr(D)
    assert "cuda (pinned)" in P._repr_html_()
    assert P.nbytes == D.nbytes
    for same in (P.dup(), pickle.loads(pickle.dumps(P))):
        assert same.memory == "pinned" and same.isequal(D)
    back = P.to("cpu")
    assert back.memory == "host" and back.isequal(A)
    both = P.to("cpu+cuda")
    assert both.residences == ("cuda", "cpu") and sb.bfs(both, 0, strategy="TC").depth == 2


def test_copies_outlive_what_they_were_made_of() -> None:
    P = sb.generate.path(100).to("cuda", memory="pinned")
    view = host_view(P._ready().indices)
    expected = view.copy()
    del P
    assert np.array_equal(view, expected)


def test_labels_names_and_sparse_shapes_stay() -> None:
    A = sb.Matrix.from_coo([0, 1], [1, 2], True, nrows=3, ncols=3, name="letters")
    A.labels = ["a", "b", "c"]
    P = A.to("cuda", memory="pinned")
    assert P.name == "letters" and list(P.labels) == list(A.labels)
    H = sb.Matrix.from_coo([5, 10**12], [10**12, 7], True, nrows=10**13, ncols=10**13)
    Q = H.to("cuda", memory="pinned")
    assert Q.memory == "pinned" and Q.to("cpu").isequal(H)
    assert sb.bfs(Q, 5).reached == 3


def test_auto_is_by_what_is_free() -> None:
    A = _dense_graph()
    assert A.to("cuda", memory="auto").memory == "device"
    with _limit(A.nbytes):
        assert A.to("cuda", memory="auto").memory == "pinned"
    bits = sb.Matrix.from_coo([0], [1], True, nrows=5, ncols=64)
    packed = sb.Matrix.from_packed_bits(bits.to_packed_bits(), ncols=64)
    assert packed.to("cuda", memory="auto").memory == "device"
    with pytest.raises(InvalidValue, match=r"^memory: .* packed bits, got 'pinned'"):
        packed.to("cuda", memory="pinned")
    v = sb.Vector.from_coo([1], 2.0)
    assert v.to("cuda", memory="auto").device == v.to("cuda", memory="device").device == "cuda"
    with pytest.raises(InvalidValue, match=r"^memory: .* of a vector, got 'pinned'"):
        v.to("cuda", memory="pinned")


def test_padding_holds_no_vertex() -> None:
    made = empty_pinned(5, np.dtype(np.int32))
    whole = cp.ndarray((5 + PADDING,), np.int32, made.data)
    assert made.shape == (5,) and whole[5:].tolist() == [-1] * PADDING


def test_memory_that_cannot_be_pinned_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(*_: Any) -> None:
        raise cp.cuda.runtime.CUDARuntimeError(2)

    A = sb.generate.path(100)
    monkeypatch.setattr(cp.cuda, "PinnedMemory", refused)
    with pytest.raises(OutOfMemory, match=r"^memory: .* cannot be pinned"):
        A.to("cuda", memory="pinned")
    assert A.device == "cpu"


def test_a_trace_says_what_pushes_read() -> None:
    A = sb.generate.path(2000).to("cuda", memory="pinned")
    steps = sb.bfs(A, 0, trace=True, direction="push", max_depth=5).trace
    assert [s.read for s in steps] == [4 * s.edges for s in steps]
    D = sb.generate.path(2000).to("cuda")
    assert {s.read for s in sb.bfs(D, 0, trace=True, max_depth=5).trace} == {0}


def test_parts_and_several_gpus_take_it() -> None:
    A = _pinned("skewed")
    found = [sb.bfs(A, 7, part_edges=1000), sb.bfs(A, 7, expansion="twc"), sb.bfs(A, [7, 7])]
    if cp.cuda.runtime.getDeviceCount() > 1:
        found.append(sb.bfs(A, 7, devices=[1, 0]))
    for result in found:
        check_search("skewed", 7, result.levels.to_dense(-1), result.parents.to_dense(-1))


@pytest.mark.skipif(cp.cuda.runtime.getDeviceCount() < 2, reason="there is one GPU")
def test_several_gpus_read_the_same_memory() -> None:
    A = sb.Matrix.from_scipy(GRAPHS["directed"])
    P = A.to("cuda", memory="pinned")
    sources = np.arange(40)
    found = sb.bfs_many(P, sources, devices=[0, 1], batch=20)
    assert np.array_equal(cp.asnumpy(found.levels), sb.bfs_many(A, sources).levels)
    replica = P._ready().derived.replicas.on_gpus[1]
    assert memory_of(replica.indices) == "pinned" and replica.indices.device.id == 1
    assert replica.indices.data.ptr == P._ready().indices.data.ptr


def test_what_is_exported_is_not_the_matrix() -> None:
    A = sb.Matrix.from_coo([0, 1, 2], [1, 2, 0], [1.5, 2.5, 3.5])
    P = A.to("cuda", memory="pinned")
    exported = (P.to_coo(), P.to_csr(), P.to_csr(device="cuda"))
    arrays = [x for arrays in exported for x in arrays]
    arrays += [P.to_scipy().data, P.to_scipy().indices]
    for array in arrays:
        if array.flags.writeable if isinstance(array, np.ndarray) else True:
            array[...] = 0
    assert P.to("cpu").isequal(A)


def test_the_command_line_names_it(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    sb.write(tmp_path / "grid.mtx", sb.generate.grid2d(17, 2))
    graph = [str(tmp_path / "grid.mtx"), "--source", "0", "--device", "cuda"]
    assert main(["bfs", *graph, "--memory", "pinned", "--verify", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert (found["reached"], found["verified"], found["memory"]) == (34, True, "pinned")
    assert main(["trace", *graph, "--memory", "pinned"]) == 0
    assert "bytes" in capsys.readouterr().out
