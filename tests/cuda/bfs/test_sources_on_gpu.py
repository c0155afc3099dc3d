"""Vertices in GPU memory: taken wherever vertices are named, and as those of the host are."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from gpu import cp

import spbfs as sb
from spbfs.exceptions import IndexOutOfBound

N = 40
#: More rows than 32 bits number.
FAR = (1 << 32) + 5
SIDE = 1 << 40
CALLS: dict[str, Callable[[Any, Any], Any]] = {
    "apsp": sb.apsp,
    "betweenness": sb.betweenness,
    "bfs": lambda A, x: sb.bfs(A, x).levels,
    "bfs_many": lambda A, x: sb.bfs_many(A, x).levels,
    "bfs_order": lambda A, x: sb.bfs_order(A, x).order,
    "closeness": sb.closeness,
    "distances": sb.distances,
    "eccentricity": sb.eccentricity,
    "harmonic": sb.harmonic,
    "index": lambda A, x: sb.KHopIndex(A, x, k=2).query(x, x),
    "khop": lambda A, x: sb.khop(A, 2, x),
    "khop_sizes": lambda A, x: sb.khop_sizes(A, 2, x),
    "levels": lambda A, x: [d for d, _ in sb.levels(A, x)],
    "sssp": lambda A, x: sb.sssp(A, x).distances,
}


def graph(device: str) -> sb.Matrix:
    return sb.generate.path(N).to(device)


class OnlyDLPack:
    """An array of a library that speaks nothing else."""

    def __init__(self, array: Any) -> None:
        self.__dlpack__, self._array = array.__dlpack__, array

    def __dlpack_device__(self) -> tuple[int, int]:
        return (2, self._array.device.id)


def on_host(found: Any) -> Any:
    if hasattr(found, "to_coo"):
        return [array.tolist() for array in found.to_coo()]
    return cp.asnumpy(found).tolist()


@pytest.mark.parametrize("device", ["cpu", "cuda"])
@pytest.mark.parametrize("name", CALLS)
def test_vertices_are_brought_where_the_host_reads_them(name: str, device: str) -> None:
    A, vertices = graph(device), [3, 21]
    wanted = on_host(CALLS[name](A, vertices))
    for given in (cp.asarray(vertices), OnlyDLPack(cp.asarray(vertices, np.uint8))):
        assert on_host(CALLS[name](A, given)) == wanted


@pytest.mark.parametrize("call", [sb.jaccard, sb.common_neighbours, sb.adamic_adar])
def test_pairs_are_brought(call: Any) -> None:
    A, pairs = graph("cuda"), [[3, 5], [5, 3], [0, 1]]
    assert call(A, cp.asarray(pairs)).to_dense().tolist() == call(A, pairs).to_dense().tolist()


@pytest.mark.parametrize("names", [list("abcde"), [10, 20, 30, 40, 50]])
def test_vertices_with_names(names: list[Any]) -> None:
    A = sb.generate.path(5).to("cuda")
    A.labels = names
    named = [1, 3] if names[0] == "a" else [20, 40]
    of = OnlyDLPack(cp.asarray(named))
    assert sb.bfs(A, of).levels.to_dict() == sb.bfs(A, named).levels.to_dict()
    pairs = OnlyDLPack(cp.asarray([named]))
    assert sb.jaccard(A, pairs).to_dense().tolist() == sb.jaccard(A, [named]).to_dense().tolist()


@pytest.mark.parametrize("vertex", [FAR, 3 << 30, 5, SIDE - 1])
def test_a_vertex_beyond_32_bits(vertex: int) -> None:
    H = sb.Matrix.from_coo([5, FAR], [7, 9], 1, nrows=SIDE, ncols=SIDE).to("cuda")
    wanted = sb.bfs(H, vertex)
    for dtype in (np.int64, np.uint64):
        source = cp.asarray([vertex], dtype)
        found = sb.bfs(H, source)
        assert found.levels.to_dict() == wanted.levels.to_dict()
        assert found.parents.to_dict() == wanted.parents.to_dict()
        frontiers = [q.to_dict() for _, q in sb.levels(H, source)]
        assert frontiers == [q.to_dict() for _, q in sb.levels(H, vertex)]
    for outside in (SIDE, SIDE + FAR, -1):
        with pytest.raises(IndexOutOfBound, match=rf"^source: .*got {outside}$"):
            sb.bfs(H, cp.asarray([outside]))


@pytest.mark.parametrize("bad", [[N], [0, N], [-1], [0, FAR], [0, -FAR]])
def test_whoever_waits_for_a_search_learns_of_a_source_that_there_is_not(bad: list[int]) -> None:
    A = graph("cuda")
    reads: list[Callable[[Any], Any]] = [
        lambda found: found.depth,
        lambda found: found.order,
        lambda found: found.path_to(0),
        lambda found: found.tree,
        lambda found: found.to_pandas(),
    ]
    for read in reads:
        found = sb.bfs(A, cp.asarray(bad))
        with pytest.raises(IndexOutOfBound, match=r"^source: "):
            read(found)
    with pytest.raises(IndexOutOfBound, match=r"^source: "):
        sb.levels(A, cp.asarray(bad))  # before the first frontier is asked for


@pytest.mark.parametrize("how", [{"strategy": "TG"}, {"strategy": "auto"}, {"part_edges": 2}])
@pytest.mark.parametrize("bad", [N, FAR, -3])
def test_a_search_whose_host_reads_its_sources_says_which_is_none(
    how: dict[str, Any], bad: int
) -> None:
    with pytest.raises(IndexOutOfBound) as wanted:
        sb.bfs(graph("cuda"), [0, bad], **how)
    with pytest.raises(IndexOutOfBound) as raised:
        sb.bfs(graph("cuda"), cp.asarray([0, bad]), **how)
    assert str(raised.value) == str(wanted.value)
    assert str(bad) in str(raised.value)


@pytest.mark.parametrize("bad", [[True, False], [1.0, 2.0], [1.5], [[1]], np.zeros(0, int)])
@pytest.mark.parametrize("call", [sb.bfs, sb.levels, sb.sssp, sb.bfs_order])
def test_what_is_no_list_of_vertices_is_refused_as_on_the_host(call: Any, bad: Any) -> None:
    with pytest.raises(sb.exceptions.SpbfsError) as wanted:
        call(graph("cuda"), np.asarray(bad))
    with pytest.raises(sb.exceptions.SpbfsError) as raised:
        call(graph("cuda"), cp.asarray(bad))
    assert type(raised.value) is type(wanted.value)
    assert str(raised.value) == str(wanted.value)
