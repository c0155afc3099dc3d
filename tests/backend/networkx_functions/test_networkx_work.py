"""How often what NetworkX's functions call is called, and for how much: one search for many
results, and nothing found twice."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

nx = pytest.importorskip("networkx")

import spbfs.algorithms.paths.bellman_ford as rounds  # noqa: E402
from spbfs.algorithms.cohesion import similarity  # noqa: E402
from spbfs.networkx.connectivity import components  # noqa: E402
from spbfs.networkx.conversion import graph, made_graphs  # noqa: E402
from spbfs.networkx.shortest_paths import lengths, unweighted  # noqa: E402
from spbfs.networkx.traversal import breadth_first  # noqa: E402
from spbfs.networkx.vertices import order  # noqa: E402
from spbfs.objects.matrix import Matrix  # noqa: E402
from tests.backend.networkx_cases import needs_backend  # noqa: E402

Counting = Callable[[Any, str], list[tuple[Any, ...]]]


pytestmark = needs_backend


@pytest.fixture(autouse=True)
def quiet(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(nx.config, "warnings_to_ignore", {"cache"})


@pytest.fixture
def counting(monkeypatch: pytest.MonkeyPatch) -> Counting:
    """What makes a list of the arguments of every call of a module's function."""

    def counted(module: Any, name: str) -> list[tuple[Any, ...]]:
        function, calls = getattr(module, name), []

        def called(*args: Any, **kwargs: Any) -> Any:
            calls.append(args)
            return function(*args, **kwargs)

        monkeypatch.setattr(module, name, called)
        return calls

    return counted


def shifted(G: Any) -> Any:
    """Weights that potentials of the nodes shift, below 0 here and there, around no cycle."""
    for u, v, data in G.edges(data=True):
        data["weight"] = u * v % 5 + 1 + u * 31 % 64 - v * 31 % 64
    return G


def test_cycles_are_looked_for_among_those_that_moved_of_late(counting: Counting) -> None:
    G = shifted(nx.gnm_random_graph(2000, 4000, seed=1, directed=True))
    looks, products = counting(rounds, "growing_cycle"), counting(rounds.Vector, "dup")
    assert not nx.negative_edge_cycle(G, backend="spbfs")
    assert looks and len(looks) < len(products) / 4
    assert all(d.nvals < len(G) / 2 for _, d in looks)
    G.add_edge(0, 1, weight=-1000)
    assert nx.negative_edge_cycle(G, backend="spbfs") == nx.negative_edge_cycle(G)


@pytest.mark.parametrize(
    "name",
    [
        "all_pairs_dijkstra",
        "all_pairs_dijkstra_path",
        "all_pairs_dijkstra_path_length",
        "all_pairs_bellman_ford_path",
        "all_pairs_bellman_ford_path_length",
        "johnson",
    ],
)
def test_searches_from_all_nodes_are_many_at_once(counting: Counting, name: str) -> None:
    G = nx.gnm_random_graph(100, 400, seed=1, directed=True)
    nx.set_edge_attributes(G, {(u, v): u * v % 7 for u, v in G.edges}, "weight")
    alone, blocks = counting(lengths, "sssp"), counting(lengths, "_of_rows")
    found = getattr(nx, name)(G, backend="spbfs")
    if name != "johnson":
        assert not blocks
        next(found)
        assert [sources.tolist() for _, _, sources, *_ in blocks] == [[0]], "no more than asked"
        list(found)
    assert not alone and len(blocks) < 10
    assert sum(sources.shape[0] for _, _, sources, *_ in blocks) == len(G)


@pytest.mark.parametrize(
    "name", ["louvain_communities", "asyn_lpa_communities", "fast_label_propagation_communities"]
)
def test_weights_between_nodes_are_kept(counting: Counting, name: str) -> None:
    G = nx.gnm_random_graph(100, 400, seed=1)
    sums = counting(graph, "between")
    for seed in (1, 2):
        list(getattr(nx.community, name)(G, seed=seed, backend="spbfs"))
    assert len(sums) == 1


@pytest.mark.parametrize("name", ["jaccard_coefficient", "cn_soundarajan_hopcroft"])
def test_loops_are_looked_for_once(counting: Counting, name: str) -> None:
    G = nx.gnm_random_graph(100, 400, seed=1)
    nx.set_node_attributes(G, {u: u % 3 for u in G}, "community")
    looks = counting(Matrix, "diag")
    for _ in range(3):
        list(getattr(nx, name)(G, list(G.edges), backend="spbfs"))
    assert len(looks) == 1, "a matrix once"


@pytest.mark.parametrize("name", ["cn_soundarajan_hopcroft", "within_inter_cluster"])
def test_neighbours_of_a_community_are_counted_with_all(counting: Counting, name: str) -> None:
    G = nx.gnm_random_graph(100, 400, seed=1)
    nx.set_node_attributes(G, {u: u % 3 for u in G}, "community")
    counts, matrices = counting(similarity, "common_neighbours"), counting(Matrix, "from_csr")
    for _ in range(2):
        list(getattr(nx, name)(G, list(G.edges), backend="spbfs"))
    assert len(counts) == 2, "a call once"
    assert len(matrices) == 2, "the graph, and one that has it beside the edges of communities"


@pytest.mark.parametrize("name", ["adamic_adar_index", "resource_allocation_index"])
def test_weights_of_common_neighbours_are_kept(counting: Counting, name: str) -> None:
    G = nx.gnm_random_graph(100, 400, seed=1)
    made = counting(graph, "weighted")
    found = [list(getattr(nx, name)(G, list(G.edges), backend="spbfs")) for _ in range(2)]
    assert found[0] == found[1]
    assert len(made) == 1
    G.add_edge(0, 1)
    list(getattr(nx, name)(G, list(G.edges), backend="spbfs"))
    assert len(made) == 2


def test_edges_are_put_in_order_in_one_call(counting: Counting) -> None:
    G = nx.gnm_random_graph(100, 400, seed=1)
    edges, tails = counting(breadth_first, "edges_in_order"), counting(unweighted, "tails_in_order")
    assert len(list(nx.bfs_labeled_edges(G, 0, backend="spbfs"))) == 400
    nx.predecessor(G, 0, backend="spbfs")
    assert len(edges) == len(tails) == 1


@pytest.mark.parametrize("kind", [nx.Graph, nx.DiGraph])
def test_rows_of_a_graph_are_made_once(counting: Counting, kind: Any) -> None:
    G = kind(nx.gnm_random_graph(50, 200, seed=1))
    made = counting(made_graphs, "adjacency")
    near = nx.ego_graph(G, 0, radius=2, backend="spbfs")
    assert near.number_of_edges() > 50
    assert len(made) == 1, "both sides at once, their entries not put in order before"


def test_sets_are_made_without_sorting(counting: Counting) -> None:
    G = nx.gnm_random_graph(100, 80, seed=1, directed=True)
    sorts, rows = counting(components.np, "argsort"), counting(components, "by_row")
    found = nx.strongly_connected_components(G, backend="spbfs")
    assert not rows
    assert isinstance(next(found), set) and len(rows) == 1 and not sorts


def test_all_paths_are_listed_in_one_call_a_source(counting: Counting) -> None:
    G = nx.gnm_random_graph(40, 120, seed=1, directed=True)
    lists = counting(unweighted, "every_path_list")
    found = dict(nx.all_pairs_all_shortest_paths(G, backend="spbfs"))
    assert len(lists) == len(G)
    expected = dict(nx.all_pairs_all_shortest_paths(G))
    assert list(found) == list(expected)
    assert {u: set(paths) for u, paths in found.items()} == {u: set(p) for u, p in expected.items()}
    assert all(
        sorted(paths) == sorted(expected[u][v])
        for u, row in found.items()
        for v, paths in row.items()
    )
    a, b = found[0], nx.single_source_shortest_path(G, 0, backend="spbfs")
    assert all(path in a[v] and path is not a[v] for v, path in b.items())


@pytest.mark.parametrize("name", ["all_pairs_shortest_path", "all_pairs_shortest_path_length"])
def test_searches_in_order_from_all_nodes_are_many_at_once(counting: Counting, name: str) -> None:
    G = nx.gnm_random_graph(100, 150, seed=1, directed=True)
    calls = counting(order, "bfs_orders")
    found = getattr(nx, name)(G, backend="spbfs")
    first = next(found)
    assert [sources.tolist() for _, sources, _ in calls] == [[0]], "no more than asked"
    assert dict([first, *found]) == dict(getattr(nx, name)(G))
    assert len(calls) < 10 and sum(sources.shape[0] for _, sources, _ in calls) == len(G)
    cut = getattr(nx, name)(G, cutoff=2, backend="spbfs")
    assert [list(row.items()) for _, row in cut] == [
        list(row.items()) for _, row in getattr(nx, name)(G, cutoff=2)
    ]
