"""``spbfs plot``: pictures that are the same for the same numbers, and what is refused."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from xml.etree import ElementTree

import pytest

import spbfs as sb

pytest.importorskip("matplotlib", reason="Matplotlib is not installed")

KARATE = Path(__file__).parents[3] / "examples" / "data" / "karate.mtx"
Run = Callable[..., tuple[int, str, str]]


@pytest.mark.parametrize(
    ("kind", "options", "label"),
    [
        ("frontier", ("--source", "0,33", "--depth", 2, "--device", "cpu"), "from 0, 33"),
        ("degrees", (), "degree"),
        ("spy", (), "karate.mtx"),
    ],
)
def test_pictures(
    run: Run, tmp_path: Path, kind: str, options: tuple[object, ...], label: str
) -> None:
    picture = tmp_path / "picture.svg"
    code, out, err = run("plot", kind, KARATE, *options, "-o", picture)
    assert (code, out, err) == (0, f"{picture}\n", "")
    drawn = picture.read_bytes()
    assert ElementTree.fromstring(drawn).tag == "{http://www.w3.org/2000/svg}svg"
    assert label in drawn.decode()
    if kind != "frontier":  # that has times in it
        assert run("plot", kind, KARATE, "-o", picture, "--force")[0] == 0
        assert picture.read_bytes() == drawn
    code, _, err = run("plot", kind, KARATE, *options, "-o", picture)
    assert code == 1 and "--force" in err
    for suffix, begin in ((".png", b"\x89PNG"), (".pdf", b"%PDF")):
        other = picture.with_suffix(suffix)
        assert run("plot", kind, KARATE, *options, "-o", other)[0] == 0
        assert other.read_bytes().startswith(begin)


def test_the_name_of_a_file_is_no_formula(run: Run, tmp_path: Path) -> None:
    graph = tmp_path / r"$\frac$ and $x$.mtx"
    graph.write_bytes(KARATE.read_bytes())
    picture = tmp_path / "a.svg"
    assert run("plot", "spy", graph, "-o", picture)[0] == 0
    assert f"<!-- {graph.name} -->" in picture.read_text()


def test_a_matrix_that_is_no_graph_has_entries_all_the_same(run: Run, tmp_path: Path) -> None:
    graph = tmp_path / "wide.mtx"
    sb.write(graph, sb.Matrix.from_coo([0, 1], [1, 3], 1.0, nrows=2, ncols=5))
    assert run("plot", "spy", graph, "-o", tmp_path / "a.svg")[0] == 0
    code, _, err = run("plot", "degrees", graph, "-o", tmp_path / "b.svg")
    assert code == 1 and "a graph is square" in err


@pytest.mark.parametrize("depth", [(), ("--depth", 0)])
def test_a_search_that_does_not_leave_its_source_is_drawn(
    run: Run, tmp_path: Path, depth: tuple[object, ...]
) -> None:
    graph = tmp_path / "line.mtx"
    sb.write(graph, sb.Matrix.from_coo([0], [1], True, nrows=2, ncols=2))
    for source in (0, 1) if depth else (1,):
        picture = tmp_path / f"{source}.svg"
        code, _, err = run("plot", "frontier", graph, "--source", source, *depth, "-o", picture)
        assert (code, err) == (0, "") and picture.stat().st_size


def test_what_is_no_picture(run: Run, tmp_path: Path) -> None:
    code, _, err = run("plot", "spy", KARATE, "-o", tmp_path / "a.mtx")
    assert code == 2 and ".svg" in err
    code, _, err = run("plot", "spy", KARATE, "-o", "-")
    assert code == 2 and "--output: expected a file, got '-'" in err
    code, _, err = run("plot", "frontier", KARATE, "--source", 34, "-o", tmp_path / "a.svg")
    assert code == 1 and "--source" in err
    assert not list(tmp_path.iterdir())
