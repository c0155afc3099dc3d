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
    assert found.owners.dtype.name == kind
    assert found.owners.to_coo()[0].tolist() == found.parents.to_coo()[0].tolist()


#: Ways of searching that each tell owners by code of their own.
WAYS: dict[str, Any] = {
    "as it is": {},
    "least parents": {"parents": "min"},
    "no parents": {"parents": False},
    "nothing else": {"levels": False, "parents": False},
    "traced": {"trace": True},
    "pulled": {"direction": "pull"},
    "to a depth of 1": {"max_depth": 1},
    "numbered by degree": {"relabel": "degree"},
    "without vertices that have no edges": {"relabel": "compact"},
    "by parts": {"part_edges": 2},
}


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("source", [0, 3, 5])
@pytest.mark.parametrize("n", [6, 1000])
def test_a_source_given_twice_owns_what_it_reaches(
    way: str, source: int, n: int, device: str
) -> None:
    A = sb.Matrix.from_coo([0, 1, 3], [1, 2, 4], 1, nrows=n, ncols=n).to(device)
    if way == "by parts" and device == "reference":
        pytest.skip("the reference cuts no edges")
    once = sb.bfs(A, source, **{**WAYS[way], "levels": True})
    twice = sb.bfs(A, [source, source], **WAYS[way])
    assert once.owners is None
    assert twice.owners.to_coo()[0].tolist() == once.levels.to_coo()[0].tolist()
    assert twice.owners.to_coo()[1].tolist() == [0] * once.reached
    assert twice.reached == once.reached
    if twice.levels is not None:
        assert twice.levels.isequal(once.levels)
    assert sb.bfs(A, [source], **WAYS[way]).owners is None


@pytest.mark.parametrize("n", [6, 1 << 40])
def test_a_source_given_twice_has_owners_by_strategies(n: int, device: str) -> None:
    strategies = {"cpu": ["TC", "BC"], "cuda": ["TG", "BG"]}
    if device not in strategies:
        pytest.skip("the reference has no strategies")
    A = sb.Matrix.from_coo([0, 1, 3], [1, 2, 4], 1, nrows=n, ncols=n).to(device)
    found = sb.bfs(A, [0, 0], strategy=strategies[device])
    assert found.owners.to_coo()[1].tolist() == [0, 0, 0]


def test_a_source_given_twice_stands_in_the_table(device: str) -> None:
    table = sb.bfs(sb.generate.path(5).to(device), [2, 2]).to_pandas()
    assert table["owner"].tolist() == [2] * 5
