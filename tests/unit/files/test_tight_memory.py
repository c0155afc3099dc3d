"""Work that threads do ahead, where memory has no room for them."""

from __future__ import annotations

import sys

import pytest

from tests.processes import finished


@pytest.mark.skipif(sys.platform != "linux", reason="RLIMIT_DATA counts stacks on Linux alone")
def test_threads_that_find_no_room_are_not_begun() -> None:
    """From where a stack has no room to where what a thread needs besides has: nothing is said."""
    program = """
    import resource, threading
    from spbfs.base.ahead import in_order
    from tests.on_disk import data_bytes

    def run():
        return [made for _, made in in_order(abs, range(20), 2)] == list(range(20))

    assert run()
    # Each is larger than those before, so that no stack of an earlier one is used again.
    for turn in range(24):
        stack = (9 << 20) + (turn << 16)
        threading.stack_size(stack)
        room = data_bytes() + stack + 2048 * (turn - 5)
        resource.setrlimit(resource.RLIMIT_DATA, (room, -1))
        assert run()
        resource.setrlimit(resource.RLIMIT_DATA, (-1, -1))
    """
    done = finished("", program)
    assert (done.returncode, done.stderr) == (0, "")
