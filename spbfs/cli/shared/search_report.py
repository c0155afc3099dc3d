"""What is printed of one search."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from spbfs.cli.shared import formatting as text
from spbfs.cli.shared.search import energy_line

if TYPE_CHECKING:
    from spbfs.base.energy import Energy

__all__ = ["level_sizes", "report"]

#: Levels listed one by one before the rest is summed up.
LISTED = 12


def _pinned(record: dict[str, Any]) -> str:
    return " (pinned)" if record["memory"] == "pinned" else ""


def report(record: dict[str, Any], used: Energy | None = None) -> str:
    """The facts of a search, a line each."""
    sources = record["source"]
    lines = [
        (
            "graph",
            f"{record['graph']}: {text.count(record['vertices'])} vertices, "
            f"{text.count(record['entries'])} entries",
        ),
        (
            "source",
            ", ".join(map(str, sources)) if isinstance(sources, list) else str(sources),
        ),
        (
            "reached",
            f"{text.count(record['reached'])} vertices, "
            f"{record['reached'] / record['vertices']:.1%} of all",
        ),
        ("depth", text.count(record["depth"])),
        ("edges", f"{text.count(record['edges'])} entries in the rows reached"),
        (
            "time",
            f"{text.seconds(record['seconds'])} on {record['device']}{_pinned(record)} "
            f"(reading took {text.seconds(record['read_seconds'])})",
        ),
        ("speed", text.rate(record["teps"])),
    ]
    if used is not None:
        lines.append(("energy", energy_line(used, record["edges"])))
    if record.get("verified"):
        lines.append(("verified", "levels and parents obey the rules of a breadth-first tree"))
    if "output" in record:
        lines.append(("output", record["output"]))
    return text.facts(lines)


def level_sizes(counts: Any) -> str:
    """A table of how many vertices every level has."""
    rows = [[text.count(level), text.count(int(c))] for level, c in enumerate(counts[:LISTED])]
    rest = text.table(["level", "vertices"], rows)
    if counts.size > LISTED:
        rest += (
            f"\n... {text.count(counts.size - LISTED)} more levels, "
            f"{text.count(int(counts[LISTED:].sum()))} vertices"
        )
    return rest
