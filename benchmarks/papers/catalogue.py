"""The papers, and every figure of theirs that is made here."""

from __future__ import annotations

import json
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any

from benchmarks.papers.figure import Figure

__all__ = ["PAPERS", "Paper", "about_theirs", "chosen", "figures", "label", "theirs"]


@dataclass(frozen=True, slots=True)
class Paper:
    """What a reader looks for: title, authors, where it appeared; the figure that the first page
    of the project shows."""

    title: str
    authors: str
    where: str
    shown: str


#: In the order of the index.  The module of a paper's figures has its name.
PAPERS: dict[str, Paper] = {
    "merrill": Paper(
        "Scalable GPU Graph Traversal", "Merrill, Garland, Grimshaw", "PPoPP 2012", "table-2"
    ),
    "load_balanced": Paper(
        "Load-balanced breadth-first search on the GPU", "load-balanced BFS", "2014", "fig-6"
    ),
    "cheng": Paper(
        "Understanding the SIMD Efficiency of Graph Traversal on GPU",
        "Cheng et al.",
        "2014",
        "best-width",
    ),
    "ibfs": Paper(
        "iBFS: Concurrent Breadth-First Search on GPUs", "Liu, Huang, Hu", "SIGMOD 2016", "fig-15"
    ),
    "adaptive": Paper(
        "An adaptive breadth-first search algorithm on integrated architectures",
        "Zhang et al.",
        "2018",
        "regret",
    ),
}


def figures() -> tuple[Figure, ...]:
    """All of them, papers in the order of the index."""
    found: list[Figure] = []
    for name in PAPERS:
        found += import_module(f"benchmarks.papers.{name}").FIGURES
    return tuple(found)


def chosen(paper: str | None, figure: str | None) -> tuple[Figure, ...]:
    """Those of a paper, by names or numbers with commas between; the program ends where one is not
    there."""
    every = figures()
    if paper is not None and paper not in PAPERS:
        raise SystemExit(f"--paper {paper}: expected one of {', '.join(PAPERS)}")
    mine = tuple(f for f in every if paper in (None, f.paper))
    if figure is None:
        return mine
    wanted: set[str] = set()
    for one in figure.split(","):
        named = {one, f"fig-{one}", f"table-{one}"}
        if not any(f.name in named for f in mine):
            names = ", ".join(dict.fromkeys(f.name for f in mine)) or "none yet"
            raise SystemExit(f"--figure {one}: expected one of {names}")
        wanted |= named
    return tuple(f for f in mine if f.name in wanted)


def theirs(figure: Figure) -> dict[str, Any] | None:
    """What the paper has of a figure: page, section, numbers where it gives any, a note."""
    found: dict[str, Any] | None = _numbers().get(figure.paper, {}).get(figure.name)
    return found


def about_theirs() -> str:
    """How pages of the papers are counted."""
    found: str = _numbers()["about"]
    return found


def _numbers() -> dict[str, Any]:
    text = (Path(__file__).parent / "numbers.json").read_text(encoding="utf-8")
    found: dict[str, Any] = json.loads(text)
    return found


def label(name: str) -> str:
    """A figure's name as the paper has it.

    Examples
    --------
    >>> label("fig-15"), label("table-1"), label("rates")
    ('Fig. 15', 'Table 1', 'Rates')
    """
    kind, _, number = name.rpartition("-")
    words = {"fig": "Fig.", "table": "Table"}
    return f"{words[kind]} {number}" if kind in words else name.replace("-", " ").capitalize()
