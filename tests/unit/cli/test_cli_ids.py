"""Ids of ``--compact``, below 0 and beyond 2^63 too: accepted, printed, and told from "nobody"."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

pa = pytest.importorskip("pyarrow")
parquet = pytest.importorskip("pyarrow.parquet")

Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def signed(tmp_path: Path) -> Path:
    path = tmp_path / "signed.parquet"
    parquet.write_table(pa.table({"source": [-7, -1, 5], "target": [-1, 5, -7]}), path)
    return path


def test_ids_below_zero_are_vertices(run: Run, signed: Path) -> None:
    for command in ("bfs", "trace"):
        record = json.loads(run(command, signed, "--compact", "--source=-7", "--json")[1])
        assert (record["source"], record["reached"]) == (-7, 3)
    _, out, _ = run("bfs", signed, "--compact", "--source", "-1", "--output", "-")
    assert out.splitlines() == ["vertex,level,parent", "-7,2,5", "-1,0,-1", "5,1,-1"]
    for command in (("many",), ("khop", "--hops", 1), ("closeness",)):
        record = json.loads(run(*command, signed, "--compact", "--source=-1,5", "--json")[1])
        assert sorted(next(iter(row.values())) for row in record["top"]) == [-1, 5]
    assert "no edge has the vertex -8" in run("bfs", signed, "--compact", "--source=-8")[2]
    assert "no edge has the vertex 1" in run("bfs", signed, "--compact", "--source", 10**40)[2]
    assert "--source: 'x' is not an integer" in run("bfs", signed, "--compact", "--source=x")[2]
    assert "--compact takes numbers as names" in run("bfs", signed, "--source=-7")[2]


def test_nobody_is_the_parent_of_what_was_not_reached(
    run: Run, signed: Path, tmp_path: Path
) -> None:
    options = ("bfs", signed, "--compact", "--source=-7", "--depth", 0, "--output")
    assert run(*options, "-")[1].splitlines()[1:] == ["-7,0,-7", "-1,-1,", "5,-1,"]
    assert run(*options, tmp_path / "found.parquet")[0] == 0
    found = parquet.read_table(tmp_path / "found.parquet").to_pydict()
    assert found == {"vertex": [-7, -1, 5], "level": [0, -1, -1], "parent": [-7, None, None]}
    assert run(*options, tmp_path / "found.npz")[0] == 0
    with np.load(tmp_path / "found.npz") as arrays:
        assert arrays["vertices"].tolist() == [-7, -1, 5]
        assert arrays["parents"].tolist() == [0, -1, -1] and arrays["sources"].tolist() == [0]


def test_ids_beyond_64_signed_bits(run: Run, tmp_path: Path) -> None:
    path, ids = tmp_path / "wide.parquet", [3, 2**63, 2**64 - 1]
    columns = [pa.array(ends, pa.uint64()) for ends in (ids[:2], ids[1:])]
    parquet.write_table(pa.table(columns, ["source", "target"]), path)
    for place, name in enumerate(ids):
        record = json.loads(run("bfs", path, "--compact", "--source", name, "--json")[1])
        assert (record["source"], record["reached"]) == (name, 3 - place)
    assert run("bfs", path, "--compact", "--source", 2**63 + 1)[0] == 1
    output = tmp_path / "found.parquet"
    assert run("bfs", path, "--compact", "--source", 2**63, "--output", output)[0] == 0
    assert parquet.read_table(output).to_pydict()["parent"] == [None, 2**63, 2**63]


def test_a_source_is_told_as_a_number(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_text("5 9\n9 1\n")
    for options in ((), ("--compact",)):
        record = json.loads(run("bfs", path, *options, "--source", "005,9", "--json")[1])
        assert record["source"] == [5, 9]
    assert "\nsource   5\n" in run("bfs", path, "--source", "005")[1]
