"""The command line: what it prints and what it writes."""

from __future__ import annotations

import inspect
import json
import signal
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import networkx as nx
import numpy as np
import pytest

import spbfs
from spbfs import generate
from spbfs.cli.commands import info
from spbfs.cli.parsing.generators import GENERATORS
from spbfs.cli.shared import formatting, search_report

KARATE = Path(__file__).parents[3] / "examples" / "data" / "karate.mtx"
Run = Callable[..., tuple[int, str, str]]


# -- bfs ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("device", ["auto", "cpu", "reference"])
def test_bfs_json_tells_what_the_search_found(run: Run, device: str) -> None:
    code, out, err = run("bfs", KARATE, "--source", 0, "--device", device, "--json", "--verify")
    assert (code, err, out.count("\n")) == (0, "", 1)
    record = json.loads(out)
    assert {
        k: record[k] for k in ("vertices", "entries", "source", "reached", "depth", "edges")
    } == {
        "vertices": 34,
        "entries": 156,
        "source": 0,
        "reached": 34,
        "depth": 3,
        "edges": 156,
    }
    assert record["device"] == ("reference" if device == "reference" else record["device"])
    assert record["verified"] is True
    assert record["seconds"] > 0
    assert record["teps"] == pytest.approx(156 / record["seconds"])


def test_bfs_without_json_is_for_people(run: Run) -> None:
    code, out, err = run("bfs", KARATE, "--source", 33, "--threads", 1)
    assert (code, err) == (0, "")
    for said in ("34 vertices, 156 entries", "100.0% of all", "TEPS"):
        assert said in out
    distances = nx.single_source_shortest_path_length(nx.karate_club_graph(), 33)
    sizes = np.bincount(list(distances.values()))
    table = [line.split() for line in out.split("vertices\n")[1].splitlines()]
    assert table == [[str(level), str(size)] for level, size in enumerate(sizes)]


def test_bfs_sums_up_many_levels(run: Run, tmp_path: Path) -> None:
    run("generate", "path", 500, "-o", tmp_path / "path.npz")
    _, out, _ = run("bfs", tmp_path / "path.npz", "--source", 0)
    left = 500 - search_report.LISTED
    assert f"... {left} more levels, {left} vertices" in out


@pytest.mark.parametrize("device", ["cpu", "reference"])
def test_bfs_stops_at_the_depth_asked_for(run: Run, device: str) -> None:
    _, out, _ = run(
        "bfs", KARATE, "--source", 0, "--depth", 1, "--json", "--verify", "--device", device
    )
    record = json.loads(out)
    assert (record["depth"], record["reached"]) == (1, 17)


@pytest.mark.parametrize("device", ["cpu", "reference"])
def test_bfs_from_the_nearest_of_several(run: Run, tmp_path: Path, device: str) -> None:
    output = tmp_path / "levels.npz"
    code, out, _ = run(
        *("bfs", KARATE, "--source", 0, "--source", 33, "--json", "--verify"),
        *("--output", output, "--device", device),
    )
    assert code == 0
    assert json.loads(out)["source"] == [0, 33]
    expected = nx.multi_source_dijkstra_path_length(nx.karate_club_graph(), {0, 33}, weight=None)
    with np.load(output) as arrays:
        assert arrays["levels"].tolist() == [expected[v] for v in range(34)]
        assert arrays["sources"].tolist() == [0, 33]


def test_bfs_output_marks_what_was_not_reached(run: Run, tmp_path: Path) -> None:
    graph, output = tmp_path / "two.el", tmp_path / "levels.npz"
    graph.write_text("0 1\n1 0\n2 3\n3 2\n")
    assert run("bfs", graph, "--source", 0, "--output", output)[0] == 0
    with np.load(output) as arrays:
        assert arrays["levels"].tolist() == [0, 1, -1, -1]
        assert arrays["parents"].tolist() == [0, 0, -1, -1]
    assert sorted(p.name for p in tmp_path.iterdir()) == ["levels.npz", "two.el"]


def test_bfs_output_replaces_the_old_file_or_leaves_it(
    run: Run, failed: Callable[..., str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    output = tmp_path / "levels.npz"
    output.write_bytes(b"old")

    def full(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(np, "savez", full)
        said = failed("bfs", KARATE, "--source", 0, "--output", output, "--force")
    assert "No space left" in said
    assert [p.read_bytes() for p in tmp_path.iterdir()] == [b"old"]
    assert "--force overwrites it" in failed("bfs", KARATE, "--source", 0, "--output", output)
    assert output.read_bytes() == b"old"
    assert run("bfs", KARATE, "--source", 0, "--output", output, "--force")[0] == 0
    with np.load(output) as arrays:
        assert arrays["levels"].size == 34


# -- the other commands ------------------------------------------------------------------------


def test_trace_prints_a_line_for_every_level(run: Run) -> None:
    code, out, _ = run("trace", KARATE, "--source", 0, "--direction", "push")
    assert code == 0
    header, *rows = [line.split() for line in out.split("\n\n")[0].splitlines()]
    assert header == ["level", "direction", "strategy", "frontier", "edges", "time"]
    assert {row[1] for row in rows[:-1]} == {"push"}
    assert [row[3] for row in rows] == ["1", "16", "9", "8"]


def test_trace_takes_strategies_level_by_level(run: Run) -> None:
    options = ("trace", KARATE, "--source", 0, "--device", "cpu", "--strategy")
    code, out, _ = run(*options, "TC,BC,TC")
    assert code == 0
    rows = [line.split() for line in out.split("\n\n")[0].splitlines()[1:]]
    assert [row[2] for row in rows[:3]] == ["TC", "BC", "TC"]
    assert run(*options, "auto")[0] == 0
    code, _, said = run(*options, "TC,XY")
    assert code and "--strategy: expected one of TC" in said
    assert run("trace", KARATE, "--source", 0, "--device", "cpu", "--strategy", "TG")[0]


def test_trace_json_adds_levels_to_what_bfs_says(run: Run) -> None:
    record = json.loads(run("trace", KARATE, "--source", 0, "--json")[1])
    assert record["reached"] == 34
    assert [level["level"] for level in record["levels"]] == list(range(len(record["levels"])))
    assert sum(level["frontier"] for level in record["levels"]) == 34
    graph = nx.karate_club_graph()
    distances = nx.single_source_shortest_path_length(graph, 0)
    for level in record["levels"]:
        members = [v for v, distance in distances.items() if distance == level["level"]]
        assert level["edges"] == sum(graph.degree[v] for v in members)


def test_a_level_that_is_not_expanded_has_edges_all_the_same(run: Run) -> None:
    record = json.loads(run("trace", KARATE, "--source", 0, "--depth", 1, "--json")[1])
    last = record["levels"][-1]
    assert (last["direction"], last["frontier"]) == ("none", 16) and last["edges"] > 0
    assert sum(level["edges"] for level in record["levels"]) == record["edges"]


def test_info_json(run: Run, tmp_path: Path) -> None:
    graph = tmp_path / "directed.el"
    graph.write_text("# Nodes: 6\n0 1\n0 2\n1 1\n3 4\n")
    code, out, _ = run("info", graph, "--json")
    assert code == 0
    record = json.loads(out)
    assert record.pop("graph") == str(graph)
    assert record.pop("bytes") > 0
    assert record == {
        "vertices": 6,
        "entries": 4,
        "dtype": "BOOL",
        "symmetric": False,
        "self_loops": 1,
        "isolated": 1,
        "degrees": {
            "mean": pytest.approx(4 / 6),
            "minimum": 0,
            "25%": 0,
            "median": 0,
            "75%": 1,
            "99%": 1,
            "maximum": 2,
        },
        "components": 3,
        "largest_component": 3,
    }


def test_info_for_people(run: Run) -> None:
    code, out, _ = run("info", KARATE)
    assert code == 0
    for said in ("34", "156 stored", "symmetric   yes", "1 weakly connected", "median"):
        assert said in out


def test_info_agrees_with_networkx_on_components() -> None:
    A = generate.uniform(400, 1.2, seed=5)
    graph = nx.from_scipy_sparse_array(A.to_scipy())
    found = info.describe(A)
    sizes = [len(c) for c in nx.connected_components(graph)]
    assert (found["components"], found["largest_component"]) == (len(sizes), max(sizes))
    assert found["isolated"] == nx.number_of_isolates(graph)
    assert found["symmetric"]


@pytest.mark.parametrize("seed", range(6))
def test_components_of_many_graphs(seed: int) -> None:
    rng = np.random.default_rng(seed)
    n = int(rng.integers(1, 60))
    graph = nx.gnm_random_graph(n, int(rng.integers(0, 80)), seed=seed, directed=True)
    found = info.describe(spbfs.Matrix.from_networkx(graph))
    sizes = [len(c) for c in nx.weakly_connected_components(graph)]
    assert (found["components"], found["largest_component"]) == (len(sizes), max(sizes))


def test_info_shows_how_far_it_is(capsys: pytest.CaptureFixture[str]) -> None:
    info.describe(generate.path(9), True)
    assert f"{len(info.STEPS)}" in capsys.readouterr().err
    info.describe(generate.path(9))
    assert capsys.readouterr().err == ""


def test_info_hears_control_c() -> None:
    A = generate.uniform(300_000, 16, seed=1)
    timer = threading.Timer(0.05, signal.raise_signal, [signal.SIGINT])
    began = time.perf_counter()
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        while True:
            info.describe(A)
    timer.join()
    assert time.perf_counter() - began < 10


def test_info_of_nothing(run: Run, tmp_path: Path) -> None:
    run("generate", "path", 0, "-o", tmp_path / "none.npz")
    record = json.loads(run("info", tmp_path / "none.npz", "--json")[1])
    assert (record["vertices"], record["components"], record["largest_component"]) == (0, 0, 0)


ARGUMENTS = {
    "kronecker": (6, "--edge-factor", 4, "--seed", 3),
    "rmat": (6, "--a", 0.4, "--b", 0.3, "--c", 0.2, "--directed"),
    "uniform": (50, 4, "--seed", 9),
    "small_world": (50, "--k", 4, "--p", 0.5),
    "grid2d": (4, 6),
    "grid3d": (3,),
    "delaunay": (40,),
    "road": (60, "--degree", 2.5),
    "path": (7,),
    "star": (7,),
    "complete": (7,),
    "tree": (2, 4),
}
CALLS: dict[str, Callable[[], Any]] = {
    "kronecker": lambda: generate.kronecker(6, 4, seed=3),
    "rmat": lambda: generate.rmat(6, a=0.4, b=0.3, c=0.2, directed=True),
    "uniform": lambda: generate.uniform(50, 4, seed=9),
    "small_world": lambda: generate.small_world(50, k=4, p=0.5),
    "grid2d": lambda: generate.grid2d(4, 6),
    "grid3d": lambda: generate.grid3d(3),
    "delaunay": lambda: generate.delaunay(40),
    "road": lambda: generate.road(60, 2.5),
    "path": lambda: generate.path(7),
    "star": lambda: generate.star(7),
    "complete": lambda: generate.complete(7),
    "tree": lambda: generate.tree(2, 4),
}


@pytest.mark.parametrize("kind", generate.__all__)
def test_generate_writes_what_the_function_returns(run: Run, tmp_path: Path, kind: str) -> None:
    output = tmp_path / "graph.npz"
    code, out, err = run("generate", kind, *ARGUMENTS[kind], "-o", output)
    assert (code, err) == (0, "")
    expected = CALLS[kind]()
    assert spbfs.read(output).isequal(expected)
    assert f"{expected.nrows} vertices" in out


def test_generate_offers_every_generator_with_its_defaults() -> None:
    assert sorted(GENERATORS) == sorted(generate.__all__)
    for kind, (_, positional, options) in GENERATORS.items():
        signature = inspect.signature(getattr(generate, kind))
        # A bar is shown wherever there is a terminal.
        parameters = {k: v for k, v in signature.parameters.items() if k != "progress"}
        offered = {name.replace("-", "_"): default for name, _, default, _ in positional + options}
        assert sorted(offered) == sorted(parameters), kind
        for name, parameter in parameters.items():
            required = parameter.default is inspect.Parameter.empty
            # A side that follows another is None to the function, named in the help.
            expected = None if required else parameter.default
            if not isinstance(offered[name], str):
                assert offered[name] == expected, (kind, name)


@pytest.mark.parametrize("extension", ["mtx", "el", "csv", "graph", "npz", "sg", "mtx.gz"])
def test_convert_keeps_the_graph(run: Run, tmp_path: Path, extension: str) -> None:
    output = tmp_path / f"karate.{extension}"
    code, out, err = run("convert", KARATE, output)
    assert (code, err) == (0, "")
    assert "34 vertices, 156 entries" in out
    assert spbfs.read(output).isequal(spbfs.read(KARATE))


# -- numbers as people read them ---------------------------------------------------------------


def test_numbers_are_scaled() -> None:
    assert formatting.count(1234567) == "1,234,567"
    assert formatting.size(10 * 2**20) == "10 MiB"
    assert formatting.size(2**50) == "1024 TiB"
    assert formatting.rate(2.5e9) == "2.5 GTEPS"
    assert [formatting.seconds(s) for s in (1.5, 0.0123, 4.2e-6)] == ["1.5 s", "12.3 ms", "4.2 us"]


def test_json_has_null_for_what_nobody_knows(capsys: pytest.CaptureFixture[str]) -> None:
    from spbfs.cli.shared.formatting import print_json

    print_json({"seconds": float("nan"), "levels": [{"rate": float("inf"), "read": 3, "of": "x"}]})
    expected = {"seconds": None, "levels": [{"rate": None, "read": 3, "of": "x"}]}
    assert json.loads(capsys.readouterr().out) == expected
