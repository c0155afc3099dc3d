"""The burble: what every operation inside a ``with`` block did, and how long it took."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

__all__ = ["Trace", "current", "record", "trace"]

_current: ContextVar[Trace | None] = ContextVar("spbfs_trace", default=None)
#: The trace that is being recorded in this context, or None.
current = _current.get

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
#: Columns of the table that are there only where an operation knows them: shares of lane-steps.
RARE = ("me", "ua", "ur")


class Trace:
    """The operations recorded so far, one dictionary each, in the order they ran.

    Attributes
    ----------
    records : list of dict
        Keys are those of `FIELDS`; missing ones were not known to the operation.
    """

    def __init__(self, outer: Trace | None = None) -> None:
        #: That of the block around this one, which records the same.
        self.outer = outer
        self.records: list[dict[str, Any]] = []
        #: What the kernels said about the operation now running.
        self.pending: dict[str, Any] = {}

    def __len__(self) -> int:
        return len(self.records)

    def __iter__(self) -> Iterator[dict[str, Any]]:
        return iter(self.records)

    def table(self) -> None:
        """Print the records as a table."""
        print(self)

    def __str__(self) -> str:
        fields = [f for f in FIELDS if f not in RARE or any(f in r for r in self.records)]
        rows = [[_cell(r.get(f)) for f in fields] for r in self.records]
        widths = [max(len(c) for c in column) for column in zip(fields, *rows, strict=True)]
        lines = [fields, ["-" * w for w in widths], *rows]
        return "\n".join(
            "  ".join(c.ljust(w) for c, w in zip(line, widths, strict=True)).rstrip()
            for line in lines
        )

    def to_pandas(self) -> Any:
        """The records as a ``pandas.DataFrame``, one row an operation."""
        import pandas as pd

        return pd.DataFrame(self.records, columns=list(FIELDS))


def _cell(value: Any) -> str:
    if value is None:
        return ""
    return f"{value:.6f}" if isinstance(value, float) else str(value)


@contextmanager
def trace() -> Iterator[Trace]:
    """Record what every operation in the block does.

    Yields
    ------
    Trace
        Filled as operations run; it stays valid after the block.  What runs in a block within a
        block is recorded by both.

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
    made = Trace(current())
    token = _current.set(made)
    try:
        yield made
    finally:
        _current.reset(token)


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


def finish(operation: str, device: str, seconds: float, nvals: int | None) -> None:
    """Close the record of one operation."""
    open_trace = current()
    if open_trace is None:
        return
    known, open_trace.pending = open_trace.pending, {}
    known = {"operation": operation, **known, "nvals": nvals, "device": device, "seconds": seconds}
    while open_trace is not None:
        open_trace.records.append(dict(known))
        open_trace = open_trace.outer
