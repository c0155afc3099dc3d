"""What was found of single graphs, a file each, for figures that take longer than one run may.

Such a figure is made of what there is, by one process after another or by several side by side, on
machines of their own: whoever puts it together needs the files alone.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks.papers.provenance import LOAD, VERSION, machine

__all__ = ["Part", "Parts", "made_of", "part_of"]


@dataclass(frozen=True, slots=True)
class Part:
    """What was found, where, and in how many seconds; the latter two where it is kept."""

    found: Any
    machine: str = ""
    seconds: float = 0.0


@dataclass(frozen=True, slots=True)
class Parts:
    """The parts of a folder.

    Parameters
    ----------
    folder : Path
    device : str
        Where this process finds what is not there.
    again : bool, optional
        What is there is not taken, but found anew.
    only : bool, optional
        Nothing is found anew.
    """

    folder: Path
    device: str
    again: bool = False
    only: bool = False

    def load(self, name: str, asked: dict[str, Any]) -> Part | None:
        """A whole part of this version for which just this was asked, or None."""
        if self.again:
            return None
        try:
            kept = json.loads(self._path(name).read_text(encoding="utf-8"))
        except (OSError, ValueError):
            return None
        if kept.get("version") != VERSION or kept.get("asked") != asked:
            return None
        return Part(kept["found"], kept["machine"], kept["seconds"])

    def save(self, name: str, asked: dict[str, Any], found: Any, seconds: float) -> Part:
        """Write a part whole or not at all, and say what it is."""
        part = Part(found, machine(self.device), round(seconds, 1))
        kept = {
            "version": VERSION,
            "date": time.strftime("%Y-%m-%d"),
            "machine": part.machine,
            "seconds": part.seconds,
            "asked": asked,
            "found": found,
        }
        path = self._path(name)
        path.parent.mkdir(parents=True, exist_ok=True)
        half = path.with_suffix(".part")
        half.write_text(json.dumps(kept, indent=1) + "\n", encoding="utf-8")
        half.replace(path)
        return part

    def _path(self, name: str) -> Path:
        return self.folder / f"{name}.json"


def part_of(parts: Parts | None, name: str, asked: dict[str, Any], make: Callable[[], Any]) -> Part:
    """What is kept, or what `make` finds, which is kept."""
    kept = parts.load(name, asked) if parts else None
    if kept:
        return kept
    began = time.perf_counter()
    found = make()
    return parts.save(name, asked, found, time.perf_counter() - began) if parts else Part(found)


def made_of(parts: Iterable[Part]) -> dict[str, Any]:
    """Machines and seconds of a figure that is made of some parts.

    Examples
    --------
    >>> made_of([Part(1, "a, load average 2.0", 3.0), Part(2, "a, load average 4.5", 1.0)])
    {'machine': 'a, load average 2.0 to 4.5', 'seconds': 4.0}
    """
    seconds, loads = 0.0, dict[str, list[float]]()
    for part in parts:
        seconds += part.seconds
        where, _, load = part.machine.partition(LOAD)
        if where:
            loads.setdefault(where, []).append(float(load))
    told = []
    for where, found in sorted(loads.items()):
        least, most = min(found), max(found)
        span = f"{least}" if least == most else f"{least} to {most}"
        told.append(f"{where}{LOAD}{span}")
    return {"machine": "; ".join(told), "seconds": round(seconds, 1)}
