"""Searches from many sources at once."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

import spbfs as sb
from sanitized.graphs import DEVICE, device_csr, graphs, star

__all__ = ["many_hubs", "many_searches", "many_stepwise"]


def many_searches() -> None:
    import cupy as cp

    from spbfs.engines.cuda.bfs_many.fused import ManyBFS, empty_levels
    from spbfs.engines.cuda.graph.layout import build_layout
    from spbfs.planner.many import ManyTuning
    from spbfs.storage.packed import WORDS

    sources = [5, 9, 77, 9]
    # Rows of a hundred entries are long ones here, which are cut into pieces.
    cut = ManyTuning(long_row=64, piece=32)
    for A in graphs():
        expected = np.array([sb.bfs(A, s).levels.to_dense(-1) for s in sources], np.uint8)
        for words in WORDS:
            layout = build_layout(A.nrows, *device_csr(A, wide=words == 4), hubs=1 << 30)
            plan = ManyBFS(layout, words=words, planes=6, tuning=cut)
            for direction in ("auto", "push", "pull"):
                plan.run(sources, direction=direction)
                levels = empty_levels(len(sources), A.nrows)
                plan.levels(levels)
                assert (levels.get() == expected).all()
        counts, sums = cp.zeros(A.nrows, cp.int32), cp.zeros(A.nrows, cp.int64)
        plan.add_counts(counts, sums)
        assert (counts.get() == (expected != 255).sum(axis=0)).all()
        found = plan.summary()
        assert (found.reached == (expected != 255).sum(axis=1)).all()
        degrees = np.diff(A.to_csr()[0])
        assert found.edges == ((expected != 255) * degrees).sum()
        parents = cp.empty((len(sources), A.nrows), cp.int32)
        plan.parents(parents, cp.arange(len(sources)))
        assert ((parents.get() >= 0) == (expected != 255)).all()
        at_one = plan.level_set(1).get()[:, 0]
        for j in range(len(sources)):
            assert ((at_one >> j & 1) == (expected[j] == 1)).all()


def many_hubs() -> None:
    from spbfs.algorithms.bfs_many.grouping import group_by_hub

    # A row of the star is one for all threads of a CTA.
    for A in (*graphs(), star(3000)):
        sources = np.arange(A.nrows)[::-1]
        found = group_by_hub(A.to(DEVICE)._ready(), sources)
        assert (found == group_by_hub(A._ready(), sources)).all()


def many_stepwise() -> None:
    from spbfs.engines import bfs_many_stepwise, get_engine
    from spbfs.engines.cuda.bfs_many.bytes import JointBytes, PrivateBytes
    from spbfs.engines.cuda.bfs_many.plain import PlainBits

    sources, engine = np.array([5, 9, 77, 9]), get_engine(DEVICE)
    ways: list[Callable[[Any], Any]] = [
        lambda data: JointBytes(data, sources, engine),
        lambda data: PrivateBytes(data, sources, engine),
        lambda data: PlainBits(data, sources, engine, kept=True),
        lambda data: PlainBits(data, sources, engine, kept=False),
    ]
    chosen = bfs_many_stepwise.stepwise_pulls
    for A in graphs():
        expected = np.array([sb.bfs(A, s).levels.to_dense(-1) for s in sources.tolist()], np.uint8)
        for pulled in (False, True):
            bfs_many_stepwise.stepwise_pulls = lambda *_, p=pulled, **__: p
            for way in ways:
                searches = way(A.to(DEVICE)._ready())
                bfs_many_stepwise.search_stepwise(searches)
                assert (searches.levels().get() == expected).all()
    bfs_many_stepwise.stepwise_pulls = chosen
