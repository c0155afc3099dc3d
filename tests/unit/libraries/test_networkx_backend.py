"""How NetworkX finds the backend, what it learns of it, and when a conversion is kept."""

from __future__ import annotations

import copy
import inspect
import pickle
import subprocess
import sys
import tomllib
from collections import Counter
from functools import wraps
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from spbfs.networkx.functions import FUNCTIONS
from spbfs.networkx.info import get_info
from spbfs.networkx.interface import SMALL, backend
from tests.backend.networkx_cases import needs_backend, undirected
from tests.outside.networkx import PAGE, table

nx = pytest.importorskip("networkx")

ROOT = Path(__file__).parents[3]


def test_every_function_is_networkx_s_and_has_its_parameters() -> None:
    known = nx.utils.backends._registered_algorithms
    for name in FUNCTIONS:
        theirs = inspect.signature(known[name].orig_func).parameters
        ours = inspect.signature(getattr(backend, name)).parameters
        assert list(ours) == list(theirs), name
        for parameter in theirs:
            assert ours[parameter].default == theirs[parameter].default, (name, parameter)
            assert ours[parameter].kind == theirs[parameter].kind, (name, parameter)


def test_arguments_left_to_networkx_are_parameters() -> None:
    for name, function in FUNCTIONS.items():
        assert set(function.without) <= set(inspect.signature(getattr(backend, name)).parameters)


def test_info_names_what_there_is() -> None:
    info = get_info()
    assert set(info["functions"]) == set(FUNCTIONS)
    assert info["default_config"] == {"device": "cpu"}


@pytest.mark.skipif(not (ROOT / "pyproject.toml").exists(), reason="needs the checkout")
def test_entry_points_lead_here() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    points = project["entry-points"]
    assert points["networkx.backends"] == {"spbfs": "spbfs.networkx.interface:backend"}
    assert points["networkx.backend_info"] == {"spbfs": "spbfs.networkx.info:get_info"}


@needs_backend
def test_importing_networkx_imports_little_of_ours() -> None:
    ours = "sorted(m for m in sys.modules if m.partition('.')[0] == 'spbfs')"
    program = f"import sys, networkx; print(*{ours})"
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True, timeout=120
    )
    modules = ["spbfs", "spbfs.networkx", "spbfs.networkx.functions", "spbfs.networkx.info"]
    assert done.stdout.split() == modules


@needs_backend
def test_a_conversion_is_kept_until_the_graph_changes() -> None:
    graph = undirected()["random"]
    before = nx.shortest_path_length(graph, 0, backend="spbfs")
    kept = graph.__networkx_cache__["backends"]["spbfs"]
    (first,) = kept.values()
    with pytest.warns(UserWarning, match="cached graph is being used"):
        nx.shortest_path_length(graph, 0, backend="spbfs")
    assert list(kept.values()) == [first]
    graph.add_edge(0, "new")
    assert "backends" not in graph.__networkx_cache__
    assert nx.shortest_path_length(graph, 0, backend="spbfs") == before | {"new": 1}


@needs_backend
def test_conversions_for_other_weights_share_nodes_and_edges() -> None:
    graph = undirected()["random"]
    first = backend.convert_from_nx(graph)
    graph.__networkx_cache__["backends"] = {"spbfs": {"key": first}}
    second = backend.convert_from_nx(graph, edge_attrs={"weight": 1})
    assert second.structure is first.structure
    assert second.weights("weight").values.sum() == 2 * sum(
        data.get("weight", 1) for *_, data in graph.edges(data=True)
    )


def test_what_is_left_to_networkx() -> None:
    graph = nx.path_graph(4)
    assert backend.can_run("bfs_edges", (graph, 0), {}) is True
    assert backend.can_run("bfs_edges", (graph, 0), {"sort_neighbors": None}) is True
    assert backend.can_run("bfs_edges", (graph, 0), {"sort_neighbors": sorted}) != True  # noqa: E712
    assert backend.can_run("bfs_edges", (graph, 0, False, 3, sorted), {}) != True  # noqa: E712
    assert isinstance(backend.should_run("bfs_edges", (graph, 0), {}), str)
    assert backend.should_run("bfs_edges", (), {"G": nx.path_graph(SMALL), "source": 0}) is True


@pytest.mark.parametrize("name", list(FUNCTIONS))
def test_graphs_of_other_classes_are_left_to_networkx(name: str) -> None:
    """They may say anew what a graph's length, degrees or edges are."""

    class Long(nx.Graph):  # type: ignore[misc]
        def __len__(self) -> int:
            return 10**6

    for graph in (nx.check_planarity(nx.cycle_graph(6))[1], Long([(0, 1)])):
        assert "class" in str(backend.can_run(name, (graph,), {}))
        assert "class" in str(backend.can_run(name, (), {"G": graph}))
    frozen = nx.freeze(nx.path_graph(4))
    assert backend.can_run("bfs_edges", (frozen.subgraph([0, 1]), 0), {}) is True


def test_a_value_that_is_compared_element_by_element() -> None:
    given = {"strategy": np.array(["largest_first", "DSATUR"])}
    assert "strategy is" in str(backend.can_run("greedy_color", (nx.path_graph(4),), given))


@pytest.mark.parametrize(
    "name",
    [
        "clustering",
        "average_clustering",
        "triangles",
        "square_clustering",
        "generalized_degree",
        "reciprocity",
    ],
)
def test_few_nodes_are_left_to_networkx(name: str) -> None:
    graph = nx.random_regular_graph(4, 3000, seed=1)
    graph = graph.to_directed() if name == "reciprocity" else graph
    for nodes in (0, [0], range(3), {1: 2}, [0, 99999, [1]], []):
        assert "few" in str(backend.should_run(name, (graph, nodes), {})), nodes
    for nodes in (None, list(graph), 99999, iter([0])):
        assert backend.should_run(name, (graph,), {"nodes": nodes}) is True
    hub = nx.star_graph(10_000)
    hub = hub.to_directed() if name == "reciprocity" else hub
    assert backend.should_run(name, (hub, 0), {}) is True


def test_a_single_step_is_left_to_networkx() -> None:
    graph = nx.path_graph(SMALL)
    assert "depth_limit" in str(backend.should_run("bfs_edges", (graph, 0, False, 1), {}))
    for name in ("single_source_shortest_path_length", "predecessor"):
        for cutoff in (1, 1.0, True):
            assert "cutoff" in str(backend.should_run(name, (graph, 0), {"cutoff": cutoff}))
        # To the latter 0 is no limit.
        for other in (None, 0, 2, "1"):
            assert backend.should_run(name, (graph, 0), {"cutoff": other}) is True
    # Of weights nobody knows how far 1 is.
    assert backend.should_run("dijkstra_predecessor_and_distance", (graph, 0, 1), {}) is True


@needs_backend
def test_a_graph_is_pickled_without_its_conversion() -> None:
    """So that it can be loaded where there is no spbfs, and is no larger."""
    graph = undirected()["connected"]
    plain = len(pickle.dumps(graph))
    nx.dijkstra_path_length(graph, 0, 5, backend="spbfs")
    assert graph.__networkx_cache__["backends"]["spbfs"]
    written = pickle.dumps(graph)
    assert len(written) < plain + 200
    program = (
        "import pickle, sys; sys.modules['spbfs'] = None; "
        "graph = pickle.loads(sys.stdin.buffer.read()); print(len(graph), graph.size())"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], input=written, capture_output=True, check=True, timeout=120
    )
    assert done.stdout.split() == [str(len(graph)).encode(), str(graph.size()).encode()]
    wanted = nx.dijkstra_path_length(graph, 0, 5)
    for other in (
        pickle.loads(written),
        copy.deepcopy(graph),
        pickle.loads(pickle.dumps(graph, 0)),
    ):
        # What is left in the cache is taken for no conversion.
        assert nx.dijkstra_path_length(other, 0, 5, backend="spbfs") == wanted
        (kept,) = other.__networkx_cache__["backends"]["spbfs"].values()
        assert len(kept) == len(graph)


def test_views_whose_edges_have_two_weights_are_left_to_networkx() -> None:
    one_way = nx.DiGraph([(0, 1, {"weight": 2}), (1, 0, {"weight": 3})])
    view = one_way.to_undirected(as_view=True)
    assert view[0][1] != view[1][0]
    assert "two weights" in str(backend.can_run("bfs_edges", (view, 0), {}))
    several = nx.MultiDiGraph(one_way).to_undirected(as_view=True)
    assert backend.can_run("dijkstra_path", (several, 0, 1), {}) != True  # noqa: E712
    for graph in (one_way, one_way.to_undirected(), nx.subgraph_view(one_way)):
        assert backend.can_run("bfs_edges", (graph, 0), {}) is True


@needs_backend
def test_small_graphs_are_left_to_networkx(monkeypatch: pytest.MonkeyPatch) -> None:
    ran = []
    known = backend.has_path

    @wraps(known)
    def noted(*args: Any) -> bool:
        ran.append(args)
        return known(*args)

    monkeypatch.setattr(backend, "has_path", noted)
    with nx.config(backend_priority=["spbfs"]):
        assert nx.has_path(nx.path_graph(SMALL - 1), 0, 1)
        assert not ran
        assert nx.has_path(nx.path_graph(SMALL), 0, 1)
        assert len(ran) == 1


@needs_backend
def test_weights_that_are_no_numbers_are_left_to_networkx() -> None:
    graph = nx.path_graph(SMALL)
    nx.set_edge_attributes(graph, "far", "weight")
    with pytest.raises(NotImplementedError, match="weight"):
        backend.convert_from_nx(graph, edge_attrs={"weight": 1})


def test_a_converted_graph_goes_back() -> None:
    for graph in undirected().values():
        back = backend.convert_to_nx(backend.convert_from_nx(graph))
        assert nx.utils.graphs_equal(graph, back)
        assert back.is_multigraph() == graph.is_multigraph()
    assert backend.convert_to_nx(3) == 3


@pytest.mark.skipif(not PAGE.exists(), reason="needs the checkout")
def test_the_page_lists_what_there_is() -> None:
    listed = [line for line in PAGE.read_text().splitlines() if line.startswith("| `")]
    assert [line.rpartition("| ")[0][:-1] for line in listed] == [
        row.rpartition("| ")[0][:-1] for row in table(Counter())
    ]
