"""Owners have the type of parents, whatever finds them, on every engine."""

from __future__ import annotations

from typing import Any

import pytest

import spbfs as sb

SOURCES = {"two": [0, 3], "one twice": [3, 3], "three, one twice": [0, 3, 0]}
SEARCHES: dict[str, Any] = {
    "bfs": lambda A, s: sb.bfs(A, s),
    "bfs, least parents": lambda A, s: sb.bfs(A, s, parents="min"),
    "sssp": lambda A, s: sb.sssp(A, s),
    "sssp composed": lambda A, s: sb.sssp(A, s, method="composed"),
    "sssp up to one": lambda A, s: sb.sssp(A, s, target=2),
    "sssp of negative lengths": lambda A, s: sb.sssp(A.apply("minus", right=2).new(), s),
    "widest_path": lambda A, s: sb.widest_path(A, s),
}


@pytest.mark.parametrize("several", SOURCES)
@pytest.mark.parametrize("search", SEARCHES)
@pytest.mark.parametrize("n", [6, 1 << 40])
def test_owners_have_the_type_of_parents(search: str, several: str, n: int, device: str) -> None:
    edges = [0, 1, 3], [1, 2, 4], [1, 5, 2]
    A = sb.Matrix.from_coo(*edges, nrows=n, ncols=n).to(device)
    found = SEARCHES[search](A, SOURCES[several])
    kind = "INT32" if n < 1 << 31 else "INT64"
    assert found.parents.dtype.name == kind
    if found.owners is not None:
        assert found.owners.dtype.name == kind
        assert found.owners.to_coo()[0].tolist() == found.parents.to_coo()[0].tolist()
    assert found.owners is not None or search.startswith("bfs")
