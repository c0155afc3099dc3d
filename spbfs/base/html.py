"""How objects show themselves in notebooks: a line of facts over a small table."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

__all__ = ["facts_and_table", "size"]

_CELL = "padding:0 0.6em;text-align:right"


def size(nbytes: int) -> str:
    """Bytes as people read them.

    Examples
    --------
    >>> size(17), size(5000), size(3 << 30)
    ('17 B', '4.88 KiB', '3 GiB')
    """
    number, units = float(nbytes), ["B", "KiB", "MiB", "GiB", "TiB"]
    while number >= 1024 and len(units) > 1:
        number /= 1024
        units.pop(0)
    return f"{number:.3g} {units[0]}" if number < 1000 else f"{number:.0f} {units[0]}"


def facts_and_table(
    title: str,
    facts: Sequence[tuple[str, str]],
    header: Sequence[str] = (),
    rows: Sequence[Sequence[str]] = (),
) -> str:
    """HTML of a title, a row of named facts and a table, its first column being names."""
    names = "".join(f'<th style="{_CELL}">{escape(name)}</th>' for name, _ in facts)
    values = "".join(f'<td style="{_CELL}">{escape(value)}</td>' for _, value in facts)
    parts = [
        f"<div><strong>{escape(title)}</strong>",
        f"<table><tr>{names}</tr><tr>{values}</tr></table>",
    ]
    if rows:
        top = "".join(f'<th style="{_CELL}">{escape(name)}</th>' for name in header)
        body = "".join(
            f'<tr><th style="{_CELL}">{escape(first)}</th>'
            + "".join(f'<td style="{_CELL}">{escape(cell)}</td>' for cell in rest)
            + "</tr>"
            for first, *rest in rows
        )
        parts.append(f"<table><thead><tr>{top}</tr></thead><tbody>{body}</tbody></table>")
    return "".join(parts) + "</div>"
