"""Searches over ranks find what one process finds; ranks are threads here."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from rank_graphs import CASES, matrix, spread

import spbfs as sb
from spbfs.distributed import engine as over_ranks
from spbfs.distributed.search import compiled
from spbfs.distributed.search.listed import Listed
from spbfs.engines import get_engine
from spbfs.exceptions import BackendUnavailable, InvalidValue, VerificationError
from spbfs.planner.products import HUBS_AFTER_PULLS

#: How edges are dealt out, and the direction.
WAYS: dict[str, tuple[dict[str, Any], str]] = {
    "rows": ({}, "auto"),
    "hubs": ({"hubs": 3}, "auto"),
    "grid": ({"cut": "grid"}, "auto"),
    "pushed": ({"hubs": 2}, "push"),
    "pulled": ({"hubs": 2}, "pull"),
    "grid, pulled": ({"cut": "grid"}, "pull"),
    "in order": ({"permutation": False}, "auto"),
}


def dense(vector: sb.Vector | None) -> Any:
    return None if vector is None else vector.gather().to_dense(-1).tolist()


def found(result: sb.BFSResult) -> tuple[Any, ...]:
    numbers = result.reached, result.depth, result.edges
    return dense(result.levels), dense(result.parents), dense(result.owners), *numbers


@pytest.mark.parametrize("name", CASES)
@pytest.mark.parametrize("size", [1, 2, 3, 4])
def test_a_search_is_that_of_one_process(name: str, size: int) -> None:
    n, edges = CASES[name]
    A = matrix(n, edges)
    source, several = n // 3, [0, n - 1, n // 2, 0]
    one = sb.bfs(A, source)
    many = [(given, sb.bfs(A, given, parents="min")) for given in (several, [source, source])]

    def program(ranks: Any) -> None:
        for options, direction in list(WAYS.values())[size - 1 :: 4]:
            D = spread(ranks, n, edges, **options)
            result = sb.bfs(D, source, direction=direction, trace=True)
            levels, parents, _, *numbers = found(result)
            assert levels == dense(one.levels)
            assert numbers == [one.reached, one.depth, one.edges]
            sb.verify.bfs_tree(A, source, parents, levels)
            sb.verify.bfs_tree(D, source, result)
            for given, wanted in many:
                assert wanted.owners is not None
                here = sb.bfs(D, given, parents="min", direction=direction)
                assert found(here) == found(wanted)

    sb.distributed.simulate(size, program)


@pytest.mark.parametrize("cut", ["rows", "grid"])
@pytest.mark.parametrize("wide", [False, True], ids=["int32", "int64"])
def test_large_frontiers_and_many_searches(
    cut: Any, wide: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Frontiers that cross as bits, by several threads, and rows that ask for a hub first."""
    if wide:
        for module in (compiled, over_ranks):
            monkeypatch.setattr(module, "level_type", lambda n: np.int64)
    A = sb.generate.kronecker(12, 8, seed=2)
    rows, cols, _ = A.to_coo()
    edges = np.stack((rows, cols), axis=1)[rows < cols]
    sources = [int(rows[0]), *np.flatnonzero(np.diff(A.to_csr()[0]) > 0)[5:400:100].tolist()]
    wanted = {source: sb.bfs(A, source).levels.to_dense(-1).tolist() for source in sources}

    def program(ranks: Any) -> None:
        D = spread(ranks, A.nrows, edges, cut=cut, directed=False)
        for source in sources:
            for direction in ("pull", "auto", "push"):
                result = sb.bfs(D, source, direction=direction, threads=3)
                levels, parents, *_ = found(result)
                assert levels == wanted[source]
                sb.verify.bfs_tree(A, source, parents, levels)
        assert D._ready().pulls > HUBS_AFTER_PULLS
        assert D._ready().likeliest is not None

    sb.distributed.simulate(3, program)


@pytest.mark.parametrize("cut", ["rows", "grid"])
@pytest.mark.parametrize("listed", [{0, 1, 2}, {1}], ids=["all", "one"])
def test_ranks_that_list_take_part(
    cut: Any, listed: set[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    """As those whose part is on a GPU: their messages are those of compiled loops."""
    loops = compiled.Compiled

    def known(engine: Any, A: Any, degrees: Any, sources: Any, threads: Any) -> Any:
        if engine.ranks.rank in listed:
            return Listed(engine, degrees, sources)
        return loops(engine, A, degrees, sources, threads)

    monkeypatch.setattr(compiled, "Compiled", known)
    A = sb.generate.kronecker(10, 8, seed=4)
    rows, cols, _ = A.to_coo()
    edges = np.stack((rows, cols), axis=1)[rows < cols]
    source = int(rows[0])
    wanted = sb.bfs(A, source).levels.to_dense(-1).tolist()

    def program(ranks: Any) -> None:
        D = spread(ranks, A.nrows, edges, cut=cut, directed=False)
        for direction in ("auto", "push", "pull"):
            levels, parents, *_ = found(sb.bfs(D, source, direction=direction))
            assert levels == wanted
            sb.verify.bfs_tree(A, source, parents, levels)

    sb.distributed.simulate(3, program)


def test_arguments_of_a_search() -> None:
    n, edges = CASES["path"]
    A = matrix(n, edges)

    def program(ranks: Any) -> None:
        D = spread(ranks, n, edges)
        for options in ({"max_depth": 3}, {"target": 70}, {"target": 60, "parents": "min"}):
            one, here = sb.bfs(A, 64, **options), sb.bfs(D, 64, **options)
            assert dense(here.levels) == dense(one.levels)
            assert (here.reached, here.depth, here.edges) == (one.reached, one.depth, one.edges)
        none = sb.bfs(D, 64, levels=False, parents=False)
        assert none.levels is None and none.parents is None and none.reached == n
        for wrong in ({"relabel": "degree"}, {"part_edges": 4}, {"strategy": "TG"}):
            with pytest.raises((InvalidValue, sb.exceptions.DeviceMismatch)):
                sb.bfs(D, 0, **wrong)
        with pytest.raises(InvalidValue, match="source: expected the same"):
            sb.bfs(D, ranks.rank)

    sb.distributed.simulate(2, program)


def test_cuda_and_cpu_work_on_parts_of_one_graph() -> None:
    try:
        get_engine("cuda")
    except BackendUnavailable as error:
        pytest.skip(str(error))
    n, edges = CASES["random 0"]
    A = matrix(n, edges)
    one, least = sb.bfs(A, n // 2), sb.bfs(A, n // 2, parents="min")

    def program(ranks: Any) -> None:
        for cut in ("rows", "grid"):
            D = spread(ranks, n, edges, cut=cut, devices=["cpu", "cuda"])
            here = sb.bfs(D, n // 2)
            assert dense(here.levels) == dense(one.levels)
            sb.verify.bfs_tree(D, n // 2, here)
            assert dense(sb.bfs(D, n // 2, parents="min").parents) == dense(least.parents)
            assert D.gather().isequal(A)

    sb.distributed.simulate(2, program)


def test_checks_of_graph500_find_what_is_wrong() -> None:
    n, edges = CASES["random 1"]

    def program(ranks: Any) -> None:
        D = spread(ranks, n, edges)
        result = sb.bfs(D, edges[0][0])
        levels, parents = result.levels.gather(), result.parents.gather()
        deepest = int(np.argmax(levels.to_dense(-1)))
        wrongs = []
        for change in (result.depth + 2, 0):
            wrong = levels.dup()
            wrong[deepest] = change
            wrongs.append((parents, wrong))
        for change in (deepest, (deepest + 1) % n):
            wrong = parents.dup()
            wrong[deepest] = change
            wrongs.append((wrong, levels))
        less = levels.dup()
        del less[deepest]
        wrongs += [(parents, less), (None, less)]
        for tree, depths in wrongs:
            given = None if tree is None else tree.to(D.device)
            with pytest.raises(VerificationError):
                sb.verify.bfs_tree(D, edges[0][0], given, depths.to(D.device))
        sb.verify.bfs_tree(D, edges[0][0], levels=result.levels)

    sb.distributed.simulate(3, program)


@pytest.mark.parametrize("name", ["star", "ladder down", "random 0", "random 3", "no edges"])
def test_many_searches_are_those_of_one_process(name: str) -> None:
    n, edges = CASES[name]
    sources = np.arange(70) * 7 % n
    outputs = ("levels", "level_sizes", "counts", "level_sums")
    one = sb.bfs_many(matrix(n, edges), sources, outputs=outputs)
    unreached = np.iinfo(one.levels.dtype).max
    expected = np.where(one.levels == unreached, -1, one.levels.astype(np.int64))

    def program(ranks: Any) -> None:
        for options, batch in (({}, "auto"), ({"cut": "grid"}, 13), ({"hubs": 3}, 64)):
            D = spread(ranks, n, edges, **options)
            here = sb.bfs_many(D, sources, outputs=outputs, batch=batch)
            assert [dense(v) for v in here.levels] == expected.tolist()
            assert np.array_equal(here.level_sizes, one.level_sizes)
            assert (here.edges, here.depth) == (one.edges, one.depth)
            for output in ("reached", "sum_levels", "eccentricity"):
                assert np.array_equal(getattr(here, output), getattr(one, output))
            for output in ("counts", "level_sums"):
                assert dense(getattr(here, output)) == getattr(one, output).tolist()
        with pytest.raises(InvalidValue, match="outputs"):
            sb.bfs_many(D, sources, outputs="per_level")

    sb.distributed.simulate(3, program)


@pytest.mark.parametrize("name", ["star", "ladder down", "random 0", "random 3", "no edges"])
@pytest.mark.parametrize("size", [1, 2, 3, 4])
def test_parents_of_many_searches_are_trees(name: str, size: int) -> None:
    n, edges = CASES[name]
    A = matrix(n, edges)
    sources = [n // 2, 0, n - 1, n // 2]

    def program(ranks: Any) -> None:
        for options in ({}, {"cut": "grid"}, {"hubs": 3}):
            D = spread(ranks, n, edges, **options)
            here = sb.bfs_many(D, sources, outputs=("levels", "parents"))
            assert len(here.parents) == len(here.levels) == len(sources)
            for source, levels, parents in zip(sources, here.levels, here.parents, strict=True):
                assert parents.device == D.device
                sb.verify.bfs_tree(A, source, dense(parents), dense(levels))
            near = sb.bfs_many(D, sources, outputs="parents", max_depth=1)
            assert near.levels is None and near.eccentricity.max() <= 1
            assert [v.nvals for v in near.parents] == near.reached.tolist()

    sb.distributed.simulate(size, program)


def test_bytes_of_a_level_and_what_the_model_says() -> None:
    rng = np.random.default_rng(5)
    n, count = 4000, 24000
    edges = list(zip(*rng.integers(0, n, (2, count)).tolist(), strict=True))

    def program(ranks: Any) -> list[Any]:
        D = spread(ranks, n, edges, directed=False)
        return list(sb.bfs(D, 0, trace=True).trace or [])

    for size in (1, 4):
        steps = sb.distributed.simulate(size, program)[0]
        assert {step.direction for step in steps} == {"push", "pull"}
        if size == 1:
            assert not any(step.exchanged for step in steps)
            continue
        for step in steps:
            if step.exchanged > 2000:
                assert 0.5 < step.exchanged / step.predicted < 2, step
        assert sum(step.exchanged for step in steps) < 12 * n
