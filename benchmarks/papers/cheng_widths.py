"""The best width of a virtual warp, predicted from the measures of Cheng et al.

The paper leaves it to be tuned by hand, and says what it depends on: how much of a warp works, and
locality.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from benchmarks.papers.cheng_survey import WIDTHS, Surveyed, survey
from benchmarks.papers.figure import Found, Setting

__all__ = ["PREDICTORS", "fitted", "predicted", "widths"]

#: What a time is taken to be a sum of: the measures that a predictor looks at, an edge each.
Term = Callable[[Surveyed, int], float]
TERMS: dict[str, Term] = {
    "ME": lambda one, w: one.computed[w].steps / one.edges,
    "locality": lambda one, w: one.computed[w].lines / one.edges,
    "longest row": lambda one, w: one.longest[w] / one.edges,
}
PREDICTORS = (("ME",), ("ME", "locality"), ("ME", "locality", "longest row"))


def widths(setting: Setting) -> Found:
    """The best width as predicted, and what it costs to take it."""
    every = survey(setting)
    rows: list[tuple[Any, ...]] = []
    regrets: dict[tuple[str, ...], list[float]] = {terms: [] for terms in PREDICTORS}
    for one in every:
        best = min(WIDTHS, key=lambda w: one.milliseconds[w])
        row: list[Any] = [one.name, best, one.milliseconds[best]]
        others = [other for other in every if other.name != one.name]
        for terms in PREDICTORS:
            width = predicted(one, fitted(others, terms), terms)
            regret = one.milliseconds[width] / one.milliseconds[best]
            regrets[terms].append(regret)
            row += [width, regret]
        rows.append(tuple(row))
    names = [" + ".join(terms) for terms in PREDICTORS]
    columns = [cell for name in names for cell in (f"by {name}", "regret")]
    prices = fitted(every, PREDICTORS[-1])
    medians = ", ".join(
        f"{name} {np.median(regrets[terms]):.2f} (worst {max(regrets[terms]):.2f})"
        for name, terms in zip(names, PREDICTORS, strict=True)
    )
    return Found(
        ("graph", "best width", "ms", *columns),
        rows,
        (),
        "Time of the expanding kernels with the width predicted over that of the best of six, as "
        "measured for Fig. 5. A predictor adds up steps of warps an edge (1 over 32 ME), lines of "
        "128 bytes of neighbours an edge, and steps of the longest row of each level, all from "
        "degrees, at prices fitted to all graphs but the one asked about (least squares of the "
        f"relative error, none below zero). Prices of all graphs, ps: {_priced(prices)}.",
        f"regret, median of {len(rows)} graphs: {medians}",
    )


def _priced(prices: Sequence[float]) -> str:
    named = zip(PREDICTORS[-1], prices, strict=True)
    return ", ".join(f"{name} {1e9 * price:.3g}" for name, price in named)


def fitted(graphs: Sequence[Surveyed], terms: Sequence[str]) -> list[float]:
    """Milliseconds of each term: an edge's, with a constant a graph that no width changes."""
    from scipy.optimize import nnls

    table, ones = [], []
    for k, one in enumerate(graphs):
        for w in WIDTHS:
            time = one.milliseconds[w] / one.edges
            fixed = [
                float(k == i) * min(one.milliseconds.values()) / one.edges
                for i in range(len(graphs))
            ]
            table.append([x / time for x in (*(TERMS[t](one, w) for t in terms), *fixed)])
            ones.append(1.0)
    return [float(x) for x in nnls(np.array(table), np.array(ones))[0][: len(terms)]]


def predicted(one: Surveyed, prices: Sequence[float], terms: Sequence[str]) -> int:
    """The width of which the terms cost least; of equals the widest."""
    costs = {
        w: sum(x * TERMS[t](one, w) for x, t in zip(prices, terms, strict=True)) for w in WIDTHS
    }
    return min(reversed(WIDTHS), key=lambda w: costs[w])
