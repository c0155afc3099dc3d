"""Where single searches on the GPU start: vertices of the largest component."""

from __future__ import annotations

from typing import Any

import numpy as np

import spbfs as sb


def giant_sources(A: sb.Matrix, count: int, seed: int = 1) -> list[int]:
    """Random vertices of the largest component that a few searches find."""
    plan, rng = sb.BFSPlan(A), np.random.default_rng(seed)
    best: Any = None
    for source in rng.integers(0, A.nrows, 20):
        found = plan.run(int(source))
        if best is None or found.reached > best.reached:
            best = found
        if best.reached > A.nrows // 2:
            break
    component, _ = best.levels.to("cpu").to_coo()
    return [int(v) for v in rng.choice(component, count)]
