"""What runs found, a JSON file a figure and device, from which pages and plots are written."""

from __future__ import annotations

import json
import math
import time
from dataclasses import asdict
from pathlib import Path
from typing import Any

from benchmarks.papers.figure import Figure, Found, Plot, Setting
from benchmarks.papers.provenance import VERSION, machine

__all__ = ["DEVICES", "Result", "last_of", "load", "path_of", "plots_of", "save"]

Result = dict[str, Any]

DEVICES = ("cpu", "cuda")


def path_of(folder: Path, figure: Figure, device: str, quick: bool) -> Path:
    """Where the result of a run is, or will be."""
    small = "-quick" if quick else ""
    return folder / f"{figure.paper}-{figure.name}-{device}{small}.json"


def load(path: Path) -> Result | None:
    """A result of this version; None where there is none, or not a whole one."""
    try:
        found: Result = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None
    return found if found.get("version") == VERSION else None


def last_of(folder: Path, figure: Figure) -> list[Result]:
    """What there is of a figure: a result a device, a quick one where there is no other."""
    found = (
        load(path_of(folder, figure, device, False)) or load(path_of(folder, figure, device, True))
        for device in DEVICES
    )
    return [result for result in found if result]


def plots_of(result: Result) -> list[Plot]:
    """The plots of a result as they were given."""
    return [Plot(**plot) for plot in result["plots"]]


def save(folder: Path, figure: Figure, setting: Setting, found: Found, seconds: float) -> Path:
    """Write a result whole or not at all; returns its path."""
    result = {
        "paper": figure.paper,
        "figure": figure.name,
        "device": setting.device,
        "quick": setting.quick,
        "version": VERSION,
        "date": time.strftime("%Y-%m-%d"),
        "machine": found.machine or machine(setting.device),
        "seconds": round(found.seconds or seconds, 1),
        "gives": found.gives,
        "about": _with_left_out(found.about, setting.left_out),
        "columns": list(found.columns),
        "rows": [_plain(row) for row in found.rows],
        "plots": [_plain(asdict(plot)) for plot in found.plots],
    }
    path = path_of(folder, figure, setting.device, setting.quick)
    folder.mkdir(parents=True, exist_ok=True)
    part = path.with_suffix(".part")
    part.write_text(_text(result), encoding="utf-8")
    part.replace(path)
    return path


def _with_left_out(about: str, left_out: dict[str, list[str]]) -> str:
    """What a result says of itself, and of graphs that are not in it.

    Examples
    --------
    >>> _with_left_out("Counted.", {"too deep": ["road", "grid"]})
    'Counted. Left out: road, grid (too deep).'
    """
    if not left_out:
        return about
    said = "; ".join(f"{', '.join(names)} ({reason})" for reason, names in left_out.items())
    return f"{about.rstrip('. ')}. Left out: {said}."


def _plain(x: Any) -> Any:
    """Numbers as JSON has them, five digits of those that are not whole; None where there is no
    such number."""
    if isinstance(x, dict):
        return {str(key): _plain(value) for key, value in x.items()}
    if isinstance(x, list | tuple):
        return [_plain(value) for value in x]
    if hasattr(x, "item"):
        x = x.item()
    if isinstance(x, float):
        return float(f"{x:.5g}") if math.isfinite(x) else None
    return x


def _text(result: Result) -> str:
    """JSON with a line a row and a line of a plot, for those who compare two results."""
    lines = []
    for key, value in result.items():
        if key == "rows" and value:
            rows = ",\n  ".join(json.dumps(row) for row in value)
            lines.append(f' "rows": [\n  {rows}\n ]')
        elif key == "plots" and value:
            plots = ",\n  ".join(json.dumps(plot) for plot in value)
            lines.append(f' "plots": [\n  {plots}\n ]')
        else:
            lines.append(f" {json.dumps(key)}: {json.dumps(value)}")
    return "{\n" + ",\n".join(lines) + "\n}\n"
