"""Names of expansion strategies, and what is chosen among them: no GPU needed."""

from __future__ import annotations

from typing import Any

import pytest

from spbfs.exceptions import DomainMismatch, InvalidValue
from spbfs.planner.expansion import (
    CULLINGS,
    ORGANISATIONS,
    STRATEGIES,
    Expansion,
    Frontier,
    coupling,
    strategy,
    width,
)


@pytest.mark.parametrize(
    ("argument", "known"),
    [("strategy", STRATEGIES), ("culling", CULLINGS), ("organisation", ORGANISATIONS)],
)
def test_unknown_names_are_told_what_there_is(argument: str, known: tuple[str, ...]) -> None:
    for name in known:
        assert getattr(Expansion(**{argument: name}), argument) == name  # type: ignore[arg-type]
    with pytest.raises(InvalidValue, match=argument) as caught:
        Expansion(**{argument: "warp:3"})  # type: ignore[arg-type]
    assert all(name in str(caught.value) for name in known) and "warp:3" in str(caught.value)


@pytest.mark.parametrize(
    ("value", "error"), [("10", DomainMismatch), (True, DomainMismatch), (-1, InvalidValue)]
)
def test_the_threshold_is_a_number_not_below_zero(value: Any, error: type[Exception]) -> None:
    with pytest.raises(error, match="expand_factor"):
        Expansion(expand_factor=value)


@pytest.mark.parametrize("value", [1, "yes", None])
def test_lanes_are_counted_or_not(value: Any) -> None:
    with pytest.raises(DomainMismatch, match=f"count_lanes: .*{value!r}"):
        Expansion(count_lanes=value)


def test_tiles_in_order_are_of_two_phases() -> None:
    assert Expansion("twc", "warp", "two_phase", in_flight=3).in_flight == 3
    for value, error in ((2.0, DomainMismatch), (True, DomainMismatch), (-1, InvalidValue)):
        with pytest.raises(error, match=f"in_flight: .*{value!r}"):
            Expansion("twc", "warp", "two_phase", in_flight=value)  # type: ignore[arg-type]
    for strategy_, organisation in (
        ("twc", "hybrid"),
        ("auto", "two_phase"),
        ("merge_path", "two_phase"),
    ):
        with pytest.raises(InvalidValue, match=f"in_flight: 3 needs .*{strategy_}"):
            Expansion(strategy_, "warp", organisation, in_flight=3)


def test_the_merge_path_needs_a_vertex_frontier() -> None:
    with pytest.raises(InvalidValue, match="contract_expand"):
        Expansion(strategy="merge_path", organisation="contract_expand")


def test_couplings_go_by_the_expand_factor() -> None:
    assert coupling(Frontier(10, 50), expand_factor=5.0) == "balanced_gather"
    assert coupling(Frontier(10, 51), expand_factor=5.0) == "balanced_redistribute"


def test_short_rows_are_named_in_line_and_long_ones_walked_unless_one_outlasts_the_rest() -> None:
    found = [strategy(Frontier(1000, 1000 * degree)) for degree in (0, 1, 7, 48, 49, 5000)]
    assert found == ["scan"] * 4 + ["warp:32"] * 2
    assert strategy(Frontier(10**4, 10**5, longest=10**4)) == "merge_path"
    assert strategy(Frontier(10**7, 10**8, longest=10**4)) == "scan"
    assert strategy(Frontier(1000, 10**6, longest=10**5)) == "merge_path"
    assert strategy(Frontier(10**6, 10**9, longest=10**5)) == "warp:32"


@pytest.mark.parametrize("name", STRATEGIES[1:10])
def test_rows_are_spread_over_powers_of_two_threads(name: str) -> None:
    for vertices, edges in ((1, 0), (10, 10), (3, 10**6), (10**6, 64 * 10**6)):
        threads = width(name, Frontier(vertices, edges))
        assert 1 <= threads <= 256 and threads & (threads - 1) == 0
