"""A plugin of pytest's: how often each function of the backend ran, and which tests failed.

It writes ``calls-*.json``, one a worker, into the folder that SPBFS_OUTSIDE names.
"""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Callable
from functools import wraps
from pathlib import Path
from typing import Any

import pytest

from spbfs.networkx.functions import FUNCTIONS
from spbfs.networkx.interface import backend

calls: Counter[str] = Counter()
outcomes: dict[str, str] = {}
places: dict[str, str] = {}


def _counted(name: str, function: Callable[..., Any]) -> Callable[..., Any]:
    @wraps(function)
    def call(*args: Any, **kwargs: Any) -> Any:
        # What is left to NetworkX in the middle of a call raises NotImplementedError.
        found = function(*args, **kwargs)
        calls[name] += 1
        return found

    return call


def pytest_sessionstart() -> None:
    for name in FUNCTIONS:
        setattr(backend, name, _counted(name, getattr(backend, name)))


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        places[item.nodeid] = f"{item.path}::{item.nodeid.partition('::')[2]}"


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    place = places.get(report.nodeid, report.nodeid)
    if report.failed:
        outcomes[place] = "failed"
    elif report.when == "call":
        outcomes.setdefault(place, report.outcome)


def pytest_sessionfinish(session: pytest.Session) -> None:
    if not places:
        return  # which hears of the workers' tests a second time
    worker = os.environ.get("PYTEST_XDIST_WORKER", "main")
    path = Path(os.environ["SPBFS_OUTSIDE"]) / f"calls-{worker}.json"
    path.write_text(json.dumps({"calls": calls, "outcomes": outcomes}))
