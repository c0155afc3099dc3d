"""The papers' figures: named code exists, pages are of the results, runs go on and fail alone."""

from __future__ import annotations

import argparse
import doctest
import importlib
import json
import re
from collections import Counter
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest

papers = pytest.importorskip(
    "benchmarks.papers.command", reason="benchmarks are in the checkout only"
)

from benchmarks.common.stencils import axes, stencil  # noqa: E402
from benchmarks.papers import catalogue, pages, plots  # noqa: E402
from benchmarks.papers.culling import Way, count  # noqa: E402
from benchmarks.papers.figure import Figure, Found, Plot, Setting  # noqa: E402
from benchmarks.papers.results import DEVICES  # noqa: E402

FIGURES = catalogue.figures()
NUMBERS = json.loads((pages.ROOT / "benchmarks/papers/numbers.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize("figure", FIGURES, ids=lambda f: f"{f.paper}-{f.name}")
def test_a_figure_leads_to_code_that_exists(figure: Figure) -> None:
    assert figure.code and all((pages.ROOT / path).is_file() for path in figure.code)
    assert figure.paper in catalogue.PAPERS
    assert figure.devices and set(figure.devices) <= set(DEVICES)


def test_every_paper_has_figures_and_each_is_named_once() -> None:
    assert {figure.paper for figure in FIGURES} == set(catalogue.PAPERS)
    times = Counter((f.paper, f.name) for f in FIGURES)
    assert [name for name, n in times.items() if n > 1] == []


@pytest.mark.parametrize("figure", FIGURES, ids=lambda f: f"{f.paper}-{f.name}")
def test_what_a_paper_has_of_a_figure_is_found_by_page_and_section(figure: Figure) -> None:
    given = catalogue.theirs(figure)
    assert given is not None
    assert isinstance(given["page"], int) and given["page"] >= 1
    assert re.fullmatch(r"\d+(\.\d+)?", given["section"])
    assert given.get("rows") or given.get("note")
    width = len(given.get("columns", []))
    assert all(len(row) == width for row in given.get("rows", []))
    page = (papers.PAGES / f"{figure.paper}.md").read_text(encoding="utf-8")
    section = page.partition(f'<a id="{figure.name}"></a>')[2].partition("<a id=")[0]
    assert f"**The paper**, about page {given['page']}, section {given['section']}." in section


def test_the_papers_numbers_are_of_figures_and_say_how_pages_are_counted() -> None:
    known = {(f.paper, f.name) for f in FIGURES}
    assert set(NUMBERS) == {"about", *catalogue.PAPERS} and "from 1" in NUMBERS["about"]
    for paper in catalogue.PAPERS:
        assert {(paper, name) for name in NUMBERS[paper]} <= known
        # Pages follow sections.
        places = sorted(([int(part) for part in given["section"].split(".")], given["page"])
                        for given in NUMBERS[paper].values())  # fmt: skip
        assert [at for _, at in places] == sorted(at for _, at in places)
        page = (papers.PAGES / f"{paper}.md").read_text(encoding="utf-8")
        assert NUMBERS["about"] in page.partition("<a id=")[0]


def test_pages_and_plots_are_those_of_the_results() -> None:
    """`python -m benchmarks papers --pages` writes them anew."""
    wanted = pages.files(papers.RESULTS, papers.PAGES)
    index = papers.PAGES / "README.md"
    text = index.read_text(encoding="utf-8")
    wanted[index] = pages.with_index(text, papers.RESULTS, papers.PAGES, papers.PAGES)
    text = papers.FIRST.read_text(encoding="utf-8")
    wanted[papers.FIRST] = pages.with_index(
        text, papers.RESULTS, papers.PAGES, pages.ROOT, short=True
    )
    stale = [p.name for p, t in wanted.items()
             if not p.exists() or p.read_text(encoding="utf-8") != t]  # fmt: skip
    assert stale == []
    drawn = set(papers.RESULTS.glob("*.svg")) | set(papers.PAGES.glob("*.md"))
    assert drawn <= set(wanted)


def test_the_readme_leads_to_a_figure_of_every_paper_and_to_its_code() -> None:
    text = papers.FIRST.read_text(encoding="utf-8")
    head, _, *rows = text.partition(pages.BEGIN)[2].partition(pages.END)[0].strip().splitlines()
    assert head == "| paper | technique | where | figures | what it gives today |"
    for row, (name, paper) in zip(rows, catalogue.PAPERS.items(), strict=True):
        assert row.startswith(f"| {paper.authors} |") and f"(docs/papers/{name}.md#" in row
        links = re.findall(r"\]\(([^)#]*)", row)
        assert len(links) > 1 and all((pages.ROOT / link).is_file() for link in links)
        assert "not run yet" not in row


def _options(folder: Path, **more: Any) -> argparse.Namespace:
    given = {"paper": None, "figure": None, "device": "cpu", "quick": True, "again": False,
             "pages": False, "rates": None, "graphs": None, "merge": False, "seconds": 60.0,
             "output": folder}  # fmt: skip
    return argparse.Namespace(**given | more)


@pytest.fixture
def runs(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Three figures made up, one of which fails; the names of those that ran."""
    ran: list[str] = []

    def runner(name: str) -> Any:
        def run(setting: Setting) -> Found:
            ran.append(name)
            if name == "fig-2":
                raise ValueError("no such graph")
            plot = Plot("a < b", "x", "y", {"line": [(1, 2), (2, float("nan")), (3, 5)]})
            row = "kron", 3, 1.23456789
            return Found(("graph", "n|m", "rate"), [row], (plot,), "About.", "1")

        return run

    made = tuple(
        Figure("ibfs", name, "title", "technique", ("README.md",), devices, runner(name))
        for name, devices in (("fig-1", DEVICES), ("fig-2", DEVICES), ("table-2", ("cuda",)))
    )
    for module in (catalogue, pages):
        monkeypatch.setattr(module, "figures", lambda: made)
    return ran


def test_a_run_goes_on_where_it_was_and_one_failure_loses_no_other(
    runs: list[str], tmp_path: Path
) -> None:
    for _ in range(2):
        with pytest.raises(SystemExit, match="1 failed: ibfs fig-2"):
            papers.run(_options(tmp_path))
    assert runs == ["fig-1", "fig-2", "fig-2"]  # what has a result is not run again
    (tmp_path / "ibfs-fig-1-cpu-quick.json").write_text("{", encoding="utf-8")  # cut short
    papers.run(_options(tmp_path, figure="1"))
    papers.run(_options(tmp_path, figure="fig-1", again=True))
    assert runs[3:] == ["fig-1", "fig-1"]
    result = json.loads((tmp_path / "ibfs-fig-1-cpu-quick.json").read_text(encoding="utf-8"))
    assert result["rows"] == [["kron", 3, 1.2346]] and result["quick"] and result["machine"]
    page = (tmp_path / "ibfs.md").read_text(encoding="utf-8")
    assert "| kron | 3 | 1.23 |" in page and "n\\|m" in page
    assert "ibfs-fig-1-cpu-quick-1.svg" in page and "runs on cuda" in page
    index = (tmp_path / "README.md").read_text(encoding="utf-8")
    assert index.count("| Liu, Huang, Hu |") == 1 and "[Fig. 2](ibfs.md#fig-2)" in index


def test_several_figures_are_named_with_commas(runs: list[str], tmp_path: Path) -> None:
    assert [f.name for f in catalogue.chosen("ibfs", "table-2,1")] == ["fig-1", "table-2"]
    papers.run(_options(tmp_path, figure="1,table-2"))
    assert runs == ["fig-1"]  # the other one is of a GPU


def test_the_index_says_which_figure_gives_what(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    def run(setting: Setting) -> Found:
        rows = [(name, None) for name in setting.in_time(["kron", "web"])]
        return Found(("graph", "joules"), rows, gives="all")

    code = "spbfs/planner/strategies.py", "spbfs/algorithms/bfs/strategies.py", "README.md"
    made = tuple(Figure("ibfs", f"fig-{k}", "title", "bits", code, DEVICES, run) for k in (1, 2))
    for module in (catalogue, pages):
        monkeypatch.setattr(module, "figures", lambda: made)
    papers.run(_options(tmp_path, figure="1", seconds=0.0))
    (row,) = (
        line
        for line in (tmp_path / "README.md").read_text(encoding="utf-8").splitlines()
        if line.startswith("| Liu, Huang, Hu |")
    )
    assert "[planner/strategies.py](" in row and "[bfs/strategies.py](" in row
    assert "[README.md](" in row
    assert "| Fig. 1: all (" in row and row.endswith("not all graphs); Fig. 2: not run yet |")
    page = (tmp_path / "ibfs.md").read_text(encoding="utf-8")
    assert "| graph |\n|---|\n| kron |\n" in page and "Not known of this run: joules." in page


def test_what_is_left_out_as_the_time_is_over_is_said(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    def run(setting: Setting) -> Found:
        return Found(("graph",), [(name,) for name in setting.in_time(["kron", "web"])], about="A.")

    made = Figure("ibfs", "fig-1", "title", "technique", ("README.md",), DEVICES, run)
    for module in (catalogue, pages):
        monkeypatch.setattr(module, "figures", lambda: (made,))
    found = []
    for seconds in (0.0, 60.0):
        papers.run(_options(tmp_path, seconds=seconds, again=True))
        text = (tmp_path / "ibfs-fig-1-cpu-quick.json").read_text(encoding="utf-8")
        found.append(json.loads(text))
    assert [result["rows"] for result in found] == [[["kron"]], [["kron"], ["web"]]]
    said = [result["about"] for result in found]
    assert said == ["A. Left out: web (the time was over).", "A."]


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"paper": "merill"}, "--paper merill: expected one of merrill"),
        ({"figure": "99"}, "--figure 99: expected one of fig-1, fig-2, table-2"),
        ({"figure": "1,98"}, "--figure 98: expected one of fig-1, fig-2, table-2"),
        ({"figure": "table-2"}, "--device cpu: table-2 runs on cuda"),
    ],
)
def test_a_bad_name_says_what_was_expected(
    runs: list[str], tmp_path: Path, given: dict[str, str], said: str
) -> None:
    with pytest.raises(SystemExit, match=said):
        papers.run(_options(tmp_path, **given))
    assert runs == [] and list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    "name",
    [
        "catalogue",
        "culling",
        "figure",
        "graphs",
        "load_balanced",
        "pages",
        "parts",
        "plots",
        "results",
    ],
)
def test_the_examples_of_the_figures_run(name: str) -> None:
    tried = doctest.testmod(importlib.import_module(f"benchmarks.papers.{name}"))
    assert tried.attempted and not tried.failed


@pytest.mark.parametrize("shape", [(30, 30), (9, 9, 9)])
def test_tiles_one_after_another_find_nothing_twice_and_all_at_once_do(
    shape: tuple[int, ...],
) -> None:
    graph = stencil(np, shape, axes(len(shape)))
    levels = count(graph, graph[0] // 2, Way(ctas=1, queue="ordered"))
    assert levels.again == 1 and sum(levels.vertices) == graph[0]
    free = [
        count(graph, graph[0] // 2, Way(ctas, 32, history=False, warp=warp)).again
        for ctas, warp in ((1, True), (1, False), (64, True))
    ]
    # In one warp at a time only its own lanes meet.
    assert free[0] == 1 and free[1] and free[1] > 1
    assert free[2] is None or free[2] > 1


@pytest.mark.parametrize("log", [False, True])
@pytest.mark.parametrize(
    "points", [[], [(3.0, 3.0)], [(1, 1), (1, 1)], [(-1.0, 0), (0, 5), (1e9, 1e-9)]]
)
def test_a_plot_of_any_points_is_a_picture(points: list[tuple[float, float]], log: bool) -> None:
    text = plots.svg(Plot("a < b & c", "x", "y", {"l": points}, log_x=log, log_y=log))
    ElementTree.fromstring(text)
    assert "nan" not in text and "inf" not in text
    if not log:
        assert text.count("<circle") == 1 + len(points)  # one is the legend's


def test_lines_of_a_plot_are_told_apart() -> None:
    many = {f"line {i}": [(0.0, float(i)), (1.0, 2.0 * i)] for i in range(20)}
    strokes = re.findall(r'h20" ([^/]*)/>', plots.svg(Plot("many", "x", "y", many)))
    assert len(strokes) == 20 == len(set(strokes))
    # In black and white the first ten are told by their markers.
    ten = plots.svg(Plot("ten", "x", "y", {f"line {i}": [(float(i), 0.0)] for i in range(10)}))
    legend = re.findall(r'h20"[^/]*/>\n(<(?:circle|path) [^/]*/>)', ten)
    corners = [np.array(re.findall(r"([\d.]+) ([\d.]+)", mark.split('" ')[0]), float)
               for mark in legend]  # fmt: skip
    shapes = {(str((c - c[:1]).round(1).tolist()), 'fill="white"' in mark)
              for c, mark in zip(corners, legend, strict=True)}  # fmt: skip
    assert len(legend) == len(shapes) == 10
    long = Plot("long", "x", "y", {"l": [(float(i), float(i)) for i in range(1000)]})
    assert 5 < plots.svg(long).count("<circle") < 15
    same = {"first": [(0, 1), (1, 5)], "other": [(0, 1), (1, 2)], "last": [(0, 1), (1, 5)]}
    text = plots.svg(Plot("same", "x", "y", same))
    assert "first (under last)" in text and text.count("(under ") == 1


def test_an_axis_has_the_names_or_the_points_that_it_is_given() -> None:
    named = Plot("t", "who", "ms", {"l": [(0, 3), (1, 4)]}, names=["one & all", "a row"])
    text = plots.svg(named)
    assert ">one &amp; all<" in text and ">a row<" in text and ">0.5<" not in text
    lanes = Plot("t", "lanes", "y", {"l": [(x, x) for x in (1, 2, 4, 8, 16, 32)]}, log_x=True)
    assert all(f">{x}<" in plots.svg(lanes) for x in (4, 8, 16, 32))
