"""Threads on their own default streams share a handle, and nothing else."""

from __future__ import annotations

import threading

import numpy as np
import pytest
from gpu import cp

import spbfs as sb
from spbfs.engines.cuda.runtime.streams import stream_key


def test_a_per_thread_stream_has_a_number_in_every_thread() -> None:
    keys: list[int] = []
    thread = threading.Thread(target=lambda: keys.append(stream_key(2)))
    thread.start()
    thread.join()
    assert keys and stream_key(2) not in keys
    assert stream_key(0) == 0 and stream_key(7) == 7


def test_searches_of_threads_on_their_own_streams() -> None:
    stream = getattr(cp.cuda.Stream, "ptds", None)
    if stream is None:
        pytest.skip("the emulator has one stream")
    A = sb.generate.kronecker(12, 8, seed=3)
    sources = np.flatnonzero(np.diff(A.to_csr()[0]))[:64]
    expected = {int(s): sb.bfs(A, int(s)).levels.to_dense(-1) for s in sources}
    on_gpu = A.to("cuda")
    wrong: list[int] = []

    def search(mine: np.ndarray) -> None:
        with stream:
            for s in mine.tolist() * 4:
                found = sb.bfs(on_gpu, s)
                q, levels, depth = sb.Vector(bool, A.nrows), sb.Vector(int, A.nrows), 0
                q[s] = True
                while q.nvals:
                    levels(q.S) << depth
                    q(~levels.S, sb.replace) << sb.semiring.any_pair(q @ on_gpu)
                    depth += 1
                vectors = (v.to("cpu").to_dense(-1) for v in (found.levels, levels))
                wrong.extend(s for v in vectors if not np.array_equal(v, expected[s]))

    threads = [threading.Thread(target=search, args=(sources[i::4],)) for i in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


def test_offsets_of_two_types_meet_in_no_search() -> None:
    """A directed graph whose rows have 64-bit offsets, its transpose 32-bit ones."""
    rng = np.random.default_rng(5)
    u, v = np.unique(rng.integers(0, 300, (2, 2000)), axis=1)
    A = sb.Matrix.from_coo(u, v, True, nrows=300, ncols=300)
    indptr, indices, _ = A.to_csr()
    wide = sb.Matrix.from_csr(
        cp.asarray(indptr.astype(np.int64)), cp.asarray(indices.astype(np.int32)), True,
        nrows=300, ncols=300, device="cuda",
    )  # fmt: skip
    wide.T.new()
    sources = np.arange(100)
    expected = sb.bfs_many(A, sources).levels
    for direction in ("push", "pull", "auto"):
        for s in (0, 7):
            found = sb.bfs(wide, s, direction=direction).levels.to("cpu").to_dense(255)
            assert np.array_equal(found, expected[s])
    assert np.array_equal(cp.asnumpy(sb.bfs_many(wide, sources).levels), expected)


@pytest.mark.skipif(cp.cuda.runtime.getDeviceCount() < 2, reason="there is one GPU")
def test_a_result_is_read_while_another_gpu_is_current() -> None:
    A = sb.generate.path(5_000).to("cuda")  # as many levels: it is still under way
    sb.bfs(A, 0)
    found = sb.bfs(A, 0)
    with cp.cuda.Device(1):
        assert found.reached == 5_000 and found.depth == 4_999
