"""A file of tests has a name of its own: of two that share one, pytest refuses to collect both."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

TESTS = Path(__file__).parents[2]


def test_no_two_files_of_tests_share_a_name() -> None:
    names = Counter(path.name for path in TESTS.rglob("test_*.py"))
    assert len(names) > 200
    assert not [name for name, times in names.items() if times > 1]
