"""Rates that are built in are a calibration's, whose file is kept with the results."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pytest

from spbfs.planner.rates import BUILT_IN

RESULTS = Path(__file__).parents[3] / "benchmarks" / "results"


def _flat(rates: dict[str, Any]) -> dict[str, float]:
    """Rates by name, those within rates as ``outer.inner``."""
    found: dict[str, float] = {}
    for name, value in rates.items():
        if isinstance(value, dict):
            found |= {f"{name}.{inner}": rate for inner, rate in _flat(value).items()}
        else:
            found[name] = value
    return found


@pytest.mark.parametrize(
    ("name", "path", "rates"),
    [
        ("rates-cpu-one-thread-2026-11-27.json", ("cpu", "rates"), BUILT_IN.cpu),
        ("rates-h200-2026-11-27.json", ("cuda", "rates"), BUILT_IN.cuda),
        ("rates-h200-and-host-2026-11-27.json", ("switch",), BUILT_IN.switch),
    ],
)
def test_built_in_rates_are_those_of_a_file(name: str, path: tuple[str, ...], rates: Any) -> None:
    written = json.loads((RESULTS / name).read_text(encoding="utf-8"))
    for key in path:
        written = written[key]
    # The source has three digits or more of them.
    assert _flat(asdict(rates)) == pytest.approx(_flat(written), rel=5e-3)
