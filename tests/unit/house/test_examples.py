"""Every example runs as a program, and what it computes is right."""

from __future__ import annotations

import importlib.util
import os
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import networkx as nx
import numpy as np
import pytest
from scipy.sparse.csgraph import bellman_ford, connected_components, dijkstra

import spbfs as sb
from spbfs import Matrix

EXAMPLES = Path(__file__).parents[3] / "examples"
SMALL = {"demo": ("--scale", "10", "--searches", "3")}


def load(name: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(f"example_{name}", EXAMPLES / f"{name}.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("name", sorted(path.stem for path in EXAMPLES.glob("*.py")))
def test_example_runs(name: str) -> None:
    done = subprocess.run(
        [sys.executable, "-W", "error", str(EXAMPLES / f"{name}.py"), *SMALL.get(name, ())],
        capture_output=True,
        text=True,
        check=False,
        timeout=200,
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.strip()


def test_demo_shows_the_karate_club_in_full(capsys: pytest.CaptureFixture[str]) -> None:
    load("demo").karate_club()
    out = capsys.readouterr().out
    assert "34 members, 78 friendships" in out
    graph = nx.karate_club_graph()
    distances = nx.single_source_shortest_path_length(graph, 0)
    for line in out.split("vertex<-parent:\n")[1].splitlines():
        level, _, members = line.removeprefix("  level ").partition(": ")
        for vertex, parent in (member.split("<-") for member in members.split()):
            assert distances.pop(int(vertex)) == int(level)
            assert vertex == parent == "0" or graph.has_edge(int(vertex), int(parent))
    assert not distances


def test_karate_is_the_graph_that_networkx_has() -> None:
    A = sb.read(EXAMPLES / "data" / "karate.mtx").to_scipy()
    expected = nx.to_scipy_sparse_array(nx.karate_club_graph(), weight=None)
    assert ((A != 0) != (expected != 0)).nnz == 0


def test_six_lines_measure_distances() -> None:
    A = sb.generate.small_world(60, 4, 0.2, seed=3)
    distances = nx.single_source_shortest_path_length(nx.from_scipy_sparse_array(A.to_scipy()), 5)
    levels = load("six_lines").levels_from(A, 5).to_dense(fill_value=-1)
    assert levels.tolist() == [distances.get(v, -1) for v in range(60)]


def test_routes_are_shortest() -> None:
    route = load("networkx_routes").route
    graph = nx.les_miserables_graph()
    graph.add_node("Nobody")
    for start, end in (("Napoleon", "Gavroche"), ("Valjean", "Valjean"), ("Cosette", "Napoleon")):
        steps = route(graph, start, end)
        assert (steps[0], steps[-1]) == (start, end)
        assert nx.is_path(graph, steps)
        assert len(steps) - 1 == nx.shortest_path_length(graph, start, end)
    assert route(graph, "Valjean", "Nobody") == []


def test_composed_paths_and_components_agree_with_scipy() -> None:
    module = load("compose_your_own")
    rng = np.random.default_rng(11)
    rows, columns = rng.integers(0, 80, size=(2, 200))
    A = Matrix.from_coo(
        rows, columns, rng.integers(1, 9, 200).astype(float), nrows=80, ncols=80, dup_op="min"
    )
    distances = module.shortest_paths(A, 3).to_dense(fill_value=np.inf)
    np.testing.assert_array_equal(distances, bellman_ford(A.to_scipy(), indices=3))

    islands = sb.generate.uniform(300, 1.0, seed=2)
    labels = module.components(islands).to_dense()
    _, expected = connected_components(islands.to_scipy())
    for component in range(expected.max() + 1):
        members = np.flatnonzero(expected == component)
        assert set(labels[members]) == {members.min()}


def test_closeness_ranks_and_draws(tmp_path: Path) -> None:
    image = tmp_path / "closeness.png"
    done = subprocess.run(
        [sys.executable, str(EXAMPLES / "closeness.py"), "--top", "3", "--plot", str(image)],
        capture_output=True,
        text=True,
        check=True,
        timeout=100,
    )
    centrality = nx.closeness_centrality(nx.karate_club_graph())
    best = sorted(centrality, key=lambda v: -centrality[v])[:3]
    assert [int(line.split()[0]) for line in done.stdout.splitlines()[2:5]] == best
    assert image.read_bytes().startswith(b"\x89PNG")


def test_six_degrees_counts_pairs() -> None:
    A = sb.generate.small_world(60, 4, 0.2, seed=3)
    pairs = load("six_degrees").distances(A, 60)
    graph = nx.from_scipy_sparse_array(A.to_scipy())
    found = [d for row in dict(nx.all_pairs_shortest_path_length(graph)).values()
             for d in row.values()]  # fmt: skip
    assert pairs.tolist() == np.bincount(found).tolist()


def test_junctions_within_a_distance() -> None:
    module = load("roads_within")
    A, places = module.roads(300)
    near = module.within(A, 7, 2500.0)
    expected = dijkstra(A.to_scipy(), indices=7, limit=2500.0)
    np.testing.assert_allclose(near.to_dense(fill_value=np.inf), expected)
    assert 5 < near.nvals < 300 and places.shape == (300, 2)


def test_widest_paths_are_those_of_a_search() -> None:
    rng = np.random.default_rng(2)
    rows, columns = rng.integers(0, 60, (2, 200))
    A = Matrix.from_coo(rows, columns, rng.random(200), nrows=60, ncols=60, dup_op="max")
    width = load("fifteen_lines").widest(A, 3)
    for least in (0.2, 0.4, 0.6):
        wide = sb.bfs(A.select(">=", least).new(), 3).levels
        assert width.select(">=", least).new().to_coo()[0].tolist() == wide.to_coo()[0].tolist()


@pytest.mark.parametrize("name", ["roads_within", "nearest_facility", "trace_plot"])
def test_pictures_of_examples(name: str, tmp_path: Path) -> None:
    image = tmp_path / "picture.png"
    command = [sys.executable, "-W", "error", str(EXAMPLES / f"{name}.py"), "--plot", str(image)]
    environment = os.environ | {"MPLBACKEND": "Agg"}
    subprocess.run(command, check=True, capture_output=True, timeout=200, env=environment)
    assert image.read_bytes().startswith(b"\x89PNG")


def test_every_example_is_in_their_list() -> None:
    listed = (EXAMPLES / "README.md").read_text(encoding="utf-8")
    for path in EXAMPLES.rglob("*.[pi][yp]*"):
        assert f"({path.relative_to(EXAMPLES).as_posix()})" in listed


def test_a_negative_cycle_is_an_error() -> None:
    A = Matrix.from_coo([0, 1, 2], [1, 2, 0], [1.0, -3.0, 1.0], nrows=3, ncols=3)
    with pytest.raises(ValueError, match="negative"):
        load("compose_your_own").shortest_paths(A, 0)


def test_an_algorithm_of_ones_own_solves_its_equation() -> None:
    A = sb.generate.uniform(50, 3.0, seed=4)
    S = A.to_scipy().toarray().astype(float)
    degree = S.sum(axis=1)
    flow = np.where(degree > 0, 6 / np.maximum(degree * (degree + 6), 1), 0)
    expected = np.linalg.solve(np.eye(50) - (S * flow[:, None]).T, np.full(50, 1 / 50))
    np.testing.assert_allclose(load("own_algorithm").tired_walk(A).to_dense(), expected, rtol=1e-4)
