"""Searches by strategies that are asked for: every sequence finds what the reference does."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from graphs import SEARCHABLE, Graph

import spbfs as sb
from spbfs.engines import get_engine
from spbfs.exceptions import BackendUnavailable, DeviceMismatch, DomainMismatch, InvalidValue

NAMES = {
    "reference": ("TC", "BC"),
    "cpu": ("TC", "BC"),
    "cuda": ("TG", "BG", "BGC"),
    "cpu+cuda": ("TC", "TG", "BC", "BG", "BGC"),
}


@pytest.fixture(scope="module", params=NAMES)
def place(request: pytest.FixtureRequest) -> str:
    """Where a matrix is, as `Matrix.to` has it."""
    where: str = request.param
    try:
        get_engine("cuda" if "cuda" in where else where)
    except BackendUnavailable as error:
        pytest.skip(str(error))
    return where


def _matrix(graph: Graph) -> sb.Matrix:
    return sb.Matrix.from_coo(graph.rows, graph.cols, True, nrows=graph.nrows, ncols=graph.ncols)


def _agree(A: sb.Matrix, source: Any, expected: sb.BFSResult, **asked: Any) -> sb.BFSResult:
    """What a search finds that must find what `expected` says, whatever its parents are."""
    found = sb.bfs(A, source, parents="min", **asked)
    for mine, theirs in (
        (found.levels, expected.levels),
        (found.parents, expected.parents),
        (found.owners, expected.owners),
    ):
        assert (mine is None) == (theirs is None)
        if mine is not None and theirs is not None:
            assert mine.device == A.device
            assert mine.to_dict() == theirs.to_dict()
    numbers = expected.depth, expected.reached, expected.edges
    assert (found.depth, found.reached, found.edges) == numbers
    return found


@pytest.mark.parametrize("name", SEARCHABLE)
def test_sequences(place: str, name: str) -> None:
    graph = SEARCHABLE[name]
    rng = np.random.default_rng(sum(map(ord, name)))
    A, R = _matrix(graph).to(place), _matrix(graph).to("reference")
    for _ in range(3):
        strategy = rng.choice(NAMES[place], rng.integers(1, 6)).tolist()
        sources = rng.integers(0, graph.nrows, rng.integers(1, 4)).tolist()
        limits: dict[str, Any] = {}
        if rng.random() < 0.3:
            limits["max_depth"] = int(rng.integers(0, 4))
        if rng.random() < 0.3:
            limits["target"] = int(rng.integers(0, graph.nrows))
        source = sources if rng.random() < 0.5 else sources[0]
        expected = sb.bfs(R, source, parents="min", **limits)
        _agree(A, source, expected, strategy=strategy, **limits)
        tree = sb.bfs(A, source, strategy=strategy, **limits)
        if "target" not in limits:
            outputs = tree.parents.to("cpu"), tree.levels.to("cpu")
            sb.verify.bfs_tree(R.to("cpu"), source, *outputs, max_depth=limits.get("max_depth"))


def _skewed(n: int = 3000) -> sb.Matrix:
    """Frontiers of all sizes, vertices without edges, and edges one way."""
    rng = np.random.default_rng(11)
    u, v = (n * rng.random((2, 3 * n)) ** 3).astype(int)
    return sb.Matrix.from_coo(u, v, True, nrows=n, ncols=n)


def test_the_trace_has_the_names(place: str) -> None:
    A, names = _skewed().to(place), NAMES[place]
    expected = sb.bfs(A.to("reference"), 1, parents="min", trace=True)
    for shift in range(len(names)):
        strategy = [*names[shift:], *names[:shift]]
        found = _agree(A, 1, expected, strategy=strategy, trace=True)
        steps, last = found.trace, len(strategy) - 1
        assert steps is not None and expected.trace is not None
        assert len(steps) > 3
        asked = [strategy[min(k, last)] for k in range(len(steps))]
        assert [step.strategy for step in steps] == asked
        if place != "reference":
            ways = {"T": "push", "B": "pull"}
            assert [step.direction for step in steps] == [ways[name[0]] for name in asked]
        sizes = [(step.frontier, step.edges) for step in expected.trace]
        assert [(step.frontier, step.edges) for step in steps][: len(sizes)] == sizes
        devices = [name[1] for name in asked]
        moves = [k > 0 and devices[k] != devices[k - 1] for k in range(len(steps))]
        assert [step.switch > 0 for step in steps] == moves


def test_a_plan_takes_them_too(place: str) -> None:
    A = _skewed().to(place)
    plan = sb.BFSPlan(A)
    for name in NAMES[place]:
        expected = plan.run(5)
        assert plan.run(5, strategy=name).levels.to_dict() == expected.levels.to_dict()


@pytest.mark.parametrize("relabel", ["auto", "degree", None])
def test_layouts_of_the_gpu(place: str, relabel: Any) -> None:
    """A vertex without edges, a frontier of most vertices, and a path behind it."""
    n = 900
    star = [(0, v) for v in range(1, n - 20)]
    path = [(v, v + 1) for v in range(n - 22, n - 3)]
    edges = star + path + [(v, u) for u, v in star + path]
    A = sb.Matrix.from_edgelist(edges, nrows=n, ncols=n).to(place)
    R = A.to("reference")
    for source in (n - 1, n - 4, 7):
        expected = sb.bfs(R, source, parents="min")
        for name in NAMES[place]:
            strategy = [name, NAMES[place][0], name]
            _agree(A, source, expected, strategy=strategy, relabel=relabel)


def test_hypersparse_graphs(place: str) -> None:
    n, step = 1 << 40, 1 << 30
    rows = np.arange(40) * step
    A = sb.Matrix.from_coo(rows[:-1], rows[1:], True, nrows=n, ncols=n)
    A = sb.Matrix.from_coo(*(A + A.T).new().to_coo()[:2], True, nrows=n, ncols=n).to(place)
    R = A.to("reference")
    names = NAMES[place]
    for source in (3 * step, 5):
        expected = sb.bfs(R, source, parents="min")
        for strategy in (names[0], [names[0], names[-1], names[1]]):
            _agree(A, source, expected, strategy=strategy)


def test_transposed_and_delayed_graphs(place: str) -> None:
    A, names = _skewed(400).to(place), NAMES[place]
    expected = sb.bfs(A.to("reference").T, 3, parents="min")
    _agree(A.T, 3, expected, strategy=list(names))


BAD: list[tuple[dict[str, Any], type[Exception], str]] = [
    ({"strategy": "XX"}, InvalidValue, "BC, BG, BGC, or auto, got 'XX'"),
    ({"strategy": []}, InvalidValue, "strategy: expected at least one"),
    ({"strategy": 3}, DomainMismatch, "strategy: expected one of .*, got 3"),
    ({"strategy": {"TC", "BC"}}, DomainMismatch, "strategy: expected"),
    ({"strategy": ["TC", 3]}, DomainMismatch, "strategy: expected"),
    ({"direction": "push"}, InvalidValue, "direction: expected 'auto' with strategy, got 'push'"),
    ({"expansion": "scan"}, InvalidValue, "expansion: expected 'auto' with strategy, got 'scan'"),
]


@pytest.mark.parametrize(("asked", "error", "message"), BAD)
def test_what_is_refused(
    place: str, asked: dict[str, Any], error: type[Exception], message: str
) -> None:
    A = _skewed(50).to(place)
    with pytest.raises(error, match=message):
        sb.bfs(A, 0, **({"strategy": NAMES[place][0]} | asked))


def test_a_strategy_of_another_device_is_refused(device: str) -> None:
    A = _skewed(50).to(device)
    absent = "TC" if device == "cuda" else "BGC"
    with pytest.raises(DeviceMismatch, match=rf"strategy: expected one of .*, got '{absent}'"):
        sb.bfs(A, 0, strategy=[NAMES[device][0], absent])
