"""The tables that the expansion benchmark writes, from rows made up."""

from __future__ import annotations

from itertools import count
from typing import Any

from benchmarks.cuda.expansion_report import markdown

Row = dict[str, Any]


def _row(graph: str, strategy: str, organisation: str, milliseconds: float, **more: Any) -> Row:
    return {
        "graph": graph,
        "strategy": strategy,
        "culling": "atomic",
        "organisation": organisation,
        "parents": True,
        "milliseconds": milliseconds,
        "gteps": 20e-6 / milliseconds,
        "redundant_expansion": 1.0,
        **more,
    }


def _report(**tables: list[Row]) -> list[str]:
    report: Row = {
        "device": "GPU",
        "date": "2026-01-01",
        "edges": "stored",
        "clock": "events",
        "statistic": "median",
        "sources": 2,
        "repeats": 3,
        "graphs": {"web": {"vertices": 10, "entries": 20, "depth": 3}},
        "tables": tables,
    }
    return markdown(report).splitlines()


def test_what_is_chosen_stands_beside_the_best_fixed_one() -> None:
    lines = _report(
        strategies=[
            _row("web", "fused", "fused", 0.5),
            _row("web", "auto", "auto", 2.2),
            _row("web", "scan", "two_phase", 4.0),
            _row("web", "scan", "hybrid", 2.0),
            _row("web", "cta", "hybrid", 8.0),
        ]
    )
    assert "| web | 0.5 | 2.2 | 2 | scan, hybrid | 0.25 | 1.10 |" in lines
    assert "| web | 10 | 20 | 3 |" in lines
    assert "| scan | 2 |" in lines and "| cta | 8 |" in lines


def test_a_paper_s_figures_stand_beside_ours() -> None:
    rates = count(1)
    rows = [
        _row("grid7pt.300", "twc", organisation, 1.0, culling=culling, parents=parents,
             gteps=next(rates))
        for organisation, culling, parents in (
            ("hybrid", "warp+history", False),
            ("hybrid", "warp+history", True),
            ("two_phase", "warp+history", True),
            ("contract_expand", "warp+history", True),
            ("expand_contract", "warp+history", True),
            ("hybrid", "atomic", True),
            ("auto", "auto", True),
            ("fused", "fused", True),
        )
    ]  # fmt: skip
    lines = _report(organisations=rows, strategies=[])
    assert "| grid7pt.300 | 1.1 | 0.97 | 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 |" in lines
    assert "| grid7pt.300 |  |  |  | 1.00 |  |" in lines
    assert not any("best fixed" in line for line in lines)


def test_couplings_by_mean_degree() -> None:
    couplings = [
        _row("random d=4", f"merge_path:{name}", organisation, 1.0, gteps=rate)
        for organisation, offset in (("expand_contract", 0), ("two_phase", 4))
        for rate, name in enumerate(
            ("separate", "balanced_gather", "balanced_redistribute", "hybrid"), 1 + offset
        )
    ]
    lines = _report(couplings=couplings)
    assert "| random d=4 | 1 | 2 | 3 | 4 |" in lines and "| random d=4 | 5 | 6 | 7 | 8 |" in lines
