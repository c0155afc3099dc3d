"""The levels of a search as they ran: a list that prints, draws and shows itself in a notebook."""

from __future__ import annotations

import math
from dataclasses import fields
from typing import Any

from spbfs.base.html import facts_and_table
from spbfs.base.packages import package
from spbfs.base.pictures.steps import Drawn, draw_steps
from spbfs.base.wording import ruled
from spbfs.engines.bfs import LevelTrace
from spbfs.exceptions import InvalidValue

__all__ = ["SearchTrace"]

#: Levels that a notebook shows; the rest is counted.
_LISTED = 40


class SearchTrace(list[LevelTrace]):
    """One `LevelTrace` a level expanded, from the source on; printed, a table with a line each.

    Examples
    --------
    >>> import spbfs as sb
    >>> steps = sb.bfs(sb.generate.path(3), 0, direction="push", trace=True).trace
    >>> [(step.direction, step.frontier) for step in steps]
    [('push', 1), ('push', 1)]
    """

    def table(self) -> None:
        """Print the levels as a table."""
        print(self)

    def __str__(self) -> str:
        return ruled(*self._cells(len(self)))

    def to_pandas(self) -> Any:
        """The levels as a ``pandas.DataFrame``, a row each, with all that a `LevelTrace` has.

        Returns
        -------
        pandas.DataFrame

        Raises
        ------
        PackageMissing
            pandas is not installed.
        """
        names = [field.name for field in fields(LevelTrace)]
        rows = [[getattr(step, name) for name in names] for step in self]
        made = package("pandas", "to_pandas").DataFrame(rows, columns=names)
        return made.rename_axis("level")

    def plot(self, figure: Any = None) -> Any:
        """Draw vertices and edges of every level above the time it took.

        Directions are told apart by colour and hatch.

        Parameters
        ----------
        figure : matplotlib.figure.Figure, optional
            To draw into; a new one of pyplot's by default.

        Returns
        -------
        matplotlib.figure.Figure

        Raises
        ------
        InvalidValue
            No level was expanded.
        PackageMissing
            Matplotlib is not installed.
        """
        if not self:
            raise InvalidValue(
                "trace: no level was expanded; expected a source with edges and a max_depth above 0"
            )
        drawn = [Drawn(s.frontier, s.edges, s.direction, s.seconds) for s in self]
        figure = draw_steps(drawn, figure)
        figure.get_axes()[-1].set_xlabel("level")
        return figure

    def _repr_html_(self) -> str:
        header, rows = self._cells(_LISTED)
        if len(self) > _LISTED:
            rows.append([f"... {len(self) - _LISTED:,} more", *[""] * (len(header) - 1)])
        facts = [
            ("levels", f"{len(self):,}"),
            ("vertices", f"{sum(s.frontier for s in self):,}"),
            ("edges", f"{sum(s.edges for s in self):,}"),
        ]
        return facts_and_table("Search, level by level", facts, header, rows)

    def _cells(self, most: int) -> tuple[list[str], list[list[str]]]:
        """The names of the columns, and a row a level of the first so many.

        A level may take less than a microsecond.
        """
        rows = [
            [
                str(level),
                step.direction,
                step.strategy,
                f"{step.frontier:,}",
                f"{step.edges:,}",
                "" if math.isnan(step.seconds) else f"{step.seconds:.9f}",
            ]
            for level, step in enumerate(self[:most])
        ]
        header = ["level", "direction", "strategy", "frontier", "edges", "seconds"]
        if any(step.exchanged is not None for step in self):
            header += ["bytes exchanged", "predicted"]
            for row, step in zip(rows, self, strict=False):
                row += [_number(step.exchanged), _number(step.predicted)]
        return header, rows


def _number(value: int | None) -> str:
    return "" if value is None else f"{value:,}"
