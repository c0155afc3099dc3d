"""A page a paper, and the index of all: written from the results there are, so never stale.

What the paper has, from ``numbers.json``, stands before what the last runs found.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import groupby
from pathlib import Path
from typing import Any

from benchmarks.papers.catalogue import PAPERS, about_theirs, figures, label, theirs
from benchmarks.papers.figure import OVER, Figure
from benchmarks.papers.plots import svg
from benchmarks.papers.results import Result, last_of, path_of, plots_of

__all__ = ["BEGIN", "END", "across", "files", "with_index"]

ROOT = Path(__file__).parents[2]
#: Rows of a table on a page; all of them are in the result.
MOST_ROWS = 128
#: Between these lines of the papers' first page is the index, of the README its short form.
BEGIN = "<!-- papers: written by python -m benchmarks papers -->"
END = "<!-- end of papers -->"


def files(results: Path, pages: Path) -> dict[Path, str]:
    """Every plot and page, by where it belongs."""
    found = {}
    for figure in figures():
        for result in last_of(results, figure):
            for path, plot in zip(_plots(results, figure, result), plots_of(result), strict=True):
                found[path] = svg(plot)
    for paper in PAPERS:
        mine = [figure for figure in figures() if figure.paper == paper]
        if mine:
            found[pages / f"{paper}.md"] = _page(paper, mine, results, pages)
    return found


def with_index(text: str, results: Path, pages: Path, place: Path, *, short: bool = False) -> str:
    """A page of `place` whose part between the two marks is the index; short: a row a paper, of
    the figure that it shows."""
    before, _, rest = text.partition(BEGIN)
    _, _, after = rest.partition(END)
    shown = [f for f in figures() if not short or f.name == PAPERS[f.paper].shown]
    lines = _index(shown, results, pages, place)
    return before + "\n".join([BEGIN, "", *lines, "", END]) + after


def _index(shown: Sequence[Figure], results: Path, pages: Path, place: Path) -> list[str]:
    """A row for every technique of every paper."""
    rows = []
    for (paper, technique), group in groupby(shown, key=lambda f: (f.paper, f.technique)):
        mine = list(group)
        page = _link(pages / f"{paper}.md", place)
        names = ", ".join(f"[{label(f.name)}]({page}#{f.name})" for f in mine)
        code = _code(dict.fromkeys(path for f in mine for path in f.code), place)
        given = {label(f.name): _given(results, f) for f in mine}
        gives = "; ".join(f"{name}: {text}" if len(mine) > 1 else text
                          for name, text in given.items())  # fmt: skip
        rows.append([PAPERS[paper].authors, technique, code, names, gives])
    return _table(["paper", "technique", "where", "figures", "what it gives today"], rows)


def _given(results: Path, figure: Figure) -> str:
    """What the last run of a figure came to, that of a GPU before that of a CPU."""
    found = last_of(results, figure)
    if not found:
        return "not run yet"
    result = found[-1]
    where = [result["machine"].split(",")[0], result["date"]]
    where += ["small graphs"] if result["quick"] else []
    where += ["not all graphs"] if OVER in result["about"] else []
    return f"{result['gives']} ({', '.join(where)})".strip()


def _page(paper: str, mine: Sequence[Figure], results: Path, pages: Path) -> str:
    about = PAPERS[paper]
    lines = [
        f"# {about.title}",
        "",
        f"{about.authors}, {about.where}. What the paper has, and what runs of this project have "
        "beside it; from",
        f"their results by `python -m benchmarks papers --paper {paper}`, so not to be edited. "
        f"{about_theirs()}",
        "",
        *_table(
            ["figure", "technique", "where"],
            [[f"[{label(f.name)}](#{f.name}): {f.title}", f.technique, _code(f.code, pages)]
             for f in mine],
        ),
        "",
    ]  # fmt: skip
    for figure in mine:
        lines += _section(figure, results, pages)
    return "\n".join(lines).rstrip() + "\n"


def _section(figure: Figure, results: Path, pages: Path) -> list[str]:
    lines = [f'<a id="{figure.name}"></a>', "", f"## {label(figure.name)}: {figure.title}", ""]
    given = theirs(figure)
    if given:
        where = f"about page {given['page']}, section {given['section']}"
        lines += [f"**The paper**, {where}. {given.get('note', '')}".rstrip(), ""]
        if given.get("rows"):
            lines += [*_table(given["columns"], given["rows"]), ""]
    found = last_of(results, figure)
    if not found:
        lines += [f"Not run yet; it runs on {' and '.join(figure.devices)}.", ""]
    for result in found:
        lines += _ours(figure, result, results, pages)
    if figure.remarks:
        lines += ["**What agrees, and what does not**", "", figure.remarks.strip(), ""]
    return lines


def _ours(figure: Figure, result: Result, results: Path, pages: Path) -> list[str]:
    path = path_of(results, figure, result["device"], result["quick"])
    small = ", small graphs (`--quick`)" if result["quick"] else ""
    lines = [
        f"**Ours**, {result['device']}{small}, {result['date']}: {result['machine']} "
        f"([result]({_link(path, pages)})). {result['about']}".rstrip(),
        "",
    ]
    columns, rows = result["columns"], result["rows"]
    if figure.across is not None and set(figure.across) <= set(columns):
        lines += [
            f"{figure.across[1]} by {figure.across[0]}; what else there is, is in the result.",
            "",
        ]
        columns, rows = across(columns, rows, *figure.across)
    if rows:
        shown = rows if len(rows) <= MOST_ROWS else rows[:MOST_ROWS]
        full = [i for i in range(len(columns)) if any(row[i] is not None for row in rows)]
        lines += [*_table(_kept(columns, full), [_kept(row, full) for row in shown]), ""]
        if len(shown) < len(rows):
            lines += [f"{len(rows) - len(shown)} more rows are in the result.", ""]
        empty = [name for i, name in enumerate(columns) if i not in full]
        if empty:
            lines += [f"Not known of this run: {'; '.join(empty)}.", ""]
    for place, plot in zip(_plots(results, figure, result), plots_of(result), strict=True):
        lines += [f"![{plot.title}]({_link(place, pages)})", ""]
    return lines


def across(
    columns: Sequence[str], rows: Sequence[Sequence[Any]], by: str, value: str
) -> tuple[list[str], list[list[Any]]]:
    """A table with a column for each value of one of its columns, and in them another one's; what
    is on the right of that one is left out.

    Examples
    --------
    >>> rows = [("a", 4, 1.5, 9), ("a", 8, 2.5, 7), ("b", 8, 3.5, 6)]
    >>> across(("graph", "q", "rate", "hubs"), rows, "q", "rate")
    (['graph', 'q = 4', 'q = 8'], [['a', 1.5, 2.5], ['b', None, 3.5]])
    """
    at, of = columns.index(by), columns.index(value)
    own = [i for i in range(of) if i != at]
    points = sorted({row[at] for row in rows})
    found: dict[tuple[Any, ...], dict[Any, Any]] = {}
    for row in rows:
        found.setdefault(tuple(_kept(row, own)), {})[row[at]] = row[of]
    return (
        [*_kept(columns, own), *(f"{by} = {point}" for point in points)],
        [[*names, *map(cells.get, points)] for names, cells in found.items()],
    )


def _kept(cells: Sequence[Any], columns: Iterable[int]) -> list[Any]:
    return [cells[i] for i in columns]


def _plots(results: Path, figure: Figure, result: Result) -> list[Path]:
    """Where the plots of a result belong."""
    stem = path_of(results, figure, result["device"], result["quick"]).stem
    return [results / f"{stem}-{i}.svg" for i in range(1, len(result["plots"]) + 1)]


def _link(target: Path, place: Path) -> str:
    return Path(os.path.relpath(target, place)).as_posix()


def _code(paths: Iterable[str], place: Path) -> str:
    """Links to files by their names, with the folder where two have the same."""
    every = [Path(path) for path in paths]
    times = Counter(path.name for path in every)
    named = {path: "/".join(path.parts[-2 if times[path.name] > 1 else -1 :]) for path in every}
    return ", ".join(f"[{name}]({_link(ROOT / path, place)})" for path, name in named.items())


def _table(head: Sequence[str], rows: Sequence[Sequence[Any]]) -> list[str]:
    """Numbers to the right, in the columns that have nothing else."""

    def is_number(column: int) -> bool:
        return all(row[column] is None or isinstance(row[column], int | float) for row in rows)

    marks = ["--:" if rows and is_number(i) else "---" for i in range(len(head))]
    return [
        "| " + " | ".join(map(_cell, head)) + " |",
        "|" + "|".join(marks) + "|",
        *("| " + " | ".join(map(_cell, row)) + " |" for row in rows),
    ]


def _cell(x: Any) -> str:
    if x is None:
        return ""
    if isinstance(x, bool):
        return "yes" if x else "no"
    if isinstance(x, float):
        return f"{x:.3g}" if abs(x) < 1000 else f"{x:.0f}"
    return str(x).replace("|", "\\|").replace("\n", " ")
