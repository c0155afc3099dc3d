"""Searches whose strategies the model chooses find what the reference does, whatever it chooses."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from graphs import SEARCHABLE

import spbfs as sb
from spbfs.engines import get_engine
from spbfs.exceptions import BackendUnavailable, DomainMismatch, InvalidValue
from spbfs.planner import rates as planner
from spbfs.planner.rates import BUILT_IN, LevelRates, SwitchRates


@pytest.fixture(params=["reference", "cpu", "cuda", "cpu+cuda"])
def place(request: pytest.FixtureRequest) -> str:
    where: str = request.param
    try:
        get_engine("cuda" if "cuda" in where else where)
    except BackendUnavailable as error:
        pytest.skip(str(error))
    return where


@pytest.fixture(autouse=True)
def _built_in() -> Iterator[None]:
    yield
    planner.use(None)


def _fickle(rng: np.random.Generator) -> planner.SearchRates:
    """Rates by which one device and then the other seems better, and going there costs nothing."""

    def level() -> LevelRates:
        return LevelRates(*(10.0 ** rng.uniform(-2, 3, 5)).tolist())

    names = ("push_edge", "push_row", "push_found", "pull_row", "pull_probe", "pull_found")
    prices: dict[str, Any] = {name: float(10.0 ** rng.uniform(-2, 3)) for name in names}
    cuda = replace(
        BUILT_IN.cuda, small_push=level(), push=level(), pull=level(), cached_pull=level()
    )
    return replace(
        BUILT_IN, cpu=replace(BUILT_IN.cpu, **prices), cuda=cuda, switch=SwitchRates(0.0, 0.0, 0.0)
    )


@pytest.mark.parametrize("name", SEARCHABLE)
def test_whatever_is_chosen_it_finds_the_same(place: str, name: str) -> None:
    graph = SEARCHABLE[name]
    rng = np.random.default_rng(sum(map(ord, name)))
    A = sb.Matrix.from_coo(graph.rows, graph.cols, True, nrows=graph.nrows, ncols=graph.ncols)
    source = int(rng.integers(graph.nrows))
    expected = sb.bfs(A.to("reference"), source)
    there = A.to(place)
    for interval in (1, 2, 7):
        planner.use(_fickle(rng))
        found = sb.bfs(
            there, source, strategy="auto", interval=interval, trace=place != "reference"
        )
        assert found.levels.to_dict() == expected.levels.to_dict()
        assert (found.depth, found.reached, found.edges) == (
            *(expected.depth, expected.reached, expected.edges),
        )


def test_interval_is_for_auto_alone_and_counts() -> None:
    A = sb.generate.path(4)
    for asked, error, said in (
        ({"interval": 2}, InvalidValue, "interval: expected 1 without"),
        ({"interval": 2, "strategy": "TC"}, InvalidValue, "interval: expected 1 without"),
        ({"interval": 0, "strategy": "auto"}, InvalidValue, "interval: expected 1 or more, got 0"),
        ({"interval": True, "strategy": "auto"}, DomainMismatch, "interval: .*got True"),
        ({"interval": 1.0, "strategy": "auto"}, DomainMismatch, r"interval: .*got 1\.0"),
        ({"direction": "pull", "strategy": "auto"}, InvalidValue, "direction: expected 'auto'"),
    ):
        with pytest.raises(error, match=said):
            sb.bfs(A, 0, **asked)  # type: ignore[arg-type]
