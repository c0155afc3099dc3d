"""The commands about many vertices, standard input and output, and how graphs are read."""

from __future__ import annotations

import errno
import gzip
import io
import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import networkx as nx
import numpy as np
import pytest

import spbfs
from spbfs.cli.parsing.options import spoken

KARATE = Path(__file__).parents[3] / "examples" / "data" / "karate.mtx"
GRAPH = nx.karate_club_graph()
Run = Callable[..., tuple[int, str, str]]


def csv(text: str) -> tuple[list[str], np.ndarray]:
    header, *lines = text.splitlines()
    return header.split(","), np.array([[float(x) for x in line.split(",")] for line in lines])


# -- many vertices ---------------------------------------------------------------------------------


@pytest.mark.parametrize("device", ["auto", "reference"])
def test_many(run: Run, tmp_path: Path, device: str) -> None:
    levels = tmp_path / "levels.npy"
    arguments = ("many", KARATE, "--source", "0,33", "--source", 5, "--device", device)
    code, out, err = run(*arguments, "--levels", levels, "--json")
    assert (code, err) == (0, "")
    record = json.loads(out)
    assert (record["searches"], record["vertices"], record["depth"]) == (3, 34, 4)
    assert [row["source"] for row in record["top"]] == [0, 33, 5]
    for row, found in zip(np.load(levels), record["top"], strict=True):
        distances = nx.single_source_shortest_path_length(GRAPH, found["source"])
        assert row.tolist() == [distances[v] for v in range(34)]
        assert found["reached"] == 34 and found["depth"] == max(distances.values())
        assert found["mean_distance"] == pytest.approx(sum(distances.values()) / 33)
    assert record["searches_before"] == 0 and record["teps"] > 0
    # The same command goes on with the file; another one does not touch it.
    code, out, _ = run(*arguments, "--levels", levels)
    assert code == 0 and "searches  3, 3 of them made before" in out and "TEPS" not in out
    record = json.loads(run(*arguments, "--levels", levels, "--json")[1])
    assert (record["searches_before"], record["teps"], record["edges"]) == (3, 0, 3 * 156)
    code, _, err = run("many", KARATE, "--levels", levels)
    assert code == 1 and err.startswith("spbfs: error: --levels: ") and "other sources" in err
    _, out, _ = run(*arguments, "--output", "-")
    header, table = csv(out)
    assert header == ["source", "reached", "depth", "mean_distance"] and table.shape == (3, 4)
    assert json.loads(run("many", KARATE, "--json")[1])["searches"] == 34
    assert json.loads(run("many", KARATE, "--samples", 7, "--json")[1])["searches"] == 7


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        (("--device", "cpu"), nx.closeness_centrality(GRAPH)),
        (("--harmonic",), nx.harmonic_centrality(GRAPH)),
        (("--samples", 34), nx.closeness_centrality(GRAPH)),
    ],
)
def test_closeness(run: Run, options: tuple[object, ...], expected: dict[int, float]) -> None:
    code, out, err = run("closeness", KARATE, *options, "--output", "-")
    assert (code, err) == (0, "")
    header, table = csv(out)
    assert header[0] == "vertex"
    np.testing.assert_allclose(table[:, 1], [expected[v] for v in range(34)])
    _, out, _ = run("closeness", KARATE, *options, "--top", 1, "--json")
    best = max(expected, key=lambda v: expected[v])
    assert [row["vertex"] for row in json.loads(out)["top"]] == [best]
    assert run("closeness", KARATE, *options, "--source", 3)[1].splitlines()[-1].split()[0] == "3"


def test_a_sample_is_of_no_more_vertices_than_there_are(run: Run) -> None:
    for samples, told in ((1000, "exact"), (34, "exact"), (10, "estimated from 10 vertices")):
        options = ("closeness", KARATE, "--samples", samples)
        assert f"measure  closeness, {told}\n" in run(*options)[1]
        assert json.loads(run(*options, "--json")[1])["samples"] == min(samples, 34)


@pytest.mark.parametrize("words", ["bfs --source 0", "many", "closeness", "khop --hops 1"])
def test_a_table_alone_is_no_json(failed: Callable[..., str], words: str) -> None:
    command, *options = words.split()
    assert "expected no --json" in failed(command, KARATE, *options, "--output", "-", "--json")


def test_khop(run: Run, tmp_path: Path) -> None:
    output = tmp_path / "sizes.csv"
    code, out, err = run("khop", KARATE, "--hops", 2, "--output", output)
    assert (code, err) == (0, "")
    sizes = [len(nx.single_source_shortest_path_length(GRAPH, v, 2)) for v in range(34)]
    assert csv(output.read_text())[1].tolist() == [[v, size] for v, size in enumerate(sizes)]
    assert f"{max(sizes)} vertices" in out
    record = json.loads(run("khop", KARATE, "--hops", 2, "--source", "5,0", "--json")[1])
    assert {row["vertex"]: row["within"] for row in record["top"]} == {0: sizes[0], 5: sizes[5]}
    # As far as one likes, like --depth.
    for command in (("khop", "--hops"), ("many", "--depth"), ("bfs", "--source", 0, "--depth")):
        assert run(command[0], KARATE, *command[1:], 10**26)[0] == 0


# -- how graphs are read ---------------------------------------------------------------------------


@pytest.fixture
def hashed(tmp_path: Path) -> Path:
    """Ids with gaps, every edge once, a third column."""
    path = tmp_path / "hashed.txt"
    path.write_text("900000000001 17 5\n17 44 6\n")
    return path


def test_compact_names_vertices_as_the_file_does(run: Run, hashed: Path, tmp_path: Path) -> None:
    options = (hashed, "--compact", "--undirected")
    code, out, err = run("bfs", *options, "--source", 44, "--output", "-", "--verify")
    assert (code, err) == (0, "")
    far = 900000000001
    assert out.splitlines() == ["vertex,level,parent", "17,1,44", "44,0,44", f"{far},2,17"]
    output = tmp_path / "found.npz"
    assert run("bfs", *options, "--source", far, "--output", output)[0] == 0
    with np.load(output) as arrays:
        assert arrays["vertices"].tolist() == [17, 44, far]
        called = arrays["vertices"]
        assert called[arrays["parents"]].tolist() == [far, 17, far]
        assert called[arrays["sources"]].tolist() == [far]
    record = json.loads(run("many", *options, "--json")[1])
    assert [row["source"] for row in record["top"]] == [17, 44, far]
    record = json.loads(run("khop", *options, "--hops", 1, "--source", 17, "--json")[1])
    assert record["top"] == [{"vertex": 17, "within": 3}]
    assert run("bfs", *options, "--source", 3)[2].endswith("no edge has the vertex 3\n")


def test_options_of_reading(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "a.data"
    path.write_text("1 2 5\n2 3 6\n")
    options = ("--format", "txt", "--one-based", "--undirected")
    record = json.loads(run("info", path, *options, "--json")[1])
    assert (record["vertices"], record["entries"], record["dtype"]) == (3, 4, "INT64")
    assert record["graph"] == str(path) and record["symmetric"]
    record = json.loads(run("info", path, *options, "--no-weights", "--json")[1])
    assert record["dtype"] == "BOOL"
    output = tmp_path / "b.mtx"
    assert run("convert", path, output, *options)[0] == 0
    expected = {0: {1: 5}, 1: {0: 5, 2: 6}, 2: {1: 6}}
    assert spbfs.read(output).to_dicts() == expected
    (tmp_path / "plain.txt").write_text("0 1\n")
    code, _, err = run("info", tmp_path / "plain.txt", "--weights")
    assert code == 1 and "plain.txt" in err


@pytest.mark.parametrize("extension", [".csv", ".tsv.gz", ".parquet"])
def test_names_are_converted(run: Run, tmp_path: Path, extension: str) -> None:
    if extension == ".parquet":
        pytest.importorskip("pyarrow")
    path, output = tmp_path / "people.csv", tmp_path / f"again{extension}"
    path.write_text("from,to,weight\nalice,bob,2\nbob,carol,3\n")
    code, out, err = run("convert", path, output)
    assert (code, err) == (0, "") and "3 vertices" in out
    A = spbfs.read(output)
    assert list(A.labels or ()) == ["alice", "bob", "carol"]
    assert A.to_dicts() == {0: {1: 2}, 1: {2: 3}}
    path.with_suffix(".txt").write_text("900 12\n12 77\n")
    assert run("convert", path.with_suffix(".txt"), output, "--compact", "--force")[0] == 0
    assert spbfs.read(output, compact=True)[1].tolist() == [12, 77, 900]
    line = run("convert", path, output.with_suffix(".xyz"))[2]
    assert ".parquet .csr" in line


def test_lost_names_are_told_of(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "people.csv"
    path.write_text("from,to\nalice,bob\nbob,carol\n")
    places = ([tmp_path / "a.mtx"], "a.mtx"), (["-", "--to", "mtx"], "standard output")
    for place, told in places:
        code, _, err = run("convert", path, *place)
        assert code == 0 and err.count("\n") == 1
        assert f"{told} has numbers for vertices, not their names" in err


def test_the_edge_without_a_weight_is_named(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "people.csv"
    path.write_text("from,to,weight\nalice,bob,2\nbob,carol,\n")
    code, _, err = run("bfs", path, "--source", "alice")
    assert code == 1 and "line 3: an empty field is not a weight" in err


def test_standard_input_and_output(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def given(content: bytes) -> None:
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(content)))

    given(b"0 1\n1 2\n")
    assert json.loads(run("bfs", "-", "--source", 0, "--json")[1])["reached"] == 3
    given(KARATE.read_bytes())
    record = json.loads(run("info", "-", "--format", "mtx", "--json")[1])
    assert (record["graph"], record["entries"]) == ("-", 156)
    given(b"0 1\nx\n")
    assert run("info", "-")[2].startswith("spbfs: error: standard input, line 2: 'x' is not a")
    given(gzip.compress(b"0 1\n"))
    assert "--format should end in .gz" in run("info", "-")[2]
    given(gzip.compress(b"0 1\n"))
    assert run("info", "-", "--format", "txt.gz")[0] == 0
    told = run("info", KARATE, "--format", "mtx", "--one-based")[2]
    assert KARATE.name in told and "graph.mtx" not in told
    told = run("info", KARATE, "--format", "json")[2]
    assert "--format: got '.json'; expected one of .mtx" in told and KARATE.name not in told
    given(b"0 1\n")
    code, out, _ = run("convert", "-", "-", "--to", "mtx", "--undirected")
    assert code == 0 and out.startswith("%%MatrixMarket") and out.endswith("1 2\n2 1\n")
    code, out, _ = run("generate", "path", 3, "-o", "-", "--to", "csv")
    assert (code, out) == (0, "source,target\n0,1\n1,0\n1,2\n2,1\n")


# -- files that are there --------------------------------------------------------------------------


def test_nothing_is_overwritten_without_force(
    run: Run, failed: Callable[..., str], tmp_path: Path
) -> None:
    commands: dict[str, tuple[object, ...]] = {
        "g.npz": ("bfs", KARATE, "--source", 0, "--output"),
        "l.csv": ("bfs", KARATE, "--source", 1, "--output"),
        "m.csv": ("many", KARATE, "--output"),
        "c.csv": ("closeness", KARATE, "--output"),
        "k.csv": ("khop", KARATE, "--hops", 1, "--output"),
        "g.mtx": ("convert", KARATE),
        "p.mtx": ("generate", "path", 3, "-o"),
    }
    for name, arguments in commands.items():
        path = tmp_path / name
        path.write_bytes(b"precious")
        assert f"'{path}' exists; --force overwrites it" in failed(*arguments, path)
        assert path.read_bytes() == b"precious"
        assert run(*arguments, path, "--force")[0] == 0
        assert path.read_bytes() != b"precious"


def test_why_a_file_cannot_be_made(
    failed: Callable[..., str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    reasons = {errno.EROFS: "Read-only file system", errno.EACCES: "Permission denied"}
    for code, said in reasons.items():

        def refuse(*_: object, code: int = code, **__: object) -> None:
            raise OSError(code, os.strerror(code))

        monkeypatch.setattr("tempfile.TemporaryFile", refuse)
        line = failed("convert", KARATE, tmp_path / "a.mtx")
        assert said in line and str(tmp_path) in line


# -- words -----------------------------------------------------------------------------------------


def test_errors_advise_options_that_there_are(failed: Callable[..., str], tmp_path: Path) -> None:
    sparse, wide = tmp_path / "a.txt", tmp_path / "b.txt"
    sparse.write_text("4000000000 1\n")
    wide.write_text("0 1 2 3\n")
    rectangular = tmp_path / "c.mtx"
    rectangular.write_text("%%MatrixMarket matrix coordinate pattern general\n2 3 1\n1 3\n")
    assert "read with --compact" in failed("info", sparse)
    assert "(--weights takes" in failed("info", wide)
    for command in (["bfs", "--source", 0], ["info"], ["many"], ["closeness"]):
        line = failed(command[0], rectangular, *command[1:])
        assert "c.mtx is 2 x 3, and a graph is square" in line
    lines = [
        failed("bfs", KARATE, "--source", 40),
        failed("info", KARATE, "--one-based"),
        failed("many", KARATE, "--source", 1, "--samples", 3),
    ]
    assert [line.split(": ")[2] for line in lines] == [
        "--source",
        "--one-based",
        "--source, --samples",
    ]
    for line in lines:
        assert not any(word in line for word in ("None", "True", "False"))


def test_words_of_the_library() -> None:
    assert spoken("k: expected 0 or more, got -1") == "--hops: expected 0 or more, got -1"
    assert spoken("g.txt: holds no edges") == "g.txt: holds no edges"
    assert (
        spoken("read with directed=False or other=True") == "read with --undirected or other=True"
    )


# -- streams that are closed -----------------------------------------------------------------------


def shell(line: str, *arguments: object) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        ["bash", "-c", f"set -o pipefail; {line}", "bash", *map(str, arguments)],
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )


SPBFS = f"{sys.executable} -m spbfs"


def test_output_that_nobody_takes(tmp_path: Path) -> None:
    for line, code, said in [
        ("{} generate path 200000 -o - | head -1", 141, None),
        ("{} khop $1 --hops 0 --output - | :", 141, None),
        ("{} info $1 >&-", 1, "spbfs: error: standard output: Bad file descriptor\n"),
        ("{} bfs $1 --source 0 --output - >&-", 1, "spbfs: error: standard output: "),
        ("{} info $1 > /dev/full", 1, "spbfs: error: standard output: No space left"),
        ("{} info missing.mtx 2>&-", 1, ""),
        ("{} info missing.mtx >&- 2>&-", 1, ""),
        ("{} --help >&-", 1, None),
        ("{} bfs - --source 0 <&-", 1, "spbfs: error: graph: standard input is closed\n"),
    ]:
        done = shell(line.format(SPBFS), KARATE)
        assert "Traceback" not in done.stderr and "Exception ignored" not in done.stderr, line
        assert done.returncode == code, (line, done)
        if said is not None:
            assert done.stderr.startswith(said) and (done.stderr != "") == (said != ""), line
