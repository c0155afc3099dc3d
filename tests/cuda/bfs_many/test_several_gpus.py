"""Batches of sources over the GPUs of one process; emulated ones are three."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from gpu import cp

import spbfs as sb
from spbfs.exceptions import BackendUnavailable
from spbfs.storage.derived import replicas_of
from tests.batch_calls import CALLS, SOURCES, check_equal, check_searches, graph

GPUS = cp.cuda.runtime.getDeviceCount()
#: What two threads do at once on one GPU is tested elsewhere.
several = pytest.mark.skipif(GPUS < 2, reason="there is one GPU")


@several
@pytest.mark.parametrize("name", ["all of them", "rows of a depth", "small batches"])
def test_searches_find_what_one_gpu_finds(name: str, tmp_path: Path) -> None:
    check_searches(name, tmp_path, graph("cuda"), devices=[0, 1])


@several
@pytest.mark.parametrize("name", ["closeness", "harmonic, sampled", "betweenness", "KHopIndex"])
def test_what_is_built_on_searches_is_the_same(name: str) -> None:
    found = CALLS[name](graph("cuda"), devices=["cuda:1", "cuda:0"])
    np.testing.assert_array_equal(found, CALLS[name](graph("cuda")))


@several
def test_a_gpu_is_given_the_matrix_once() -> None:
    A, outputs = graph(), ["levels", "counts"]
    alone = sb.bfs_many(A, SOURCES, outputs=outputs)
    check_equal(sb.bfs_many(A, SOURCES, outputs=outputs, devices=[0, 1, "cpu"]), alone)
    kept = dict(replicas_of(A._ready()).on_gpus)
    assert {number: int(copy.indices.device.id) for number, copy in kept.items()} == {0: 0, 1: 1}
    check_equal(sb.bfs_many(A, SOURCES, outputs=outputs, devices=[1, 0]), alone)
    assert all(replicas_of(A._ready()).on_gpus[number] is kept[number] for number in kept)
    # One that a GPU has needs no copy there.
    B = A.to("cuda")
    found = sb.bfs_many(B, SOURCES, outputs=outputs, devices=[0, 1])
    assert list(replicas_of(B._ready()).on_gpus) == [1]
    assert found.levels.device.id == 0
    np.testing.assert_array_equal(found.levels.get(), alone.levels)
    np.testing.assert_array_equal(found.counts.get(), alone.counts)


def test_a_gpu_that_is_not_there() -> None:
    with pytest.raises(BackendUnavailable, match=f"devices: 'cuda:{GPUS}' is not among the {GPUS}"):
        sb.bfs_many(graph(), SOURCES, devices=[0, f"cuda:{GPUS}"])
