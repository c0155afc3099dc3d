"""Where entries of a matrix are to lie: what is asked for without a GPU."""

from __future__ import annotations

import pickle
import re
from typing import Any

import pytest

import spbfs as sb
from spbfs.cli import main
from spbfs.exceptions import InvalidValue
from spbfs.planner.residence import SORT_BYTES, SORT_CHUNK, VERTEX_BYTES, entries_memory


def test_entries_of_the_host_lie_there() -> None:
    A = sb.generate.path(4)
    assert A.memory == pickle.loads(pickle.dumps(A)).memory == "host"
    assert A.to("cpu", memory=None) is A and A.to("reference").memory == "host"


@pytest.mark.parametrize("memory", ["vram", "Pinned", 1, b"pinned", ["pinned"], True])
@pytest.mark.parametrize("device", ["cpu", "reference", "cpu+cuda"])
def test_memories_that_there_are_not(device: str, memory: Any) -> None:
    with pytest.raises(InvalidValue, match=r"^memory: expected device, pinned, auto or None, got "):
        sb.generate.path(4).to(device, memory=memory)


@pytest.mark.parametrize("memory", ["device", "pinned", "auto"])
@pytest.mark.parametrize("device", ["cpu", "reference", "cpu+cuda"])
def test_memories_that_a_device_has_not(device: str, memory: Any) -> None:
    with pytest.raises(
        InvalidValue, match=rf"^memory: expected None with device .{re.escape(device)}., got"
    ):
        sb.generate.path(4).to(device, memory=memory)


def test_of_a_vector_the_same_is_said() -> None:
    v = sb.Vector.from_coo([1], 2.0, size=4)
    assert v.to("cpu", memory=None) is v
    with pytest.raises(InvalidValue, match=r"^memory: expected device, pinned, auto or None, got "):
        v.to("cpu", memory="vram")  # type: ignore[arg-type]
    with pytest.raises(InvalidValue, match=r"^memory: expected None with device 'cpu', got 'auto'"):
        v.to("cpu", memory="auto")
    with pytest.raises(InvalidValue, match=r"^device: "):
        v.to("gpu", memory="pinned")  # type: ignore[arg-type]


def test_a_device_that_is_not_there_is_named_first() -> None:
    with pytest.raises(InvalidValue, match=r"^device: "):
        sb.generate.path(4).to("gpu", memory="pinned")


def test_what_is_free_decides() -> None:
    """Both directions of the matrix and of what searches read, unless it is symmetric."""
    n, entries = 1000, 1 << 30
    state = VERTEX_BYTES * n + SORT_BYTES * SORT_CHUNK
    for symmetric, directions in ((True, 1), (False, 2)):
        needed = directions * 8 * entries + state
        assert entries_memory(n, entries, 4, symmetric, needed) == "device"
        assert entries_memory(n, entries, 4, symmetric, needed - 1) == "pinned"


def test_the_command_line_names_the_option(capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["examples/data/karate.mtx", "--source", "0", "--device", "cpu"]
    assert main(["bfs", *arguments, "--memory", "pinned"]) == 1
    assert "--memory: expected None with device 'cpu'" in capsys.readouterr().err
