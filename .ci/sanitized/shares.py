"""What each of several GPUs does that search together, by one GPU in the place of two."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any

import numpy as np

import spbfs as sb
from sanitized.graphs import DEVICE, directed, graphs, progress
from spbfs.engines.arrays.patterns.sets import set_of

__all__ = ["drawn_shares", "shares"]

PLACES = (0, 1)
SOURCE = 5


def shares() -> None:
    """Shares of matrices, offsets narrow and wide."""
    from spbfs.engines.cuda.graph import share_layout
    from spbfs.engines.cuda.peers.entries import StoredEntries

    narrow = share_layout.MOST_NARROW
    for k, A in enumerate((*graphs(), directed(300))):
        data, into = A.to(DEVICE)._ready(), A.T.new().to(DEVICE)._ready()
        share_layout.MOST_NARROW = (narrow, 0)[k % 2]
        for layouts in _laid_out(StoredEntries(data, into if k else data)):
            _looked_at(A, layouts)
        progress(f"{A.nrows} vertices")
    share_layout.MOST_NARROW = narrow


def drawn_shares() -> None:
    """The same of a graph that is drawn, and its levels beside the edges drawn."""
    import cupy as cp

    from spbfs.engines.cuda.peers.drawn import DrawnEntries
    from spbfs.engines.cuda.peers.graph500 import draw, level_bytes

    graph = DrawnEntries(9, 6 << 9, 5, (0.57, 0.19, 0.19))
    graph.prepare(lambda work: [work(place) for place in PLACES])
    keys, count = cp.empty(2 * graph.drawn, np.uint64), cp.zeros(1, np.uint64)
    draw("graph500_keys", graph.how, 0, graph.n, keys, int(keys.shape[0]), count)
    ends = set_of(np, keys[: int(count[0])].get())
    u, v = ends >> np.uint64(32), ends & np.uint64(2**32 - 1)
    A = sb.Matrix.from_coo(u.astype(np.int64), v.astype(np.int64), True, nrows=graph.n)
    assert (graph.lengths == np.diff(A.to_csr()[0])).all()
    for layouts in _laid_out(graph):
        levels, here = _looked_at(A, layouts)
        rank, share = layouts[0].rank, layouts[0].share
        found = level_bytes(here, rank, share, graph.n)
        assert (found.get() == np.where(levels < 0, 0, levels + 1)).all()
        led_to = np.zeros(graph.n // 32, np.uint32)
        for place in PLACES:
            told = graph.checked(found, place, len(PLACES)).get()
            assert not told[-2:].any()
            led_to |= told[: led_to.shape[0]]
        assert int(np.bitwise_count(led_to).sum()) == (levels > 0).sum()


def _laid_out(source: Any) -> Iterator[list[Any]]:
    """Both places' layouts of each kind."""
    from spbfs.engines.cuda.graph.share_layout import lay_out_share

    for relabel, neighbours in (("compact", "auto"), ("degree", "degree"), (None, None)):
        how: dict[str, Any] = {"relabel": relabel, "neighbours": neighbours}
        yield [
            lay_out_share(
                partial(source.here, place), place, len(PLACES), to_host=lambda array: array, **how
            )
            for place in PLACES
        ]


def _looked_at(A: sb.Matrix, layouts: list[Any]) -> tuple[Any, list[Any]]:
    """A search checked, counted and gathered: its levels, and as each place has them."""
    import cupy as cp

    from spbfs.engines.cuda.peers.check import broken_rules, levels_counted
    from spbfs.engines.cuda.peers.gather import gathered

    levels, parents = (x.to_dense(-1).astype(np.int32) for x in sb.bfs(A, SOURCE))
    share = layouts[0].share
    rank = np.arange(A.nrows) if layouts[0].rank is None else layouts[0].rank.get()
    owner = np.where(rank < 0, -1, (rank >> share.shift) % len(PLACES))
    here = [cp.asarray(np.where(owner == place, levels, -7)) for place in PLACES]
    counts = 0
    for place, layout in enumerate(layouts):
        own = cp.asarray(np.where(owner == place, parents, -7))
        assert not broken_rules(layout, here, own, SOURCE).get().any()
        counts = counts + levels_counted(layout, here[place]).get().reshape(-1, 2)
    assert counts[:, 0].sum() == (levels >= 0).sum()
    assert counts[:, 1].sum() == np.diff(A.to_csr()[0])[levels >= 0].sum()
    assert (gathered(here, layouts[0].rank, share, A.nrows).get() == levels).all()
    return levels, here
