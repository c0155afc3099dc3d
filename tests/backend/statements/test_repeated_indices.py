"""Of what is assigned to one element by several indices, the last counts, also if it is absent."""

from __future__ import annotations

from typing import Any

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import spbfs
from spbfs import Matrix, Vector, binary, semiring

OPTIONAL = st.one_of(st.none(), st.integers(-9, 9))
SIZE = 6


def vector(values: list[Any], device: str) -> Vector:
    where = [i for i, x in enumerate(values) if x is not None]
    stored = np.array([values[i] for i in where], np.int64)
    return Vector.from_coo(where, stored, size=len(values), device=device)


def listed(v: Vector) -> list[Any]:
    return [v.get(i) for i in range(v.size)]


@settings(max_examples=60, deadline=None)
@given(
    old=st.lists(OPTIONAL, min_size=SIZE, max_size=SIZE),
    writes=st.lists(st.tuples(st.integers(-SIZE, SIZE - 1), OPTIONAL, st.booleans()), max_size=9),
    accum=st.sampled_from([None, "plus", "minus", "min", "second"]),
    masked=st.booleans(),
)
def test_as_a_loop_that_looks_ahead(
    device: str, old: list[Any], writes: list[Any], accum: str | None, masked: bool
) -> None:
    functions: dict[str, Any] = {
        "plus": lambda x, y: x + y,
        "minus": lambda x, y: x - y,
        "min": min,
        "second": lambda x, y: y,
    }
    expected = list(old)
    for k, (index, new, admitted) in enumerate(writes):
        last = all((i - index) % SIZE for i, *_ in writes[k + 1 :])
        if not last or (masked and not admitted):
            continue
        if accum is None:
            expected[index] = new
        elif new is not None:
            both = expected[index] is not None
            expected[index] = functions[accum](expected[index], new) if both else new
    v = vector(old, device)
    indices = [i for i, *_ in writes]
    new = vector([x for _, x, _ in writes], device)
    options: dict[str, Any] = {} if accum is None else {"accum": accum}
    if masked:
        flags = [admitted for *_, admitted in writes]
        options["mask"] = Vector.from_dense(np.array(flags, bool), device=device).V
    v[indices](**options) << new
    assert listed(v) == expected
    A = vector(old, device)._as_matrix()
    A[indices, 0](**options) << new
    assert listed(A[:, 0].new()) == expected
    turned = Matrix(int, 1, SIZE, device=device)
    turned[0, :] << vector(old, device)
    turned[0, indices](**options) << new
    assert listed(turned[0, :].new()) == expected


@pytest.mark.parametrize("seed", range(4))
def test_components_by_hooking(device: str, seed: int) -> None:
    """FastSV writes the least grandparents to parents, of which many are the same."""
    graph = nx.gnm_random_graph(30, 26, seed=seed)
    A = spbfs.io.from_networkx(graph, nodelist=range(30)).to(device)
    where = np.arange(30)
    parents = Vector.from_dense(where).to(device)
    while True:
        before = parents.dup()
        least = semiring.min_second(A @ parents).new()
        parents("min")[where] << least
        parents << binary.min(parents | least)
        where = parents.to_coo()[1]
        parents << parents[where].new()
        if parents.isequal(before):
            break
    for component in nx.connected_components(graph):
        assert {parents.get(i) for i in component} == {min(component)}
