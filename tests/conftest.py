"""Puts the helpers of this folder (`graphs`, ...) on the path of every test below it."""

import signal

import pytest

# A shell that starts the tests in the background has them ignore Ctrl-C, which is inherited by
# every process that a test starts; tests of interruptions need it as a terminal gives it.
signal.signal(signal.SIGINT, signal.default_int_handler)

from spbfs import _cpu  # noqa: E402

# What threads share is tested on any machine, however few its cores.
_cpu.pretend_cores(8)


def pytest_addoption(parser: pytest.Parser) -> None:
    """``--long`` also runs what `make test` leaves to `make full`."""
    parser.addoption("--long", action="store_true", help="run tests marked long, too")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Without ``--long`` a fixed slice of every long suite runs."""
    if config.getoption("--long"):
        return
    items[:], left = (
        [item for item in items if (item.get_closest_marker("long") is None) == short]
        for short in (True, False)
    )
    config.hook.pytest_deselected(items=left)
