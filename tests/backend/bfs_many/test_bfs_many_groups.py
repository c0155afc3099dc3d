"""Which sources share a batch: those of a hub, or by the two rules of iBFS's GroupBy."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from many_cases import EVERYTHING, check, expected, host, matrix, random_graph

import spbfs as sb
from spbfs.algorithms.bfs_many.batches import batches
from spbfs.algorithms.bfs_many.grouping import group_by_hub, group_by_rules
from spbfs.planner import many as planner_many
from spbfs.storage.data import MatrixData, in_host_memory

#: Rows of a small graph: two hubs for q = 4, of degrees 6 and 5, one vertex that is none, and
#: another whose only in-neighbour among the sources is 15.
ROWS: dict[int, list[int]] = {
    0: [20, 21, 22, 23, 24, 25],
    1: [20, 21, 22, 23, 24],
    2: [20, 21, 22, 23],
    26: [20, 21, 22, 23, 24],
    3: [0],
    4: [0],
    5: [0, 2],
    6: [1],
    7: [1, 0],
    8: [1],
    9: [2],
    10: [2],
    15: [26],
    17: [0, 2, 18, 19],
    19: [0, 1, 2, 3, 4, 5, 6, 7],
}
SOURCES = np.array([9, 17, 3, 6, 19, 4, 10, 5, 15, 8, 7, 18])
#: Sources of hub 0 by steps of p, those of hub 1, and the others with p = 8 and q = 4: 9 and 10
#: have no hub, 15 has one with nobody, 18 has no neighbour, 19 has 8.
HUB_0, HUB_1, LEFT = [3, 4, 5, 7, 17], [6, 8], {9, 10, 15, 18, 19}


def small() -> sb.Matrix:
    pairs = [(u, v) for u, row in ROWS.items() for v in row]
    return sb.Matrix.from_coo(*np.transpose(pairs), True, nrows=27, ncols=27)


def grouped(A: sb.Matrix, sources: Any, limits: tuple[int, int], size: int) -> list[int]:
    order = group_by_rules(A._ready(), np.asarray(sources), limits, size)
    assert sorted(order.tolist()) == list(range(len(sources)))
    return [int(source) for source in np.asarray(sources)[order]]


def test_groups_of_a_small_graph_are_those_of_the_rules() -> None:
    found = grouped(small(), SOURCES, (8, 4), 2)
    # Groups that one hub fills, then what hubs have beyond them, then all that meet no rule.
    assert found[:7] == [*HUB_0[:4], *HUB_1, 17]
    assert set(found[7:]) == LEFT
    # With groups of four hub 1 fills none: its sources come with what hub 0 has left.
    found = grouped(small(), SOURCES, (8, 4), 4)
    assert found[:7] == [*HUB_0[:4], 17, *HUB_1]
    assert set(found[7:]) == LEFT


def test_each_of_the_rules_leaves_its_sources() -> None:
    A = small()
    # Rule 1: 17 has 4 out-neighbours, 5 and 7 have 2.
    assert grouped(A, SOURCES, (4, 4), 2)[:6] == [3, 4, 5, 7, 6, 8]
    assert grouped(A, SOURCES, (2, 4), 2)[:4] == [3, 4, 6, 8]
    # Rule 2: vertex 1 has 5 out-neighbours, vertex 0 has 6, vertex 2 has 4.
    assert grouped(A, SOURCES, (8, 5), 2)[:5] == HUB_0
    assert grouped(A, SOURCES, (8, 3), 2)[:9] == [*HUB_0[:4], *HUB_1, 9, 10, 17]
    for limits in ((1, 4), (8, 6), (1 << 70, 1 << 70)):  # nobody meets both
        assert grouped(A, SOURCES, limits, 2) == grouped(A, SOURCES, (1, 0), 2)


def test_sources_that_meet_no_rule_are_shuffled_the_same_way_at_every_call() -> None:
    A, sources = sb.generate.path(500), np.arange(400)
    found = grouped(A, sources, (4, 16), 64)
    assert found == grouped(A, sources, (4, 16), 64)
    assert found != sources.tolist()
    close = sum(abs(u - v) == 1 for u, v in pairwise(found))
    assert close < 20  # as given all 399 would be


@pytest.mark.parametrize("limits", [(10, 30), (64, 8), (300, 0)])
@pytest.mark.parametrize("size", [8, 16])
def test_rules_hold_in_random_graphs(limits: tuple[int, int], size: int) -> None:
    A = sb.generate.rmat(9, 6, seed=3, directed=True)
    data, sources = A._ready(), np.random.default_rng(4).integers(0, A.nrows, 300)
    rows = [set(data.indices[data.indptr[s] : data.indptr[s + 1]].tolist()) for s in sources]
    degrees = np.diff(data.indptr)
    few = [i for i, row in enumerate(rows) if len(row) < limits[0]]
    hubs: dict[int, list[int]] = {}
    for i in few:
        others = set().union(*(rows[j] for j in few if j != i))
        shared = [v for v in rows[i] & others if degrees[v] > limits[1]]
        if shared:
            hubs.setdefault(max(shared, key=lambda v: (degrees[v], -v)), []).append(i)
    order = group_by_rules(data, sources, limits, size).tolist()
    meet = [i for members in hubs.values() for i in members]
    assert set(order[: len(meet)]) == set(meet)
    filled = sum(len(members) // size for members in hubs.values())
    assert filled
    for first in range(0, filled * size, size):
        group = order[first : first + size]
        assert any(set(group) <= set(members) for members in hubs.values())
        steps = [sum(len(rows[i]) >= p for p in (4, 16, 64, 128)) for i in group]
        assert steps == sorted(steps)


@pytest.mark.parametrize("group", ["auto", "given", (4, 16), (64, 8), (1, 0), (8, 4)])
def test_results_come_back_as_given(group: Any, device: str) -> None:
    graph = random_graph(300, 1500, seed=6)
    sources = np.random.default_rng(2).permutation(300)[:200].tolist()
    found = sb.bfs_many(matrix(graph, device), sources, outputs=EVERYTHING, batch=64, group=group)
    assert found.batch == 64
    check(found, expected(graph, sources), graph)


def test_the_groups_are_what_is_searched_together(monkeypatch: pytest.MonkeyPatch) -> None:
    from spbfs.algorithms.bfs_many import searches

    seen = []

    def watched(call: Any, rows: Any, batch: int) -> Any:
        for part in batches(call, rows, batch):
            seen.append(call.sources[part].tolist())
            yield part

    monkeypatch.setattr(searches, "batches", watched)
    monkeypatch.setattr(planner_many, "LISTED_FROM", 1 << 30)
    found = sb.bfs_many(small(), SOURCES, batch=4, group=(8, 4))
    assert [len(part) for part in seen] == [4, 4, 4]
    assert seen[0] == HUB_0[:4] and seen[1][:3] == [17, *HUB_1]
    alone = sb.bfs_many(small(), SOURCES, batch=1)
    np.testing.assert_array_equal(host(found.levels), host(alone.levels))


def test_sources_of_a_hub_lie_together() -> None:
    graph = random_graph(300, 1500, seed=6)
    data = matrix(graph, "cpu")._ready()
    sources = np.random.default_rng(2).permutation(300)[:200]
    degrees = np.diff(data.indptr)
    order = group_by_hub(data, sources)
    assert sorted(order) == list(range(200))
    keys = []
    for s in sources[order]:
        row = data.indices[data.indptr[s] : data.indptr[s + 1]]
        hub = max(row, key=lambda v: (degrees[v], -v), default=-1)
        keys.append((hub < 0, -degrees[hub] if hub >= 0 else 0, hub, -degrees[s]))
    assert keys == sorted(keys), "hubs by falling degree, sources of many neighbours first"


def orders(data: MatrixData, sources: Any) -> list[Any]:
    return [group_by_hub(data, sources), group_by_rules(data, sources, (16, 20), 32)]


def test_groups_are_the_same_on_every_engine(device: str) -> None:
    A = sb.generate.rmat(8, 4, seed=3, directed=True)
    sources = np.random.default_rng(1).integers(0, A.nrows, 300)
    found = orders(A.to(device)._ready(), sources)
    np.testing.assert_array_equal(found, orders(A._ready(), sources))
    assert not np.array_equal(*found)


def test_neighbours_are_looked_at_a_piece_at_a_time(
    device: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """So that the neighbours of many sources need no more room than those of some."""
    A = small().to(device)._ready()
    sources = np.arange(27)
    hubs, rules = group_by_hub(A, sources), group_by_rules(A, sources, (8, 4), 2)
    monkeypatch.setattr("spbfs.algorithms.bfs_many.grouping._BLOCK", 7)
    if in_host_memory(A.indptr):  # a kernel of the GPU keeps none of them
        assert np.array_equal(group_by_hub(A, sources), hubs)
    assert np.array_equal(group_by_rules(A, sources, (8, 4), 2), rules)
    assert group_by_hub(A, sources[:0]).shape == (0,)


@pytest.mark.parametrize(
    ("A", "grouped"),
    [
        (sb.generate.kronecker(13, 4, seed=3), True),
        (sb.generate.kronecker(11, 16, seed=3), False),
        (sb.generate.uniform(1 << 13, 8, seed=3), False),
    ],
    ids=["hubs", "few vertices", "no hubs"],
)
def test_sources_are_grouped_where_that_is_faster(A: sb.Matrix, grouped: bool) -> None:
    sources = np.random.default_rng(2).permutation(A.nrows)[:300]
    by_hub = sources[group_by_hub(A._ready(), sources)]

    def joint(ordered: Any, group: Any) -> int:
        found = sb.bfs_many(A, ordered, outputs="reached", batch=64, group=group)
        return found.joint

    # What their batches have in common is what tells orders apart.
    assert joint(sources, "given") != joint(by_hub, "given")
    assert joint(sources, "auto") == joint(by_hub if grouped else sources, "given")
