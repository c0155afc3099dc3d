"""Memory that ranks see together, and their meetings in it; ranks are threads here."""

from __future__ import annotations

import os
import time
from typing import Any

import numpy as np
import pytest

import spbfs as sb
from spbfs.distributed.exchange.host_memory import Meetings, opened_by_all
from spbfs.engines.cpu.native import kernels

pytestmark = pytest.mark.skipif(
    not hasattr(os, "memfd_create"), reason="this system has no memory without a name"
)


def test_memory_of_another_process_is_not_taken_for_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """A number that has been given to another file since."""
    monkeypatch.setattr(os, "pread", lambda *args: b"somebody else's")

    def program(ranks: Any) -> None:
        assert opened_by_all(ranks, 4096) is None

    sb.distributed.simulate(2, program)


def test_what_is_not_such_memory_is_not_opened(monkeypatch: pytest.MonkeyPatch) -> None:
    """On another host the number may be a pipe's, or a device's."""
    monkeypatch.setattr(os, "readlink", lambda *args: "/dev/tape")
    real, opened = os.open, []
    monkeypatch.setattr(os, "open", lambda *args: opened.append(args) or real(*args))

    def program(ranks: Any) -> None:
        assert opened_by_all(ranks, 4096) is None

    sb.distributed.simulate(2, program)
    assert not any(str(args[0]).startswith("/proc/") for args in opened)


def meetings(ranks: Any) -> Meetings:
    memory = opened_by_all(ranks, Meetings.room(ranks))
    assert memory is not None
    return Meetings(ranks, memory)


def test_what_is_told_at_many_meetings() -> None:
    """A rank that is late reads what was told where it waited, not what was told since."""

    def program(ranks: Any) -> None:
        met = meetings(ranks)
        for turn in range(2000):
            told = met.tell(np.array([turn, ranks.rank, -turn]), ranks.listen)
            assert told.tolist() == [[turn, rank, -turn] for rank in range(3)]

    sb.distributed.simulate(3, program)


def test_a_meeting_that_nobody_else_comes_to_is_left() -> None:
    lines = np.zeros((2, 16), np.int64)
    met = kernels.Meetings(lines, 0)
    met.tell(np.empty(0, np.int64))
    assert not met.wait(5) and not met.here()
    lines[1, 0] = 1
    assert met.wait(5) and met.here()


def test_who_waits_long_leaves_the_core_to_others() -> None:
    def program(ranks: Any) -> float:
        met = meetings(ranks)
        if ranks.rank == 0:
            time.sleep(1.5)
        began = time.thread_time()
        assert met.tell(np.array([ranks.rank]), ranks.listen).tolist() == [[0], [1]]
        return time.thread_time() - began

    assert max(sb.distributed.simulate(2, program)) < 0.12


def test_who_waits_hears_of_a_failure() -> None:
    heard: list[int] = []

    def program(ranks: Any) -> None:
        met = meetings(ranks)
        met.tell(np.empty(0, np.int64), ranks.listen)
        if ranks.rank == 1:
            raise ValueError("it fails")

        def listen() -> None:
            heard.append(ranks.rank)
            ranks.listen()

        met.tell(np.empty(0, np.int64), listen)

    with pytest.raises(ValueError, match="it fails"):
        sb.distributed.simulate(3, program)
    assert set(heard) == {0, 2}
