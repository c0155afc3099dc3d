"""What each of several GPUs has of a graph, made some rows at a time; emulated ones are three."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from gpu import cp
from peer_gpus import GPUS, several
from scipy import sparse
from search_graphs import GRAPHS, check_search

import spbfs as sb
from spbfs.engines.cuda.graph import layout as layouts
from spbfs.engines.cuda.graph import share_layout, shares
from spbfs.engines.cuda.peers import entries
from spbfs.planner.residence import share_bytes
from spbfs.planner.search_cuda import LayoutChoice

NAMES = ("skewed", "directed", "late, shuffled", "star", "loops", "no edges", "one vertex")


def _group(A: sb.Matrix, gpus: int = 2, **how: Any) -> Any:
    sb.bfs(A, 0, devices=list(range(gpus)), **how).depth  # noqa: B018
    derived = A._ready().derived
    held: Any = derived.searches if A.device != "cpu" else derived.searches_elsewhere
    return held._by_peers._by_group._group


def _layouts(A: sb.Matrix, **how: Any) -> list[layouts.Layout]:
    return list(_group(A, **how).layouts)


def _host(array: Any) -> Any:
    return None if array is None else array.get()


@several
@pytest.mark.parametrize("relabel", ["compact", "degree", None])
@pytest.mark.parametrize("name", NAMES)
def test_shares_have_every_entry_once(name: str, relabel: Any) -> None:
    """In rows of whoever owns an edge's head, and the same by column."""
    A = GRAPHS[name].tocoo()
    parts = _layouts(sb.Matrix.from_scipy(GRAPHS[name]).to("cuda"), relabel=relabel)
    n, found = parts[0].n, []
    for part in parts:
        rank = np.arange(n) if part.rank is None else _host(part.rank)
        owner = (np.arange(n) >> part.share.shift) % part.share.gpus
        own = np.flatnonzero(owner == part.share.place)
        pushed = sparse.csr_array(
            (np.ones(part.out_indices.size), _host(part.out_indices), _host(part.out_indptr)),
            shape=(n, n),
        ).tocoo()
        assert (owner[pushed.col] == part.share.place).all()
        rows = np.repeat(own, np.diff(_host(part.in_indptr)))
        pulled = np.stack([_host(part.in_indices), rows])
        given = np.stack([pushed.row, pushed.col])
        assert sorted(given.T.tolist()) == sorted(pulled.T.tolist())
        found += given.T.tolist()
    assert sorted(found) == sorted(np.stack([rank[A.row], rank[A.col]]).T.tolist())


@several
@pytest.mark.parametrize("memory", ["host", "pinned", "mapped", "device"])
@pytest.mark.parametrize("hubs", [0, 300])
@pytest.mark.parametrize("name", ["skewed", "directed", "star"])
def test_chunks_make_the_same_shares(
    name: str, hubs: int, memory: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Any
) -> None:
    monkeypatch.setattr(share_layout, "search_layout", lambda *_: LayoutChoice(hubs, 0))
    whole = _layouts(sb.Matrix.from_scipy(GRAPHS[name]).to("cuda"))
    monkeypatch.setattr(shares, "MOST_IN_CHUNK", 97)
    monkeypatch.setattr(entries, "PIECE", 53)
    A = sb.Matrix.from_scipy(GRAPHS[name])
    if memory == "mapped":
        A = sb.read(str(_written(A, tmp_path)), mmap=True)
    elif memory != "host":
        A = A.to("cuda", memory=memory)
    for expected, got in zip(whole, _layouts(A), strict=True):
        for array in {*layouts.Layout.__dataclass_fields__} - {"parents"}:  # a search's
            a, b = getattr(expected, array), getattr(got, array)
            if isinstance(a, cp.ndarray):
                owned = _own_ids(expected) if array == "prefix_labels" else slice(None)
                np.testing.assert_array_equal(_host(a)[owned], _host(b)[owned], array)


def _own_ids(layout: layouts.Layout) -> Any:
    share = layout.share
    return np.flatnonzero((np.arange(layout.n) >> share.shift) % share.gpus == share.place)


def _written(A: sb.Matrix, folder: Any) -> Any:
    sb.write(str(folder / "graph.csr"), A)
    return folder / "graph.csr"


@several
@pytest.mark.parametrize("gpus", [1, 2, 3])
@pytest.mark.parametrize("relabel", ["compact", "degree", None])
@pytest.mark.parametrize("name", ["skewed", "directed", "late, shuffled"])
def test_what_is_made_is_counted(name: str, relabel: Any, gpus: int) -> None:
    """By as much as a GPU has more than its part where vertices are dealt out in runs."""
    if gpus > GPUS:
        pytest.skip("there are two GPUs")
    A = sb.Matrix.from_scipy(GRAPHS[name])
    group = _group(A, gpus, relabel=relabel)
    for part, search, found in zip(group.layouts, group._searches, group._idle[0], strict=True):
        lists, relabelled = (search._capacity, search.listed), part.label is not None
        of = part.caller_n, part.n, gpus, lists, part.out_indptr.itemsize, relabelled
        counted = share_bytes(*of)
        arrays = {
            **{name: getattr(part, name) for name in ("out_indptr", "in_indptr", "row_prefix")},
            **{name: getattr(part, name) for name in ("label", "rank", "words", "degrees")},
            "visited bits, two": search._seen,
            "lists of finds, two": search._queue,
            "levels, two": search._levels,
        }
        made = {name: 0 if array is None else array.nbytes for name, array in arrays.items()}
        made["outputs, two"] = found.nbytes
        for name, nbytes in made.items():
            most = counted.get(name, 0) + (32 << part.share.shift)
            assert nbytes <= most, (name, nbytes, counted)
            # Words of hubs-first layouts alone.
            assert name == "words" or nbytes >= counted.get(name, 0) - (32 << part.share.shift)


@several
@pytest.mark.parametrize("room", ["for all but numbers by label", "for the rows pulled"])
@pytest.mark.parametrize("name", ["skewed", "directed"])
def test_what_has_no_room_goes_to_the_host(
    name: str, room: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(share_layout, "search_layout", lambda *_: LayoutChoice(300, 0))
    pushed = room == "for the rows pulled"
    places = "pinned", "pinned" if pushed else "device"
    monkeypatch.setattr(share_layout, "residence", lambda *_: places)
    A = sb.Matrix.from_scipy(GRAPHS[name]).to("cuda")
    for direction in ("auto", "push", "pull"):
        for source in (0, 7, GRAPHS[name].shape[0] - 1):
            found = sb.bfs(A, source, devices=[0, 1], direction=direction)
            levels = found.levels.to_dense(-1)
            check_search(name, source, levels, found.parents.to_dense(-1))
    for part in _layouts(A):
        assert part.pushes_over_bus == pushed
        assert part.rank is not None and layouts.memory_of(part.rank) == "pinned"
