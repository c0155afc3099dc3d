"""The burble: what every operation inside a ``with`` block did, and how long it took."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from spbfs.base.blocks import Nested, block
from spbfs.base.html import facts_and_table
from spbfs.base.packages import package
from spbfs.base.pictures.steps import Drawn, draw_steps
from spbfs.base.wording import ruled

__all__ = [
    "Trace",
    "as_one",
    "clock",
    "current",
    "finish",
    "finished",
    "record",
    "trace",
    "untraced",
]

#: The traces that are being recorded in this context; None in a block that records nothing.
_open: Nested[Trace | None] = Nested("spbfs_trace", None)
#: The innermost of them, or None.
current = _open.get

#: Column order of the table; fields an operation does not know are left blank.
FIELDS = (
    "operation",
    "direction",
    "kernel",
    "frontier",
    "edges",
    "conversions",
    "nvals",
    "device",
    "seconds",
    "me",
    "ua",
    "ur",
)
#: Operations that a notebook shows; the rest is counted.
_LISTED = 40
#: Columns of the table that are there only where an operation knows them: shares of lane-steps.
RARE = ("me", "ua", "ur")


class Trace:
    """The operations recorded so far, one dictionary each, in the order they ran.

    Attributes
    ----------
    records : list of dict
        Keys are ``"operation"``, ``"direction"``, ``"kernel"``, ``"frontier"``, ``"edges"``,
        ``"conversions"``, ``"nvals"``, ``"device"`` and ``"seconds"``; of kernels that count lanes
        also ``"me"``, ``"ua"`` and ``"ur"``.  Missing ones were not known to the operation.  The
        seconds are an operation's own: those within it have theirs, and are listed before it.
    """

    def __init__(self) -> None:
        self.records: list[dict[str, Any]] = []
        #: Seconds of all that is recorded, see `clock`.
        self.spent = 0.0
        #: Whether what runs is a part of an operation, see `as_one`.
        self.within = 0
        #: What the kernels said about the operation now running.
        self.pending: dict[str, Any] = {}

    def __len__(self) -> int:
        return len(self.records)

    def __iter__(self) -> Iterator[dict[str, Any]]:
        return iter(self.records)

    def table(self) -> None:
        """Print the records as a table."""
        print(self)

    def _cells(self) -> tuple[list[str], list[list[str]]]:
        """The names of the columns, and a row an operation."""
        fields = [f for f in FIELDS if f not in RARE or any(f in r for r in self.records)]
        return fields, [[_cell(r.get(f)) for f in fields] for r in self.records]

    def __str__(self) -> str:
        return ruled(*self._cells())

    def to_pandas(self) -> Any:
        """The records as a ``pandas.DataFrame``, one row an operation."""
        return package("pandas", "to_pandas").DataFrame(self.records, columns=list(FIELDS))

    def plot(self, figure: Any = None) -> Any:
        """Draw what had a frontier, products and searches, from left to right.

        Above, the vertices of the frontier and their edges where they are known; below, the time,
        directions told apart by colour and hatch.

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
            Nothing that has a frontier was recorded.
        PackageMissing
            Matplotlib is not installed.

        Examples
        --------
        >>> import matplotlib.figure
        >>> import spbfs as sb
        >>> with sb.trace() as t:
        ...     found = sb.bfs(sb.generate.grid2d(20, 20), 0)
        >>> t.plot(matplotlib.figure.Figure()).get_axes()[0].get_ylabel()
        'in the frontier'
        """
        steps = [
            Drawn(r["frontier"], r.get("edges"), r.get("direction") or "other", r["seconds"])
            for r in self.records
            if r.get("frontier") is not None
        ]
        return draw_steps(steps, figure)

    def __repr__(self) -> str:
        count, seconds = len(self.records), sum(r["seconds"] for r in self.records)
        return f"Trace({count:,} operations, {seconds:.6f} seconds; print it, or .to_pandas())"

    def _repr_html_(self) -> str:
        fields, rows = self._cells()
        kept = rows[:_LISTED]
        if len(rows) > _LISTED:
            kept.append([f"... {len(rows) - _LISTED:,} more", *[""] * (len(fields) - 1)])
        seconds = sum(r["seconds"] for r in self.records)
        facts = [("operations", f"{len(rows):,}"), ("seconds", f"{seconds:.6f}")]
        return facts_and_table("Trace", facts, fields, kept)


def _cell(value: Any) -> str:
    if value is None:
        return ""
    return f"{value:.6f}" if isinstance(value, float) else str(value)


@block
def trace() -> Iterator[Trace]:
    """Record what every operation in the block does.

    Yields
    ------
    Trace
        Filled as operations run; it stays valid after the block.  What runs in a block within a
        block is recorded by both; blocks may end in any order.  Threads, and generators that take
        turns, need a ``trace()`` each: of one object the last block that began ends first.

    Examples
    --------
    >>> import spbfs as sb
    >>> A = sb.Matrix.from_coo([0, 1], [1, 2], True, nrows=3, ncols=3)
    >>> q = sb.Vector.from_coo([0], True, size=3)
    >>> with sb.trace() as t:
    ...     w = sb.semiring.any_pair(q @ A).new()
    >>> t.records[0]["operation"]
    'vxm any_pair'
    """
    made = Trace()
    with _open.inside(made):
        yield made


@contextmanager
def untraced() -> Iterator[None]:
    """Record nothing in the block."""
    with _open.inside(None):
        yield


@contextmanager
def as_one() -> Iterator[None]:
    """Take what runs in the block for parts of the operation whose record is closed next.

    The parts have no records of their own; what kernels say about them is said of the whole.
    """
    open_trace = current()
    if open_trace is None:
        yield
        return
    open_trace.within += 1
    try:
        yield
    finally:
        open_trace.within -= 1


def record(**fields: Any) -> None:
    """Add what a kernel knows to the record of the operation now running.

    A format conversion is given as ``conversions="bitmap->list"``; several are joined.
    """
    open_trace = current()
    if open_trace is None:
        return
    conversion = fields.pop("conversions", None)
    if conversion:
        before = open_trace.pending.get("conversions")
        open_trace.pending["conversions"] = f"{before} {conversion}" if before else conversion
    open_trace.pending.update(fields)


def clock() -> float:
    """Seconds on a clock that stands still while operations are recorded; 0.0 without a trace.

    What passes on it between two calls is the time of an operation without those within it, which
    are recorded by themselves.
    """
    open_trace = current()
    return 0.0 if open_trace is None else time.perf_counter() - open_trace.spent


def finished(operation: str, engine: Any, start: float, data: Any) -> None:
    """Close the record of an operation that began at a `clock` and made some storage."""
    seconds = clock() - start
    finish(operation, engine.name, seconds, engine.nvals(data))


def finish(operation: str, device: str, seconds: float, nvals: int | None) -> None:
    """Close the record of one operation."""
    open_trace = current()
    if open_trace is None or open_trace.within:
        return
    known, open_trace.pending = open_trace.pending, {}
    known = {"operation": operation, **known, "nvals": nvals, "device": device, "seconds": seconds}
    for each in _open.outward():
        if each is None:
            break
        each.spent += seconds
        each.records.append(dict(known))
