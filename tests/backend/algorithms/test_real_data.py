"""The real graphs of the shared data folder: read, searched, and compared with what is known."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import pytest
import scipy.sparse.csgraph as csgraph
from real_graphs import ABSENT, DATA, EXPECTED

import spbfs as sb
from spbfs import Vector, binary, replace, semiring

SOURCES = [(name, k) for name, facts in EXPECTED.items() for k in range(len(facts["bfs"]))]

pytestmark = pytest.mark.skipif(not EXPECTED, reason=ABSENT)


@cache
def graph(name: str) -> Any:
    return sb.read(DATA / EXPECTED[name]["file"])


@pytest.fixture
def fast(device: str) -> str:
    if device == "reference":
        pytest.skip("the reference engine takes minutes on real graphs")
    return device


def check(facts: dict[str, int], levels: Any, degrees: np.ndarray) -> None:
    """Compare the levels found with what `expected.json` says of them."""
    reached, level = levels.to_coo()
    assert len(reached) == facts["reached"]
    assert level.max() == facts["depth"]
    assert level.sum(dtype=np.int64) == facts["sum_levels"]
    assert degrees[reached].sum() == facts["edges_in_reached"]


@pytest.mark.parametrize("name", EXPECTED)
def test_reading(name: str) -> None:
    A, facts = graph(name), EXPECTED[name]
    assert A.shape == (facts["vertices"], facts["vertices"])
    assert A.nvals == facts["stored_entries"]
    pattern = A.to_scipy().astype(bool)
    assert ((pattern != pattern.T).nnz > 0) == facts["directed"]


@pytest.mark.parametrize("name", EXPECTED)
def test_components(name: str) -> None:
    S = graph(name).to_scipy()
    S.data = np.ones(S.nnz, dtype=np.int8)
    for kind in ("weak", "strong"):
        count, _ = csgraph.connected_components(S, connection=kind)
        assert count == EXPECTED[name][f"{kind}_components"]


@pytest.mark.parametrize("name", EXPECTED)
def test_connectivity(name: str, fast: str) -> None:
    A, facts = graph(name).to(fast), EXPECTED[name]
    vertices = np.arange(A.nrows)
    for found, kind in ((sb.components(A), "weak"), (sb.strong_components(A), "strong")):
        count = np.count_nonzero(found.to("cpu").to_dense() == vertices)
        assert count == facts[f"{kind}_components"]
    sb.verify.components(A, sb.components(A))
    sb.verify.strong_components(A, sb.strong_components(A))
    sb.verify.bipartite(A, sb.bipartite(A))
    sb.verify.minimum_spanning_forest(A, sb.minimum_spanning_forest(A))
    sb.verify.spanning_forest(A, sb.spanning_forest(A))


@pytest.mark.parametrize(("name", "k"), SOURCES)
def test_fused_search(name: str, k: int, fast: str) -> None:
    search(name, k, fast)


@pytest.mark.parametrize(
    ("name", "k"), [pytest.param(*s, marks=[pytest.mark.long] * (s[1] > 0)) for s in SOURCES]
)
def test_reference_search(name: str, k: int) -> None:
    search(name, k, "reference")


def search(name: str, k: int, device: str) -> None:
    A, facts = graph(name).to(device), EXPECTED[name]["bfs"][k]
    result = sb.bfs(A, facts["source"])
    assert (result.reached, result.depth) == (facts["reached"], facts["depth"])
    assert result.edges == facts["edges_in_reached"]
    assert result.levels.device == device
    check(facts, result.levels, np.diff(A.to_csr()[0]))
    sb.verify.bfs_tree(A, facts["source"], result.parents, result.levels)


@pytest.mark.parametrize("name", EXPECTED)
def test_composed_search(name: str, fast: str) -> None:
    A, facts = graph(name).to(fast), EXPECTED[name]["bfs"][0]
    q = Vector(bool, A.nrows)
    q[facts["source"]] = True
    levels = Vector(int, A.nrows)
    depth = 0
    while q.nvals:
        levels(q.S) << depth
        q(~levels.S, replace) << semiring.any_pair(q @ A)
        depth += 1
    check(facts, levels, np.diff(graph(name).to_scipy().indptr))


@pytest.mark.parametrize("name", EXPECTED)
def test_composed_weak_components(name: str, fast: str) -> None:
    """Every vertex takes the least label around it until nothing changes."""
    A = graph(name).to(fast)
    label = Vector.from_dense(np.arange(A.nrows), device=fast)
    before = -1
    while (total := label.reduce().new().value) != before:
        before = total
        label(binary.min) << semiring.min_second(A @ label)
        label(binary.min) << semiring.min_first(label @ A)
        label << label[label.to_coo()[1]]
    assert len(np.unique(label.to_coo()[1])) == EXPECTED[name]["weak_components"]


@pytest.mark.parametrize("name", [n for n, facts in EXPECTED.items() if "sssp" in facts])
def test_composed_shortest_paths(name: str, fast: str) -> None:
    """Bellman and Ford: relax the edges of what got nearer until nothing does."""
    A, facts = graph(name).to(fast), EXPECTED[name]["sssp"]
    distance = Vector.from_coo([facts["source"]], [0], dtype=int, size=A.nrows, device=fast)
    nearer = distance.dup()
    while nearer.nvals:
        found = semiring.min_plus(nearer @ A).new()
        better = binary.lt(found & distance).new()
        nearer.clear()
        nearer(~distance.S) << found
        nearer(better.V) << found
        distance(binary.min) << found
    values = distance.to_coo()[1]
    assert len(values) == facts["reached"]
    assert values.max() == facts["max_distance"]
    assert values.sum() == facts["sum_distances"]


@pytest.mark.parametrize("name", EXPECTED)
def test_many_searches(name: str, fast: str) -> None:
    """From the sources that are known, others between them, at once and level by level."""
    A, facts = graph(name).to(fast), EXPECTED[name]["bfs"]
    n = A.nrows
    known = [f["source"] for f in facts]
    sources = [*known, *np.random.default_rng(5).integers(0, n, 70 - len(known)).tolist()]
    found = sb.bfs_many(A, sources, outputs=["levels", "level_sizes"])
    assert found.level_sizes is not None
    for k, fact in enumerate(facts):
        assert found.reached[k] == fact["reached"]
        assert found.eccentricity[k] == fact["depth"]
        assert found.sum_levels[k] == fact["sum_levels"]
    np.testing.assert_array_equal(found.level_sizes.sum(axis=1), found.reached)
    for k in (0, 37, 69):
        levels = sb.bfs(A, sources[k]).levels
        assert levels is not None
        mine = np.asarray(found.levels[k].tolist(), np.int64)
        mine[mine == np.iinfo(found.levels.dtype).max] = -1
        np.testing.assert_array_equal(mine, levels.to_dense(-1))
