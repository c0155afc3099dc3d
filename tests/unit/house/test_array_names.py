"""The array engine uses only names that both of its array modules have."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest

import spbfs
from spbfs.operators.traced.standins import UFUNCS

ENGINES = Path(spbfs.__file__).parent / "engines"
SOURCES = sorted((ENGINES / "arrays").rglob("*.py"))


def _used() -> set[str]:
    text = "\n".join(path.read_text("utf-8") for path in SOURCES)
    functions = set(re.findall(r"\bxp\.(\w+)", text))
    named = set(re.findall(r'_named\("(\w+)"\)', text))
    return functions | named | UFUNCS


def test_numpy_and_cupy_have_every_name() -> None:
    used = _used()
    assert {"flatnonzero", "searchsorted", "fmin", "arctan2"} <= used
    assert not {name for name in used if not hasattr(np, name)}
    cupy = pytest.importorskip("cupy", reason="CuPy is not installed")
    assert not {name for name in used if not hasattr(cupy, name)}
