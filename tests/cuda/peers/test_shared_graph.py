"""Graphs that several GPUs draw, each its share; emulated ones are three."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from gpu import cp
from peer_gpus import GPUS, several
from scipy import sparse

import spbfs as sb
from spbfs.engines.cuda.graph import share_layout, shares
from spbfs.exceptions import BackendUnavailable, InvalidValue, VerificationError
from spbfs.planner.search_cuda import LayoutChoice

MASK = (1 << 64) - 1


def _mixed(x: int) -> int:
    x = (x + 0x9E3779B97F4A7C15) & MASK
    x = ((x ^ x >> 30) * 0xBF58476D1CE4E5B9) & MASK
    x = ((x ^ x >> 27) * 0x94D049BB133111EB) & MASK
    return x ^ x >> 31


def _scrambled(x: int, scale: int, seed: int) -> int:
    mask = (1 << scale) - 1
    for turn in (1, 2, 3):
        r = _mixed((seed + turn) & MASK)
        x = (x * ((r & 0xFFFFFFFF) | 1) + (r >> 32)) & mask
        x ^= x >> (scale + 1) // 2
    return x


def _drawn(scale: int, edge_factor: int, seed: int) -> Any:
    """The same graph, edge by edge."""
    upto = [round(p * 2**32) for p in (0.57, 0.76, 0.95)]
    rows, columns = [], []
    for e in range(edge_factor << scale):
        own, u, v = _mixed(seed ^ e << 8), 0, 0
        for level in range(scale):
            bits = _mixed((own + level // 2 * 2) & MASK)
            r = bits >> 32 * (level % 2) & 0xFFFFFFFF
            quadrant = sum(r >= p for p in upto)
            u, v = 2 * u + quadrant // 2, 2 * v + quadrant % 2
        rows.append(_scrambled(u, scale, seed))
        columns.append(_scrambled(v, scale, seed))
    n = 1 << scale
    ends = np.array([rows + columns, columns + rows])
    ends = ends[:, ends[0] != ends[1]]
    A = sparse.coo_array((np.ones(ends.shape[1], bool), tuple(ends)), shape=(n, n)).tocsr()
    A.sum_duplicates()
    A.data[:] = True
    return A


@several
@pytest.mark.parametrize("hubs", [None, 0, 40])
@pytest.mark.parametrize(("gpus", "scale", "chunk"), [(2, 8, 1 << 30), (3, 7, 100), (2, 9, 3000)])
def test_a_graph_is_the_same_however_it_is_dealt_out(
    gpus: int, scale: int, chunk: int, hubs: int | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    if gpus > GPUS:
        pytest.skip("there are fewer than three GPUs")
    monkeypatch.setattr(shares, "MOST_IN_CHUNK", chunk)
    monkeypatch.setattr(share_layout, "search_layout", lambda *_: LayoutChoice(hubs, 0))
    A = sb.Matrix.from_scipy(_drawn(scale, 6, 5))
    G = sb.SharedGraph.kronecker(scale, 6, seed=5, devices=list(range(gpus)))
    assert (G.nrows, G.nvals) == (A.nrows, A.nvals)
    assert G.nbytes > 8 * G.nvals
    for source in (0, 3, A.nrows - 1):
        for direction in ("auto", "push", "pull"):
            found, alone = G.bfs(source, direction=direction), sb.bfs(A, source)
            assert found.levels.isequal(alone.levels, check_dtype=True)
            assert (found.depth, found.reached) == (alone.depth, alone.reached)
            assert found.edges == alone.edges
            sb.verify.bfs_tree(A, source, found)
            G.verify(found)


@several
def test_a_trace_has_every_level() -> None:
    A = sb.Matrix.from_scipy(_drawn(8, 4, 1))
    G = sb.SharedGraph.kronecker(8, 4, seed=1, devices=[1, 0])
    source = int(np.diff(_drawn(8, 4, 1).indptr).argmax())
    alone, found = (g(source, trace=True) for g in (lambda s, **o: sb.bfs(A, s, **o), G.bfs))
    for name in ("frontier", "edges"):
        assert [getattr(s, name) for s in found.trace] == [getattr(s, name) for s in alone.trace]


def _by_gpu(found: Any) -> Iterator[tuple[Any, np.ndarray]]:
    """What each GPU has found, which is the current one meanwhile, and whose results these are, in
    their order."""
    for gpu, layout in zip(found._found._found, found._found._group.layouts, strict=True):
        with gpu.levels.device:
            labels = np.arange(layout.n)
            if layout.label is not None:
                own = (labels >> layout.share.shift) % layout.share.gpus == layout.share.place
                labels = layout.label.get()[own]
            assert gpu.levels.shape == gpu.parents.shape == labels.shape
            yield gpu, labels
            cp.cuda.Device().synchronize()  # it is looked at by another stream


@several
@pytest.mark.parametrize(
    ("output", "value", "rule"),
    [
        ("levels", -2, "out of range"),
        ("levels", -1, "no level"),
        ("levels", 0, "level 0"),
        ("parents", None, "its own parent"),
        ("levels", 5, "more than one level deeper"),
        ("parents", 0, "other end of an edge"),
    ],
)
@pytest.mark.parametrize("hubs", [None, 40])
def test_what_is_wrong_is_found(
    hubs: int | None, output: str, value: int | None, rule: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(share_layout, "search_layout", lambda *_: LayoutChoice(hubs, 0))
    A = _drawn(7, 4, 2)
    G = sb.SharedGraph.kronecker(7, 4, seed=2, devices=[0, 1])
    source = int(np.diff(A.indptr).argmax())
    found = G.bfs(source)
    levels = found.levels.to_dense(-1)
    # A vertex of level 2, whose parent another one cannot be.
    vertex = int(np.flatnonzero(levels == 2)[0])
    wrong = vertex if value is None else value
    if output == "parents" and value == 0:
        wrong = int(np.flatnonzero(levels == 2)[-1])
    for gpu, here in _by_gpu(found):
        getattr(gpu, output)[cp.asarray(np.flatnonzero(here == vertex))] = wrong
    with pytest.raises(VerificationError, match=rule):
        G.verify(found)
    # The edges that were drawn say it, too, whatever shares are.
    assert bool(found._found._broken_by_edges()) == (output == "levels")
    for gpu, here in _by_gpu(found):
        gpu.levels[:] = cp.asarray(np.minimum(levels, 1)[here], np.int32)
    told = found._found._broken_by_edges()
    assert f"leads there from one level up: {(levels > 1).sum()} vertices" in told


@several
def test_arguments() -> None:
    for given, error, told in (
        ({"scale": 31}, InvalidValue, "scale: expected at most 30"),
        ({"devices": [0]}, InvalidValue, "at least two"),
        ({"devices": [0, GPUS]}, BackendUnavailable, "devices"),
    ):
        with pytest.raises(error, match=told):
            sb.SharedGraph.kronecker(**{"scale": 4, "devices": [0, 1], **given})
    G = sb.SharedGraph.kronecker(0, devices=[0, 1])
    assert (G.nrows, G.nvals) == (1, 0)
    assert "1 vertices, 0 entries" in repr(G)
    with pytest.raises(InvalidValue, match="one vertex"):
        G.bfs([0, 0])
    with pytest.raises(InvalidValue, match="parents: expected 'any'"):
        G.bfs(0, parents="min")
    with pytest.raises(InvalidValue, match="with parents=True"):
        G.verify(G.bfs(0, parents=False))
    with pytest.raises(InvalidValue, match="a search of this graph"):
        G.verify(sb.bfs(sb.generate.path(3), 0))
