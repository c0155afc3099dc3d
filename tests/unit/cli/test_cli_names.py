"""Vertices by their names on the command line: those that look like numbers, those with commas."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

import spbfs

Run = Callable[..., tuple[int, str, str]]
NAMES = ["Nan", "bob", "Inf", "1.5", "1e5", "Smith, John", '"Al" Capone', "-1", "\u0661", "007"]


@pytest.fixture
def people(tmp_path: Path) -> Path:
    """Every name after the one before."""
    path, numbers = tmp_path / "people.csv", range(len(NAMES) - 1)
    A = spbfs.Matrix.from_coo(numbers, range(1, len(NAMES)), True, nrows=len(NAMES))
    A.labels = spbfs.Labels(NAMES)
    spbfs.write(path, A)
    return path


def quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


@pytest.mark.parametrize("name", NAMES)
def test_every_name_is_one(run: Run, people: Path, name: str) -> None:
    reached = len(NAMES) - NAMES.index(name)
    for given in (quoted(name), name) if set(name).isdisjoint(',"') else (quoted(name),):
        for command in ("bfs", "trace"):
            code, out, err = run(command, people, f"--source={given}", "--json")
            assert (code, err) == (0, "")
            assert json.loads(out)["reached"] == reached
        for command in (("many",), ("khop", "--hops", len(NAMES))):
            code, out, err = run(*command, people, f"--source={given}", "--json")
            assert (code, err) == (0, "")
            (row,) = json.loads(out)["top"]
            assert name in row.values() and reached in row.values()


def test_several_names_are_a_line_of_csv(run: Run, people: Path) -> None:
    _, out, _ = run("many", people, "--source", ",".join(map(quoted, NAMES)), "--json")
    assert [row["source"] for row in json.loads(out)["top"]] == NAMES
    _, out, _ = run("many", people, "--source", 'Nan,"Smith, John",1e5', "--json")
    assert [row["source"] for row in json.loads(out)["top"]] == ["Nan", "Smith, John", "1e5"]


def test_columns_are_a_line_of_csv_too(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "columns.csv"
    path.write_text('"who, first",whom,since\nann,bob,1\n')
    options = ("--columns", '"who, first",whom', "--source", "ann", "--json")
    assert json.loads(run("bfs", path, *options)[1])["reached"] == 2


def test_reals_are_names(run: Run, tmp_path: Path) -> None:
    pa = pytest.importorskip("pyarrow")
    parquet = pytest.importorskip("pyarrow.parquet")
    path = tmp_path / "reals.parquet"
    columns = {"source": [1.5, 1000001.0, 2.0], "target": [1000001.0, 1000002.0, float("inf")]}
    parquet.write_table(pa.table(columns), path)
    for name, reached in {
        "1.5": 3,
        "1000001": 2,
        "1000001.0": 2,
        "1e6": 0,
        "2": 2,
        "inf": 1,
    }.items():
        code, out, err = run("bfs", path, "--source", name, "--json")
        if reached:
            assert (code, err) == (0, "") and json.loads(out)["reached"] == reached
        else:
            assert code == 1 and "no vertex is called '1e6'" in err
    # Those that are alike in four digits are told apart.
    shown = run("many", path)[1]
    assert "1000001.0" in shown and "1000002.0" in shown


@pytest.mark.parametrize("command", [("many",), ("closeness",), ("khop", "--hops", 1)])
def test_a_table_does_not_overwrite_its_graph(
    run: Run, people: Path, command: tuple[object, ...]
) -> None:
    before = people.read_bytes()
    code, _, err = run(*command, people, "--output", people, "--force")
    assert code == 1 and "is the graph itself" in err
    assert people.read_bytes() == before
