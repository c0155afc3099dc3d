"""Every operation has one record, and no time is in two."""

from __future__ import annotations

import time
from typing import Any

import numpy as np
import pytest

import spbfs as sb
from spbfs import Matrix, Vector, binary


def things() -> dict[str, Any]:
    A = Matrix.from_coo([0, 1, 2, 2], [1, 2, 0, 2], [1.0, 2.0, 3.0, 4.0])
    u = Vector.from_dense([1.0, 2.0, 3.0])
    return {
        "A": A,
        "B": A.dup(),
        "u": u,
        "w": u.dup(),
        "m": Vector.from_dense([True, False, True]),
        "binary": binary,
        "sb": sb,
    }


#: Statement -> operations that it is.
STATEMENTS = {
    "w << u": ["assign"],
    "w << [1, 2, 3]": ["assign"],
    "w(m.V) << u": ["assign"],
    "w(binary.plus) << u": ["assign"],
    "w(m.V, binary.plus, replace=True) << u": ["assign"],
    "w += u": ["assign"],
    "A(B.S) << B": ["assign"],
    "A << B.T": ["transpose"],
    "A(B.S) << B.T": ["transpose"],
    "A.T.new()": ["transpose"],
    "(A @ A).T.new()": ["mxm plus_times", "transpose"],
    "u.dup()": ["dup"],
    "A.dup(int)": ["dup"],
    "A.new(mask=B.S)": ["dup"],
    "A.diag()": ["diag"],
    "u.diag(1)": ["diag"],
    "A.resize(4, 2)": ["resize"],
    "u.resize(2)": ["resize"],
    "w.build([0], [1.0], clear=True)": ["build"],
    "A.build([0], [1], 1.0, clear=True)": ["build"],
    "A.isequal(B)": ["isequal"],
    "u.isclose(w)": ["isclose"],
    "A.to('reference')": ["to reference"],
    "u.to('reference')": ["to reference"],
    "w[0] << 1; w[1] = 2; del w[2]; w.nvals": ["assign elements"],
    "A[0, 0] << 1; A.wait()": ["assign elements"],
    "A.reduce_rowwise('count').new()": ["reduce_rowwise count"],
    "A.reduce_columnwise('mean').new()": ["reduce_columnwise mean"],
    "u.reduce('stdp').value": ["reduce stdp"],
    "w << (u + u) * u": ["ewise_add plus", "ewise_mult times"],
    "(u + u).reduce('count').value": ["ewise_add plus", "reduce count"],
    "(A @ A).T.reduce_rowwise().new()": ["mxm plus_times", "reduce_rowwise plus"],
}


@pytest.mark.parametrize("statement", STATEMENTS)
def test_a_statement_has_the_records_of_its_operations(statement: str) -> None:
    names = things()
    with sb.trace() as t:
        exec(statement, names)
    assert [r["operation"] for r in t] == STATEMENTS[statement]
    assert all(r["device"] in ("cpu", "reference") and r["seconds"] >= 0 for r in t)


def test_seconds_add_up_to_no_more_than_what_passed() -> None:
    A = sb.generate.grid2d(60, 60).dup(float)
    u = Vector.from_dense(np.ones(3600))
    began = time.perf_counter()
    with sb.trace() as t:
        (A @ A).power(2).reduce_rowwise("count").new()
        u.reduce("stdp").new()
        sb.repeat(lambda: u << u.apply("one"), u, most=3)
    passed = time.perf_counter() - began
    assert sum(r["seconds"] for r in t) <= passed
    assert "round 0" in [r["operation"] for r in t]


def test_what_a_kernel_says_of_a_part_is_said_of_the_whole() -> None:
    A = sb.generate.grid2d(4, 4)
    with sb.trace() as t:
        A.power(3, "plus_pair").new()
    assert [r["operation"] for r in t] == ["power plus_pair"]
    assert t.records[0]["kernel"].startswith("mxm")


def test_a_trace_prints_what_it_is() -> None:
    assert repr(sb.trace()) == "<spbfs.trace(), to be entered: with spbfs.trace(): ...>"
    with sb.trace() as t:
        Vector(int, 3).dup()
    assert repr(t).startswith("Trace(1 operations, 0.0")


def test_a_block_is_entered_again_and_put_before_functions() -> None:
    block = sb.lookahead(False)
    with block, block:
        pass
    calls = []

    @sb.lookahead(enabled=False)
    def twice(n: int) -> None:
        calls.append(n)
        if n:
            twice(n - 1)

    twice(1)
    assert calls == [1, 0]
    call = "spbfs.lookahead(False)"
    assert repr(block) == f"<{call}, to be entered: with {call}: ...>"
