"""Memory of the host that kernels write: when it is another's, and that summaries outlive it."""

import gc

import gpu  # noqa: F401  (skips without one)
import numpy as np
import pytest

import spbfs as sb
from spbfs.engines.cuda.runtime import host_block
from spbfs.engines.cuda.runtime.host_block import HostBlock


@pytest.fixture(autouse=True)
def _alone(monkeypatch):
    monkeypatch.setattr(host_block, "_retired", [])
    monkeypatch.setattr(HostBlock.__del__, "__defaults__", (host_block._retired,))


def test_memory_is_another_block_once_all_is_over_that_writes_there() -> None:
    over = False
    block = HostBlock(lambda: over)
    block.seen(np.int64)[:] = 7
    address = block.data.ptr
    del block
    other = HostBlock(lambda: True)
    assert other.data.ptr != address
    over = True
    again = HostBlock(lambda: True)
    assert again.data.ptr == address
    assert not again.seen(np.uint8).any()


def test_memory_survives_a_block_that_goes_with_a_cycle() -> None:
    """As one does that a traceback refers to: the collector ends all of a cycle's objects."""

    class Holder:
        pass

    holder = Holder()
    holder.itself, holder.block = holder, HostBlock(lambda: True)
    address = holder.block.data.ptr
    del holder
    gc.collect()
    assert HostBlock(lambda: True).data.ptr == address
    HostBlock(lambda: True).seen(np.int64)[:] = 3


def test_blocks_that_are_in_use_are_not_asked_for_without_end() -> None:
    asked = []
    blocks = [HostBlock(lambda: asked.append(1) or False) for _ in range(100)]
    del blocks
    asked.clear()
    HostBlock(lambda: True)
    assert 0 < len(asked) <= 16


def test_a_summary_is_read_after_its_matrix_is_gone_and_others_were_searched() -> None:
    lengths = range(2, 40)
    results = []
    for n in lengths:
        path = np.arange(n - 1)
        A = sb.Matrix.from_coo(path, path + 1, True, nrows=n, ncols=n).to("cuda")
        results.append(sb.bfs(A, 0))
        del A
        gc.collect()
    assert [r.reached for r in results] == list(lengths)
    assert [r.depth for r in results] == [n - 1 for n in lengths]
