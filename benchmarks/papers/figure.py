"""What a paper's table or figure is to the command that makes them all.

A module of this folder that is named after a paper has ``FIGURES``, a tuple of `Figure`; it imports
CuPy inside of what runs on a GPU only, so that the pages can be written where there is none.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar

from benchmarks.papers.parts import Parts

__all__ = ["OVER", "Figure", "Found", "Plot", "Setting"]

#: Why a result has nothing of a graph whose turn did not come.
OVER = "the time was over"

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Setting:
    """What a run is asked for.

    Parameters
    ----------
    device : str
        ``"cpu"`` or ``"cuda"``.
    quick : bool
        Small graphs, 2 cores, some seconds a figure: CI runs it.
    say : callable
        Shows one line of progress.
    ends : float, optional
        When no other graph is begun, by `time.perf_counter`.
    left_out : dict
        Reason -> graphs of which the result says nothing.
    graphs : tuple of str, optional
        Of a figure that is made graph by graph: these alone, and no result.
    parts : Parts, optional
        Where such a figure keeps what it has found of each.
    """

    device: str
    quick: bool
    say: Callable[[str], None]
    ends: float = math.inf
    left_out: dict[str, list[str]] = field(default_factory=dict)
    graphs: tuple[str, ...] | None = None
    parts: Parts | None = None

    def in_time(self, graphs: Iterable[T], named: Callable[[T], str] = str) -> Iterator[T]:
        """Those whose turn comes before the end, the first in any case.

        Examples
        --------
        >>> late = Setting("cpu", True, print, ends=0.0)
        >>> list(late.in_time(["kron", "web", "road"])), late.left_out
        (['kron'], {'the time was over': ['web', 'road']})
        """
        for place, graph in enumerate(graphs):
            if place and self.over:
                self.leave_out(named(graph), OVER)
            else:
                yield graph

    @property
    def over(self) -> bool:
        """Whether nothing new is begun: who takes long over one graph asks in between."""
        return time.perf_counter() >= self.ends

    def at_most(self, seconds: float) -> float:
        """So many seconds, or those that are left; never none, for those who wait no longer."""
        return max(1.0, min(seconds, self.ends - time.perf_counter()))

    def leave_out(self, graph: str, reason: str) -> None:
        """Say with the result that it has nothing of a graph, and why."""
        self.left_out.setdefault(reason, []).append(graph)


@dataclass(frozen=True, slots=True)
class Plot:
    """Lines of points, each with a marker: what the figure shows, drawn as SVG.

    Parameters
    ----------
    title, x, y : str
        The plot's own title, and the axes' with their units.
    lines : dict
        Name -> points, in the order in which they are joined.
    log_x, log_y : bool, optional
        Whether an axis is logarithmic; what is not positive is left out then.
    names : sequence of str, optional
        What x = 0, 1, 2, ... stand for, where x is no quantity.
    """

    title: str
    x: str
    y: str
    lines: dict[str, list[tuple[float, float]]]
    log_x: bool = False
    log_y: bool = False
    names: Sequence[str] = ()


@dataclass(frozen=True, slots=True)
class Found:
    """What a run found: it goes to JSON as it is.

    Parameters
    ----------
    columns : tuple of str
        With their units.
    rows : list of tuple
        Of str, int, float or None, one cell a column.
    plots : tuple of Plot, optional
    about : str, optional
        Graphs, counting rule, number of sources, what the clock enclosed.
    gives : str, optional
        What the figure comes to in this run, in a few words, for the index of all.
    machine : str, optional
    seconds : float, optional
        Where it was found and in what time, if not here and now: of figures that are made of parts.
    """

    columns: tuple[str, ...]
    rows: list[tuple[Any, ...]]
    plots: tuple[Plot, ...] = ()
    about: str = ""
    gives: str = ""
    machine: str = ""
    seconds: float = 0.0


@dataclass(frozen=True, slots=True)
class Figure:
    """One table or figure of a paper.

    Parameters
    ----------
    paper, name : str
        As in ``numbers.json``: ``"ibfs"``, ``"fig-15"`` or ``"table-1"``.
    title : str
    technique : str
        In words, for the index.
    code : tuple of str
        Where it is in the project: paths from its root.
    devices : tuple of str
        Where it can be run.
    run : callable
        Makes it.
    remarks : str, optional
        What agrees with the paper, what no longer does and why: written after real runs, and said
        of which run.
    across : tuple of str, optional
        Two columns, where rows are many: the page has a column for each value of the first, and in
        them the second.
    parts : tuple of str, optional
        Devices on which it is made graph by graph, what was found of each being kept.
    """

    paper: str
    name: str
    title: str
    technique: str
    code: tuple[str, ...]
    devices: tuple[str, ...]
    run: Callable[[Setting], Found]
    remarks: str = ""
    across: tuple[str, str] | None = None
    parts: tuple[str, ...] = ()
