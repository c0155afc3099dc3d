"""What a benchmark is asked for by name, and the two files it writes."""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Iterable
from pathlib import Path
from typing import Any

Report = dict[str, Any]


def known_names(given: Iterable[str], known: Collection[str]) -> list[str]:
    """The names given; the program ends where one of them is not known."""
    names = list(given)
    for name in names:
        if name not in known:
            raise SystemExit(f"{name}: expected one of {', '.join(sorted(known))}")
    return names


def method_lines(report: Report) -> list[str]:
    """How was measured, a sentence a line."""
    return [f"{key.capitalize()}: {text}." for key, text in report["method"].items()]


def write(report: Report, folder: Path, stem: str, markdown: Callable[[Report], str]) -> list[Path]:
    """Write a report as JSON and as Markdown, named by its date; returns the paths."""
    folder.mkdir(parents=True, exist_ok=True)
    base = folder / f"{stem}-{report['date']}"
    paths = [base.with_suffix(".json"), base.with_suffix(".md")]
    paths[0].write_text(json.dumps(report, indent=1) + "\n", encoding="utf-8")
    paths[1].write_text(markdown(report), encoding="utf-8")
    return paths
