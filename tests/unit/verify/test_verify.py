"""Every rule of `verify.bfs_tree` is broken once, and found; what is right passes."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp

import spbfs as sb
from spbfs import verify
from spbfs.exceptions import (
    DimensionMismatch,
    DomainMismatch,
    IndexOutOfBound,
    InvalidValue,
    VerificationError,
)

# 0 - 1 - 2 - 3, 1 - 3, and 4 - 5 apart; 6 alone.
EDGES = [(0, 1), (1, 2), (2, 3), (1, 3), (4, 5)]
LEVELS = [0, 1, 2, 2, -1, -1, -1]
PARENTS = [0, 0, 1, 1, -1, -1, -1]


def graph(edges: list[tuple[int, int]] = EDGES, directed: bool = False) -> Any:
    rows = [u for u, _ in edges] + ([] if directed else [v for _, v in edges])
    cols = [v for _, v in edges] + ([] if directed else [u for u, _ in edges])
    return sp.coo_array((np.ones(len(rows)), (rows, cols)), shape=(7, 7)).tocsr()


def test_a_right_answer_passes() -> None:
    verify.bfs_tree(graph(), 0, PARENTS, LEVELS)
    verify.bfs_tree(graph(), 0, PARENTS, None)
    verify.bfs_tree(graph(), 0, None, LEVELS)
    verify.bfs_tree(graph(), [0, 4], [0, 0, 1, 1, 4, 4, -1], [0, 1, 2, 2, 0, 1, -1])
    verify.bfs_tree(graph(directed=True), 2, [-1, -1, 2, 2, -1, -1, -1], [-1, -1, 0, 1] + [-1] * 3)


def test_a_search_cut_short_passes_with_its_depth_only() -> None:
    levels, parents = [0, 1] + [-1] * 5, [0, 0] + [-1] * 5
    verify.bfs_tree(graph(), 0, parents, levels, max_depth=1)
    with pytest.raises(VerificationError, match="vertex 2 at the end of its edge is not reached"):
        verify.bfs_tree(graph(), 0, parents, levels)


BROKEN = [
    ({0: 1}, {}, "source 0 has parent 1"),
    ({0: -1}, {}, "source 0 has parent -1"),
    ({}, {0: 1}, "source 0 has level 1"),
    ({3: 7}, {}, "vertex 3 has parent 7, not below 7"),
    ({3: 0}, {}, r"vertex 3 has parent 0, but A has no entry \(0, 3\)"),
    ({3: 3}, {}, "vertex 3 has parent 3, but A has no entry"),
    ({3: -1}, {}, "vertex 3 has level 2 but no parent"),
    ({}, {3: -1}, "vertex 3 has parent 1 but no level"),
    ({}, {3: 3}, "vertex 3 has level 3, its parent 1 has level 1"),
    ({}, {3: 0}, "vertex 3 has level 0"),
    ({2: 3, 3: 2}, {}, "parents lead to no source"),
    ({3: 2}, {3: 3}, "vertex 1 has level 1, but vertex 3 .* has level 3"),
    ({2: -1, 3: -1}, {2: -1, 3: -1}, "vertex 2 at the end of its edge is not reached"),
    ({4: 5, 5: 4}, {4: 1, 5: 2}, "parents lead to no source"),
]


@pytest.mark.parametrize(("parent_changes", "level_changes", "message"), BROKEN)
def test_every_broken_rule_is_named(
    parent_changes: dict[int, int], level_changes: dict[int, int], message: str
) -> None:
    parents, levels = list(PARENTS), list(LEVELS)
    for v, value in parent_changes.items():
        parents[v] = value
    for v, value in level_changes.items():
        levels[v] = value
    with pytest.raises(VerificationError, match=message):
        verify.bfs_tree(graph(), 0, parents, levels)


def test_a_loop_is_no_tree_edge() -> None:
    with pytest.raises(VerificationError, match="vertex 1 has parent 1, itself"):
        verify.bfs_tree(graph([*EDGES, (1, 1)]), 0, [0, 1, 1, 1, -1, -1, -1], LEVELS)


def test_levels_alone_need_an_edge_from_the_level_above() -> None:
    with pytest.raises(VerificationError, match="vertex 5 has level 1, but no edge from level 0"):
        verify.bfs_tree(graph(directed=True), 0, None, [0, 1, 2, 2, -1, 1, -1])


def test_bad_arguments() -> None:
    with pytest.raises(DimensionMismatch, match="levels"):
        verify.bfs_tree(graph(), 0, PARENTS, LEVELS[:-1])
    with pytest.raises(DimensionMismatch, match="parents"):
        verify.bfs_tree(graph(), 0, [PARENTS], LEVELS)
    with pytest.raises(DomainMismatch, match="levels"):
        verify.bfs_tree(graph(), 0, PARENTS, [float(x) for x in LEVELS])
    with pytest.raises(DomainMismatch, match="both"):
        verify.bfs_tree(graph(), 0, None, None)
    with pytest.raises(IndexOutOfBound, match="source"):
        verify.bfs_tree(graph(), 7, PARENTS, LEVELS)


def test_what_a_search_returned_is_taken_whole() -> None:
    for source in (0, [0, 4]):
        verify.bfs_tree(graph(), source, sb.bfs(graph(), source))
        verify.bfs_tree(graph(), source, sb.bfs(graph(), source, levels=False))
        verify.bfs_tree(graph(), source, sb.bfs(graph(), source, max_depth=1), max_depth=1)
    with pytest.raises(VerificationError, match=r"^levels: source 1 has level 1"):
        verify.bfs_tree(graph(), 1, sb.bfs(graph(), 0))
    with pytest.raises(InvalidValue, match=r"^levels: expected None beside a whole result"):
        verify.bfs_tree(graph(), 0, sb.bfs(graph(), 0), LEVELS)


def test_the_wrong_way_round_is_said() -> None:
    for source in (0, 1, 3, [0, 4]):
        with pytest.raises(InvalidValue, match="the other way round"):
            verify.bfs_tree(graph(), source, *sb.bfs(graph(), source))
    with pytest.raises(InvalidValue, match="the other way round"):
        verify.bfs_tree(graph(), 0, LEVELS)
    # Wrong either way: the first violation of what was said.
    with pytest.raises(VerificationError):
        verify.bfs_tree(graph(), 0, LEVELS, [0, 0, 1, 2, -1, -1, -1])
