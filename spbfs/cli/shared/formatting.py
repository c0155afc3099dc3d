"""Numbers and tables as people read them, and JSON for programs."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from typing import Any

__all__ = ["count", "facts", "joules", "print_json", "rate", "seconds", "size", "table"]


def count(number: int) -> str:
    return f"{number:,}"


def size(nbytes: int) -> str:
    return _scaled(nbytes, ("B", "KiB", "MiB", "GiB", "TiB"), 1024)


def rate(per_second: float) -> str:
    return _scaled(per_second, ("", "K", "M", "G", "T"), 1000) + "TEPS"


def seconds(duration: float) -> str:
    for factor, unit in ((1, "s"), (1e3, "ms")):
        if duration * factor >= 1:
            return f"{duration * factor:.3g} {unit}"
    return f"{duration * 1e6:.3g} us"


def joules(energy: float) -> str:
    for factor, unit in ((1, "J"), (1e3, "mJ")):
        if energy * factor >= 1:
            return f"{energy * factor:.3g} {unit}"
    return f"{energy * 1e6:.3g} uJ"


def _scaled(number: float, units: Sequence[str], step: int) -> str:
    for unit in units[:-1]:
        if number < step:
            return f"{number:.4g} {unit}"
        number /= step
    return f"{number:.4g} {units[-1]}"


def facts(pairs: Sequence[tuple[str, str]]) -> str:
    """One ``name  value`` line a pair, values aligned."""
    width = max(len(name) for name, _ in pairs)
    return "\n".join(f"{name:<{width}}  {value}".rstrip() for name, value in pairs)


def table(header: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Columns aligned to the right under their header."""
    widths = [max(map(len, column)) for column in zip(header, *rows, strict=True)]
    return "\n".join(
        "  ".join(cell.rjust(width) for cell, width in zip(line, widths, strict=True))
        for line in (header, *rows)
    )


def print_json(record: dict[str, Any]) -> None:
    """JSON has no NaN and no infinity: nobody knows these numbers, and null says so.

    Names of vertices that JSON has no type for, dates say, are as tables show them.
    """
    print(json.dumps(_known(record), allow_nan=False, default=str))


def _known(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _known(part) for key, part in value.items()}
    if isinstance(value, list | tuple):
        return [_known(part) for part in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value
