"""The command line: what it prints, what it writes, how it fails."""

from __future__ import annotations

import argparse
import inspect
import json
import os
import re
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import networkx as nx
import numpy as np
import pytest

import spbfs
from spbfs import cli, generate
from spbfs.cli import _bfs, _info, _text
from spbfs.cli._parser import GENERATORS, build_parser

KARATE = Path(__file__).parents[2] / "examples" / "data" / "karate.mtx"
Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Run:
    """Call the command in this process: exit code, standard output, standard error."""

    def call(*arguments: object) -> tuple[int, str, str]:
        code = cli.main([str(a) for a in arguments])
        out, err = capsys.readouterr()
        return code, out, err

    return call


@pytest.fixture
def failed(run: Run) -> Callable[..., str]:
    """Call the command expecting a failure told in one line; return the line."""

    def call(*arguments: object, code: int = 1) -> str:
        got, out, err = run(*arguments)
        assert (got, out) == (code, "")
        assert re.fullmatch(r"spbfs: error: .+\n", err), err
        return err

    return call


def command(*arguments: object, **options: Any) -> subprocess.CompletedProcess[str]:
    """Call the command as a process of its own."""
    return subprocess.run(
        [sys.executable, "-m", "spbfs", *map(str, arguments)],
        stderr=subprocess.PIPE,
        text=True,
        timeout=120,
        check=False,
        **options,
    )


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
    assert f"... {500 - _bfs.LISTED} more levels, {500 - _bfs.LISTED} vertices" in out


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
        said = failed("bfs", KARATE, "--source", 0, "--output", output)
    assert "No space left" in said
    assert [p.read_bytes() for p in tmp_path.iterdir()] == [b"old"]
    assert run("bfs", KARATE, "--source", 0, "--output", output)[0] == 0
    with np.load(output) as arrays:
        assert arrays["levels"].size == 34


# -- the other commands ------------------------------------------------------------------------


def test_trace_prints_a_line_for_every_level(run: Run) -> None:
    code, out, _ = run("trace", KARATE, "--source", 0, "--direction", "push")
    assert code == 0
    header, *rows = [line.split() for line in out.split("\n\n")[0].splitlines()]
    assert header == ["level", "direction", "frontier", "edges", "time"]
    assert {row[1] for row in rows[:-1]} == {"push"}
    assert [row[2] for row in rows] == ["1", "16", "9", "8"]


def test_trace_json_adds_levels_to_what_bfs_says(run: Run) -> None:
    record = json.loads(run("trace", KARATE, "--source", 0, "--json")[1])
    assert record["reached"] == 34
    assert [level["level"] for level in record["levels"]] == list(range(len(record["levels"])))
    assert sum(level["frontier"] for level in record["levels"]) == 34
    graph = nx.karate_club_graph()
    distances = nx.single_source_shortest_path_length(graph, 0)
    for level in record["levels"]:
        if level["direction"] != "none":
            members = [v for v, distance in distances.items() if distance == level["level"]]
            assert level["edges"] == sum(graph.degree[v] for v in members)


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
    found = _info.describe(A)
    sizes = [len(c) for c in nx.connected_components(graph)]
    assert (found["components"], found["largest_component"]) == (len(sizes), max(sizes))
    assert found["isolated"] == nx.number_of_isolates(graph)
    assert found["symmetric"]


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
        parameters = inspect.signature(getattr(generate, kind)).parameters
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


# -- help --------------------------------------------------------------------------------------


def subcommands(parser: argparse.ArgumentParser) -> dict[str, argparse.ArgumentParser]:
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            return dict(action.choices)
    return {}


def test_every_command_has_help(run: Run) -> None:
    commands = subcommands(build_parser())
    assert list(commands) == ["bfs", "trace", "info", "convert", "generate"]
    for name in commands:
        code, out, err = run(name, "--help")
        assert (code, err) == (0, "")
        assert out.startswith(f"usage: spbfs {name}")
    for kind in subcommands(commands["generate"]):
        assert run("generate", kind, "--help")[0] == 0


def test_examples_in_the_help_parse() -> None:
    parser = build_parser()
    pages = [parser.epilog or ""]
    pages += [sub.epilog or "" for sub in subcommands(parser).values()]
    lines = re.findall(r"^  spbfs (.+?)(?:   .*| \| .*)?$", "\n".join(pages), flags=re.MULTILINE)
    assert len(lines) > 12
    for line in lines:
        assert parser.parse_args(line.split()).command == line.split()[0]


def test_help_names_every_extension_and_exit_code(run: Run) -> None:
    from spbfs.io.formats import extensions

    _, out, _ = run("--help")
    assert all(f" {extension} " in out for extension in extensions())
    for code in (cli.OK, cli.FAILED, 2, cli.INTERRUPTED, cli.BROKEN_PIPE):
        assert re.search(rf"\b{code} [a-z]", out)


def test_version(run: Run) -> None:
    assert run("--version") == (0, f"spbfs {spbfs.__version__}\n", "")


# -- failures ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ([], "COMMAND"),
        (["frobnicate"], "frobnicate"),
        (["bfs", "g.mtx"], "--source"),
        (["bfs", "--source", "0"], "GRAPH"),
        (["bfs", "g.mtx", "--source", "-1"], "-1"),
        (["bfs", "g.mtx", "--source", "1.5"], "1.5"),
        (["bfs", "g.mtx", "--source", "0", "--depth", "-2"], "-2"),
        (["bfs", "g.mtx", "--source", "0", "--threads", "0"], "0"),
        (["bfs", "g.mtx", "--source", "0", "--device", "tpu"], "tpu"),
        (["bfs", "g.mtx", "--source", "0", "--output", "levels.txt"], "levels.txt"),
        (["bfs", "g.mtx", "--source", "0", "--ver"], "--ver"),
        (["trace", "g.mtx", "--source", "0", "--device", "reference"], "reference"),
        (["generate", "kronecker", "-o", "g.mtx"], "SCALE"),
        (["generate", "kronecker", "x", "-o", "g.mtx"], "'x'"),
        (["generate", "kronecker", "4"], "--output"),
        (["generate", "hypercube", "4", "-o", "g.mtx"], "hypercube"),
        (["convert", "g.mtx"], "OUT"),
    ],
)
def test_wrong_usage_is_one_line_and_two(
    failed: Callable[..., str], arguments: list[str], said: str
) -> None:
    line = failed(*arguments, code=2)
    assert said in line
    assert '--help")' in line


@pytest.fixture
def broken(tmp_path: Path) -> dict[str, Path]:
    """Files that cannot be read as graphs."""
    files = {
        "empty": ("empty.mtx", b""),
        "not Matrix Market": ("nonsense.mtx", b"\x00\x01\x02 nonsense\n"),
        "truncated gzip": ("short.txt.gz", bytes.fromhex("1f8b0800000000000003")),
        "not a zip": ("broken.npz", b"PK\x03\x04 no"),
        "unknown extension": ("graph.xyz", b"0 1\n"),
        "rectangular": (
            "wide.mtx",
            b"%%MatrixMarket matrix coordinate pattern general\n2 3 1\n1 3\n",
        ),
    }
    for name, content in files.values():
        (tmp_path / name).write_bytes(content)
    (tmp_path / "folder.mtx").mkdir()
    return {
        **{what: tmp_path / name for what, (name, _) in files.items()},
        "a folder": tmp_path / "folder.mtx",
        "missing": tmp_path / "missing.mtx",
    }


@pytest.mark.parametrize(
    "what",
    [
        *("empty", "not Matrix Market", "truncated gzip", "not a zip", "unknown extension"),
        *("rectangular", "a folder", "missing"),
    ],
)
def test_what_cannot_be_searched_is_one_line(
    failed: Callable[..., str], broken: dict[str, Path], what: str
) -> None:
    for arguments in (("bfs", broken[what], "--source", 0), ("info", broken[what])):
        line = failed(*arguments)
        assert "unexpected" not in line
        assert broken[what].name in line or what == "rectangular"


def test_a_source_that_is_no_vertex(failed: Callable[..., str]) -> None:
    for device in ("cpu", "reference"):
        assert "34" in failed("bfs", KARATE, "--source", 34, "--device", device)


def test_cuda_where_there_is_none_is_an_error(failed: Callable[..., str]) -> None:
    from spbfs.backends import get_backend
    from spbfs.exceptions import BackendUnavailable

    try:
        get_backend("cuda")
    except BackendUnavailable:
        assert "cuda" in failed("bfs", KARATE, "--source", 0, "--device", "cuda")
    else:
        pytest.skip("this machine has a CUDA engine")


def test_output_that_has_nowhere_to_go_is_said_before_the_work(
    failed: Callable[..., str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def too_soon(*_: object, **__: object) -> None:
        pytest.fail("the work had begun")

    for name in ("read", "bfs"):
        monkeypatch.setattr(spbfs, name, too_soon)
    monkeypatch.setattr(generate, "path", too_soon)
    nowhere = tmp_path / "no" / "such"
    assert "no/such" in failed("bfs", KARATE, "--source", 0, "--output", nowhere / "l.npz")
    assert "no/such" in failed("convert", KARATE, nowhere / "g.mtx")
    assert "no/such" in failed("generate", "path", 3, "-o", nowhere / "g.mtx")
    assert "g.xyz" in failed("generate", "path", 3, "-o", tmp_path / "g.xyz")
    (tmp_path / "taken.mtx").mkdir()
    assert "taken.mtx" in failed("generate", "path", 3, "-o", tmp_path / "taken.mtx")


def test_bad_generator_arguments_are_one_line(failed: Callable[..., str], tmp_path: Path) -> None:
    output = tmp_path / "g.npz"
    assert "k must be even" in failed("generate", "small_world", 10, "--k", 3, "-o", output)
    assert "scale" in failed("generate", "kronecker", 99, "-o", output)
    assert not output.exists()


@pytest.mark.parametrize(
    ("error", "code", "said"),
    [
        (KeyboardInterrupt(), 130, "interrupted"),
        (MemoryError(), 1, "out of memory"),
        (PermissionError(13, "Permission denied", "g.mtx"), 1, "g.mtx: Permission denied"),
        (ZeroDivisionError("a\nbug"), 1, "unexpected ZeroDivisionError: a bug"),
        (ModuleNotFoundError("No module named 'cupy'"), 1, "'cupy'"),
    ],
)
def test_whatever_happens_is_one_line(
    failed: Callable[..., str],
    monkeypatch: pytest.MonkeyPatch,
    error: BaseException,
    code: int,
    said: str,
) -> None:
    def fail(*_: object, **__: object) -> None:
        raise error

    monkeypatch.delenv("SPBFS_DEBUG", raising=False)
    monkeypatch.setattr(spbfs, "read", fail)
    assert said in failed("info", "g.mtx", code=code)


def test_debug_adds_the_traceback(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SPBFS_DEBUG", "1")
    code, _, err = run("info", "missing.mtx")
    assert code == 1
    assert "Traceback" in err and err.splitlines()[-1].startswith("spbfs: error: ")


# -- as a process ------------------------------------------------------------------------------


def test_the_process_ends_with_the_exit_code() -> None:
    done = command("info", "missing.mtx", stdout=subprocess.PIPE)
    assert (done.returncode, done.stdout) == (1, "")
    assert re.fullmatch(r"spbfs: error: .*missing\.mtx.*\n", done.stderr)


def test_a_closed_pipe_is_quiet() -> None:
    reading, writing = os.pipe()
    os.close(reading)
    try:
        done = command("info", KARATE, stdout=writing)
    finally:
        os.close(writing)
    assert (done.returncode, done.stderr) == (141, "")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
def test_a_full_disk_is_one_line() -> None:
    with open("/dev/full", "w", encoding="ascii") as full:
        done = command("info", KARATE, stdout=full)
    assert done.returncode == 1
    assert re.fullmatch(r"spbfs: error: .*No space left.*\n", done.stderr)


def test_interrupting_the_process_is_one_line() -> None:
    program = (
        "import sys, time, spbfs; from spbfs.cli import main;"
        "spbfs.read = lambda *_: (print('reading', flush=True), time.sleep(60));"
        "sys.exit(main(['info', 'g.mtx']))"
    )
    with subprocess.Popen(
        [sys.executable, "-c", program], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "reading\n"
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=60)
    assert (process.returncode, out, err) == (130, "", "spbfs: error: interrupted\n")


def test_arguments_are_parsed_before_anything_slow_is_imported() -> None:
    program = (
        "import sys; from spbfs.cli import main; code = main(sys.argv[1:]);"
        "slow = {'numpy', 'scipy', 'cupy', 'tqdm', 'spbfs._cpu'} & set(sys.modules);"
        "sys.exit(f'{slow} were imported' if slow else code)"
    )
    for arguments, code in ((["--help"], 0), (["bfs", "--help"], 0), (["bfs", "g.mtx"], 2)):
        done = subprocess.run(
            [sys.executable, "-c", program, *arguments],
            capture_output=True,
            text=True,
            check=False,
            timeout=60,
        )
        assert done.returncode == code, done.stderr


# -- numbers as people read them ---------------------------------------------------------------


def test_numbers_are_scaled() -> None:
    assert _text.count(1234567) == "1,234,567"
    assert _text.size(10 * 2**20) == "10 MiB"
    assert _text.size(2**50) == "1024 TiB"
    assert _text.rate(2.5e9) == "2.5 GTEPS"
    assert [_text.seconds(s) for s in (1.5, 0.0123, 4.2e-6)] == ["1.5 s", "12.3 ms", "4.2 us"]
