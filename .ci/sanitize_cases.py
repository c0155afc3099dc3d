"""A small run of every CUDA kernel, for the tools of compute-sanitizer: see .ci/sanitize.

Results are compared with the reference engine's.  A kernel that is listed in
``cuda_specialisations`` and not launched here is an error.  Names of cases run these only.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import Any

import numpy as np

import spbfs as sb
from spbfs.engines.cuda.runtime import launch, modules
from spbfs.engines.cuda.runtime.source import Specialisation
from spbfs.engines.cuda.specialisations import specialisations

DEVICE = "cuda"
BEGAN = time.perf_counter()

launched: set[str] = set()


def _entry(name: str) -> str:
    """A kernel without its template arguments."""
    return name.partition("<")[0]


class _Recorded:
    """A module that notes which of its kernels are asked for."""

    def __init__(self, module: Any) -> None:
        self._module = module

    def get_function(self, name: str) -> Any:
        launched.add(_entry(name))
        return self._module.get_function(name)


def _record() -> None:
    load = launch.load
    launch.load = lambda specialisation: _Recorded(load(specialisation))
    if "LINES" in os.environ:
        options = Specialisation.options.fget
        Specialisation.options = property(lambda self: (*options(self), "-lineinfo"))


def _compile() -> None:
    """All modules at once: alone they would take a minute.  With lines, only what is launched."""
    import cupy as cp

    if "LINES" in os.environ:
        return
    device = cp.cuda.Device()

    def compile_one(specialisation: Specialisation) -> None:
        with device:
            modules.load(specialisation)

    wanted = [s for s in specialisations() if s.capability <= int(device.compute_capability)]
    with ThreadPoolExecutor(len(os.sched_getaffinity(0))) as pool:
        list(pool.map(compile_one, wanted))


def _graphs() -> Iterator[sb.Matrix]:
    """A deep one, and one with hubs, loops, isolated vertices and long rows."""
    yield sb.generate.grid2d(12, 11)
    rng = np.random.default_rng(3)
    u, v = ((rng.random((2, 2500)) ** 3) * 700).astype(np.int64)
    label = rng.permutation(800)
    u, v = label[np.r_[u, v]], label[np.r_[v, u]]
    yield sb.Matrix.from_coo(u, v, True, nrows=800, ncols=800)


def _directed(n: int) -> sb.Matrix:
    u, v = np.random.default_rng(4).integers(0, n, (2, 6 * n))
    return sb.Matrix.from_coo(u, v, True, nrows=n, ncols=n)


def _device_csr(A: sb.Matrix, wide: bool) -> tuple[Any, Any]:
    import cupy as cp

    indptr, indices, _ = A.to_csr()
    return cp.asarray(indptr.astype(np.int64 if wide else np.int32)), cp.asarray(indices)


def _progress(what: str) -> None:
    """A line each, so that what a tool hangs in is known."""
    print(f"{time.perf_counter() - BEGAN:6.1f} s  {what}", flush=True)


def _outputs(n: int) -> tuple[Any, Any]:
    import cupy as cp

    return cp.full(n, -7, dtype=cp.int32), cp.full(n, -7, dtype=cp.int32)


def fused_searches() -> None:
    plain: dict[str, Any] = {}
    deep, skewed = _graphs()
    _fused((deep, [plain]), (skewed, [plain, {"hubs": 0}, {"hubs": 100}, {"hubs": 1 << 30}]))


def fused_records() -> None:
    """The cluster tier over records of rows."""
    _fused((next(_graphs()), [{"records": 4}]))


def fused_wide() -> None:
    """The same over broader records, offsets of 64 bits."""
    _fused((next(_graphs()), [{"records": 8}]), wide=1)


def _fused(*cases: tuple[sb.Matrix, list[dict[str, Any]]], wide: int = 0) -> None:
    from spbfs.engines.cuda.bfs.fused import FusedBFS, Tuning
    from spbfs.engines.cuda.graph.layout import build_layout

    early = Tuning(cluster_enter=200, cluster_leave=3, cta_enter=0, cached=0)
    for A, choices in cases:
        n, source = A.nrows, 5
        for k, layout in enumerate(choices, wide):
            built = build_layout(n, *_device_csr(A, wide=k % 2 == 1), **layout)
            for tuning, directions in (
                (Tuning(), ("auto", "push", "pull")),
                (early, ("auto",)),
                *([(replace(early, cluster_shared=0), ("auto",))] if "records" in layout else []),
            ):
                plan = FusedBFS(built, tuning=tuning)
                for direction in directions:
                    levels, parents = _outputs(n)
                    plan.run(source, levels, parents, direction=direction)
                    sb.verify.bfs_tree(A, source, parents.get(), levels.get())
            _progress(f"{n} vertices, {layout}")


def expansions() -> None:
    from spbfs.engines.cuda.expansion.fused import LevelSynchronousBFS
    from spbfs.planner.expansion import ORGANISATIONS, STRATEGIES, Expansion

    for A in _graphs():
        for k, strategy in enumerate(STRATEGIES):
            arrays = _device_csr(A, wide=k % 2 == 1)
            for organisation in ORGANISATIONS:
                if strategy.startswith("merge_path") and organisation == "contract_expand":
                    continue
                culling = ("warp+history", "atomic")[k % 2]
                how = Expansion(strategy, culling, organisation, count_lanes=k % 4 == 1)
                levels, parents = _outputs(A.nrows)
                plan = LevelSynchronousBFS(A.nrows, *arrays, how)
                plan.frontiers._sms = 1
                plan.run(5, levels, parents)
                sb.verify.bfs_tree(A, 5, parents.get(), levels.get())


def expansions_in_order() -> None:
    from spbfs.engines.cuda.expansion.fused import LevelSynchronousBFS
    from spbfs.planner.expansion import Expansion

    for A in _graphs():
        for k, strategy in enumerate(("twc", "scan", "warp:8")):
            how = Expansion(strategy, "warp+history", "two_phase", in_flight=3)
            levels, parents = _outputs(A.nrows)
            search = LevelSynchronousBFS(A.nrows, *_device_csr(A, wide=k % 2 == 1), how)
            search.run(5, levels, parents)
            sb.verify.bfs_tree(A, 5, parents.get(), levels.get())


def searches() -> None:
    """`spbfs.bfs` and what settles its owners and least parents."""
    for A in (*_graphs(), _directed(300)):
        for source in (5, [5, 9, 77, 9]):
            there = sb.bfs(A.to(DEVICE), source, parents="min")
            here = sb.bfs(A, source, parents="min")
            for name in ("levels", "parents", "owners"):
                expected, found = getattr(here, name), getattr(there, name)
                assert expected is found is None or found.to("cpu").isequal(expected), name


def strategies() -> None:
    """Searches whose levels are forced, on the GPU alone and in turns with the CPU."""
    for A in (*_graphs(), _directed(300)):
        both = A.to("cpu+cuda")
        for source in (5, [5, 9, 77, 9]):
            expected = sb.bfs(A, source, parents="min")
            for strategy in (["BG", "TG", "BGC"], ["TC", "BG", "BC", "TG"]):
                found = sb.bfs(both, source, parents="min", strategy=strategy)
                for one, other in zip(found, expected, strict=True):
                    assert one.to("cpu").isequal(other)


def parts() -> None:
    """Searches over parts of the edges, on the GPU and brought to it."""
    for A in (*_graphs(), _directed(300)):
        for source in (5, [5, 9, 77, 9]):
            expected = sb.bfs(A, source, parents="min")
            for direction in ("push", "pull"):
                how = {"part_edges": 100, "direction": direction}
                for found in (
                    sb.bfs(A.to(DEVICE), source, **how),
                    sb.bfs(A, source, device=DEVICE, **how),
                ):
                    for one, other in zip(found, expected, strict=True):
                        assert one.to("cpu").isequal(other)


def algorithms() -> None:
    """Algorithms in calls of the GPU's own, and rows that are cut into pieces."""
    for A in (*_graphs(), _directed(300), _star(5000)):
        lengths = A.apply(sb.binary.plus, right=1).new("FP32")
        for call in (
            sb.components,
            sb.core_numbers,
            sb.triangles,
            sb.maximal_independent_set,
            sb.colouring,
            sb.minimum_spanning_forest,
            lambda G: sb.sssp(G, 5).distances,
        ):
            expected, found = call(lengths), call(lengths.to(DEVICE))
            assert found.to("cpu").isequal(expected)
        paths = sb.sssp(lengths.to(DEVICE), 5)
        sb.verify.sssp(lengths, 5, paths.distances.to("cpu"), paths.parents.to("cpu"))
        expected, found = (sb.betweenness(G, [5, 0, 9]) for G in (lengths, lengths.to(DEVICE)))
        np.testing.assert_allclose(found, expected, rtol=1e-9)
        for weighted in (False, True):
            expected, found = (
                sb.pagerank(G, weighted=weighted) for G in (lengths, lengths.to(DEVICE))
            )
            np.testing.assert_allclose(found.to("cpu").to_dense(), expected.to_dense(), rtol=1e-9)


def many_searches() -> None:
    import cupy as cp

    from spbfs.engines.cuda.bfs_many.fused import ManyBFS, empty_levels
    from spbfs.engines.cuda.graph.layout import build_layout
    from spbfs.storage.packed import WORDS

    sources = [5, 9, 77, 9]
    for A in _graphs():
        expected = np.array([sb.bfs(A, s).levels.to_dense(-1) for s in sources], np.uint8)
        for words in WORDS:
            layout = build_layout(A.nrows, *_device_csr(A, wide=words == 4), hubs=1 << 30)
            plan = ManyBFS(layout, words=words, planes=6)
            for direction in ("auto", "push", "pull"):
                plan.run(sources, direction=direction)
                levels = empty_levels(len(sources), A.nrows)
                plan.levels(levels)
                assert (levels.get() == expected).all()
        counts, sums = cp.zeros(A.nrows, cp.int32), cp.zeros(A.nrows, cp.int64)
        plan.add_counts(counts, sums)
        assert (counts.get() == (expected != 255).sum(axis=0)).all()
        found = plan.summary()
        assert (found.reached == (expected != 255).sum(axis=1)).all()
        degrees = np.diff(A.to_csr()[0])
        assert found.edges == ((expected != 255) * degrees).sum()
        parents = cp.empty((len(sources), A.nrows), cp.int32)
        plan.parents(parents, cp.arange(len(sources)))
        assert ((parents.get() >= 0) == (expected != 255)).all()
        at_one = plan.level_set(1).get()[:, 0]
        for j in range(len(sources)):
            assert ((at_one >> j & 1) == (expected[j] == 1)).all()


def many_stepwise() -> None:
    from spbfs.engines import bfs_many_stepwise, get_engine
    from spbfs.engines.cuda.bfs_many.bytes import JointBytes, PrivateBytes
    from spbfs.engines.cuda.bfs_many.plain import PlainBits

    sources, engine = np.array([5, 9, 77, 9]), get_engine(DEVICE)
    ways: list[Callable[[Any], Any]] = [
        lambda data: JointBytes(data, sources, engine),
        lambda data: PrivateBytes(data, sources, engine),
        lambda data: PlainBits(data, sources, engine, kept=True),
        lambda data: PlainBits(data, sources, engine, kept=False),
    ]
    chosen = bfs_many_stepwise.stepwise_pulls
    for A in _graphs():
        expected = np.array([sb.bfs(A, s).levels.to_dense(-1) for s in sources.tolist()], np.uint8)
        for pulled in (False, True):
            bfs_many_stepwise.stepwise_pulls = lambda *_, p=pulled, **__: p
            for way in ways:
                searches = way(A.to(DEVICE)._ready())
                bfs_many_stepwise.search_stepwise(searches)
                assert (searches.levels().get() == expected).all()
    bfs_many_stepwise.stepwise_pulls = chosen


def algebra() -> None:
    """Products both ways, with rows so long that the grid shares them, and masked writes."""
    for A in (_star(1500), *_graphs()):
        values = np.arange(A.nvals) % 9
        weighted = sb.Matrix.from_csr(*A.to_csr()[:2], values, np.float32, ncols=A.ncols)
        for B, ring in ((A, "any_pair"), (weighted, "min_secondi"), (weighted, "min_plus")):
            for directions in (["push"] * 3, ["pull"] * 3, ["pull", "push", "pull"]):
                _same(B, lambda M, r=ring, d=directions: _steps(M, r, d))
        _same(weighted, lambda M: M.reduce_rowwise("max").new())
        _same(weighted, _relaxed)
    for A in _graphs():
        _same(A, lambda M: sb.semiring.plus_pair(M @ M).new(mask=M.S))
        weights = np.arange(A.nvals) % 9
        weighted = sb.Matrix.from_csr(*A.to_csr()[:2], weights, np.float32, ncols=A.ncols)
        _same(weighted, lambda M: sb.semiring.min_plus(M @ M).new())


def packed() -> None:
    """Products with matrices of few columns, which are made in bits."""
    for A in (_star(3000), *_graphs()):
        flags = np.random.default_rng(6).random((A.nrows, 200)) < 0.05
        B = sb.Matrix.from_dense(flags, False)
        for direction in ("push", "pull"):
            hint = {"direction": direction}
            _same(
                A,
                lambda M, B=B, h=hint: sb.semiring.any_pair(M @ B.to(M.device)).new(
                    mask=~B.to(M.device).S, **h
                ),
            )


def _star(leaves: int) -> sb.Matrix:
    ends = np.arange(1, leaves + 1), np.zeros(leaves, int)
    return sb.Matrix.from_coo(np.r_[ends], np.r_[ends[::-1]], True)


def _steps(A: Any, ring: str, directions: list[str]) -> Any:
    """A few steps from a vertex, what was met before masked out: the composed search."""
    met = sb.Vector(int, A.nrows)
    q = sb.Vector.from_coo([1], A.dtype.np_type.type(1), size=A.nrows, device=A.device)
    for step, direction in enumerate(directions):
        met(q.S) << step
        q(~met.S, sb.replace, direction=direction) << sb.semiring.from_string(ring)(q @ A)
    met(q.S) << q
    return met


def loops() -> None:
    """Searches written as loops, steps of which are computed ahead; some frontiers are read.

    The second loop on a matrix runs ahead from its first step.
    """
    from spbfs.engines.cuda.lookahead.kernels import SHORT

    for A in _graphs():
        _same(A, lambda M: [_least_parents(M) for _ in range(2)][1])
    # Many short paths, so many that lists of vertices are too long for one launch to begin with.
    n = 256 * SHORT
    heads = np.arange(0, n, 256)
    u = (heads[:, None] + np.arange(8)).ravel()
    A = sb.Matrix.from_coo(u, u + 1, True, nrows=n, ncols=n)
    _same(A, lambda M: [_reached(M, heads) for _ in range(2)][1])


def _reached(A: Any, sources: Any) -> Any:
    found = sb.Vector.from_coo(sources, 1, size=A.nrows, dtype=int, device=A.device)
    q = found.dup()
    while q.nvals:
        q(~found.S, sb.replace) << sb.semiring.min_secondi(q @ A)
        found(q.S) << q
    return found


def _least_parents(A: Any) -> Any:
    found, seen = sb.Vector(int, A.nrows), sb.Vector(int, A.nrows)
    q = sb.Vector(int, A.nrows)
    q[1] = 1
    while q.nvals:
        found(q.S) << q
        if found.nvals % 3 == 0:
            seen(sb.binary.plus) << q
        q(~found.S, sb.replace) << sb.semiring.min_secondi(q @ A)
    return found.ewise_add(seen, "plus").new()


def _relaxed(A: Any) -> Any:
    """Least weights of two steps, accumulated under masks and without."""
    met = sb.Vector.from_coo([0, 1], np.float32(0), size=A.nrows, device=A.device)
    for mask in (None, met.S, ~met.V):
        met.update(sb.semiring.min_plus(met @ A), accum="min", mask=mask)
    return met


def _same(A: sb.Matrix, program: Callable[[Any], Any]) -> None:
    expected, found = program(A), program(A.to(DEVICE))
    assert found.to("cpu").isequal(expected)


CASES: tuple[Callable[[], None], ...] = (
    algebra,
    loops,
    packed,
    searches,
    strategies,
    parts,
    algorithms,
    many_searches,
    many_stepwise,
    expansions,
    expansions_in_order,
    fused_searches,
    fused_records,
    fused_wide,
)


def main() -> None:
    entries = sorted({_entry(kernel) for s in specialisations() for kernel in s.kernels})
    if sys.argv[1:] == ["--filters"]:
        print(*(word for name in entries for word in ("--kernel-name", f"kns={name}")))
        return
    _record()
    _compile()
    for case in CASES:
        if case.__name__ in sys.argv[1:] or not sys.argv[1:]:
            case()
            _progress(case.__name__)
    missed = set(entries) - launched
    assert sys.argv[1:] or not missed, f"kernels that no case launches: {', '.join(sorted(missed))}"


if __name__ == "__main__":
    main()
