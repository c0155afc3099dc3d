"""Launches follow what the device allows; on a GPU, and in the emulator for others of them."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from gpu import cp

import spbfs as sb
from spbfs.engines.cuda.bfs.fused import FusedBFS
from spbfs.engines.cuda.bfs.kernel import specialisation
from spbfs.engines.cuda.bfs_many import fused as many
from spbfs.engines.cuda.graph.layout import build_layout
from spbfs.engines.cuda.runtime.device import limits
from spbfs.engines.cuda.runtime.launch import Kernel
from spbfs.planner.search_cuda import Tuning
from spbfs.storage.packed import WORDS


def _layout(records: int = 0) -> Any:
    A = sb.generate.grid2d(20, 20)
    indptr, indices, _ = A.to_csr()
    return build_layout(
        A.nrows, cp.asarray(indptr, cp.int32), cp.asarray(indices, cp.int32), records=records
    )


def test_a_kernel_that_asks_for_more_shared_memory_than_there_is_is_refused() -> None:
    device = limits()
    wanted = specialisation(False, False, False, device.capability)
    with pytest.raises(cp.cuda.driver.CUDADriverError):
        Kernel(wanted, shared_bytes=device.shared_bytes + 1)


@pytest.mark.parametrize("words", WORDS)
def test_many_searches_ask_for_what_the_device_has(words: int) -> None:
    layout = _layout()
    for cache_bytes in (12 << 10, 96 << 10, 1 << 20):
        tuning = many.ManyTuning(cache_bytes=cache_bytes)
        plan = many.ManyBFS(layout, words=words, tuning=tuning)
        plan.run([0, 399])
        assert plan.summary().depth == 38


@pytest.mark.parametrize("cached", [None, 0, 1 << 30])
def test_single_searches_ask_for_what_the_device_has(cached: int | None) -> None:
    for records in (0, 4):
        plan = FusedBFS(_layout(records), tuning=Tuning(cached=cached))
        levels = cp.empty(400, cp.int32)
        plan.run(0, levels, None)
        assert plan.summary().depth == 38 and int(levels[399]) == 38


def test_where_no_cluster_fits_a_deep_graph_is_searched_without(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    from spbfs.engines.cuda.bfs import fused

    small = replace(limits(), shared_bytes=min(limits().shared_bytes, 99 << 10))
    for name, made in (("clusters_of", lambda *_: 0), ("limits", lambda: small)):
        with monkeypatch.context() as patched:
            patched.setattr(fused, name, made)
            plan = FusedBFS(_layout(records=4))
        levels = cp.empty(400, cp.int32)
        plan.run(0, levels, None)
        assert plan.summary().depth == 38 and int(levels[399]) == 38
