"""The way of one frontier on the CPU is short: few calls of ours, to functions of few lines."""

from __future__ import annotations

import pytest

import spbfs as sb
from tests.walk import calls

MOST_CALLS = 40
MOST_LINES = 40

GRAPHS = {
    "kronecker": lambda: sb.generate.kronecker(12, seed=1),
    "grid": lambda: sb.generate.grid2d(30, 40),
    "directed": lambda: sb.select.triu(sb.generate.kronecker(10, seed=2)).new(),
}


@pytest.mark.parametrize("graph", GRAPHS)
@pytest.mark.parametrize("direction", ["push", "pull", "auto"])
def test_a_statement_makes_few_calls(graph: str, direction: str) -> None:
    found = max(calls(GRAPHS[graph](), direction), key=len)
    assert 20 < len(found) <= MOST_CALLS, [code.co_qualname for _, code in found]
    for _, code in found:
        # Of the body: signatures and docstrings, which have the parameters' meanings, aside.
        body = {line for *_, line in code.co_lines() if line and line > code.co_firstlineno}
        assert max(body) - min(body) < MOST_LINES, code.co_qualname
