"""Few bytes of the GPU's on their way to the host."""

from __future__ import annotations

import numpy as np
from gpu import cp

from spbfs.engines.cuda.runtime.fetch import Asked, Sending, fetched


def test_what_was_there_when_it_was_sent_is_received() -> None:
    array = cp.arange(600, dtype=cp.int64).reshape(20, 30)
    expected = np.arange(600).reshape(20, 30)
    sending = Sending(array)
    sending.begin()
    first = sending.received()
    array += 1
    sending.begin()
    assert np.array_equal(first, expected)
    assert np.array_equal(sending.received(), expected + 1)
    assert np.array_equal(fetched(array), expected + 1)


def test_what_was_asked_for_is_read_when_the_stream_has_come_so_far() -> None:
    numbers = cp.arange(1 << 22)[::-1]
    for length in (1, 1024):
        array = cp.zeros(length, dtype=cp.int64)
        for _ in range(4):  # a while, at the end of which the array is written
            ordered = cp.sort(numbers)
        array += ordered[:length] + 5
        asked = Asked(array)
        other = array + 1  # the stream goes on
        assert np.array_equal(asked.read(), np.arange(5, 5 + length))
        assert np.array_equal(asked.read(), np.arange(5, 5 + length))
        assert np.array_equal(fetched(other), np.arange(6, 6 + length))
