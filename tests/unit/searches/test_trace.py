"""The burble: one record an operation, as a table and as a data frame."""

import contextvars
import gc
import weakref

import pytest

import spbfs as sb
from spbfs import Vector, replace, semiring
from spbfs.base.tracing import current, untraced


def test_a_trace_names_direction_kernel_frontier_and_edges(capsys):
    pd = pytest.importorskip("pandas")
    A = sb.generate.grid2d(4, 4)
    q, levels = Vector(bool, 16), Vector(int, 16)
    q[0] = True
    q.wait()
    with sb.trace() as t:
        levels(q.S) << 0
        q(~levels.S, replace, direction="push") << semiring.any_pair(q @ A)
    assert [r["operation"] for r in t] == ["assign scalar", "vxm any_pair"]
    frame = t.to_pandas()
    assert isinstance(frame, pd.DataFrame)
    last = frame.iloc[-1]
    assert (last["direction"], last["frontier"], last["edges"], last["nvals"]) == ("push", 1, 2, 2)
    assert last["device"] == "cpu" and last["seconds"] > 0
    t.table()
    printed = capsys.readouterr().out.splitlines()
    assert len(printed) == 2 + len(t)
    assert "push" in printed[-1]


def test_nothing_is_recorded_outside_of_the_block():
    v = Vector.from_coo([1], [2], size=3)
    with sb.trace() as t:
        pass
    v.apply("ainv").new()
    assert len(t) == 0


def test_what_runs_in_an_inner_block_is_recorded_by_all():
    v = Vector.from_coo([1], [2], size=3)
    with sb.trace() as outer:
        v.apply("abs").new()
        with sb.trace() as inner:
            v.apply("ainv").new()
            with sb.trace() as innermost:
                v.apply("one").new()
        v.apply("abs").new()
    names = [[r["operation"] for r in t] for t in (outer, inner, innermost)]
    assert names[0] == ["apply abs", "apply ainv", "apply one", "apply abs"]
    assert names[1] == ["apply ainv", "apply one"]
    assert names[2] == ["apply one"]
    assert outer.records[1] == inner.records[0]


def test_blocks_end_in_any_order():
    v = Vector.from_coo([1], [2], size=3)

    def steps(names):
        with sb.trace() as t:
            for name in names:
                v.apply(name).new()
                yield t

    one, two = steps(["abs", "ainv"]), steps(["one", "abs", "ainv"])
    (first, second), _ = (next(one), next(two)), next(one)
    assert list(one) == [], "which ends the outer block"
    assert next(two) is second
    with sb.trace() as t:
        v.apply("one").new()
        assert len(list(two)) == 1, "which ends the block around this one"
        v.apply("abs").new()
    v.apply("abs").new()
    recorded = [[r["operation"].removeprefix("apply ") for r in x] for x in (first, second, t)]
    assert recorded == [
        ["abs", "one", "ainv"],
        ["one", "ainv", "abs", "one", "ainv"],
        ["one", "ainv", "abs"],
    ]


def test_nothing_is_recorded_in_a_block_that_says_so_whatever_ends_in_it():
    v = Vector.from_coo([1], [2], size=3)
    outer, silent, inner = sb.trace(), untraced(), sb.trace()
    first = outer.__enter__()
    silent.__enter__()
    outer.__exit__(None, None, None)
    v.apply("abs").new()
    second = inner.__enter__()
    silent.__exit__(None, None, None)
    v.apply("ainv").new()
    inner.__exit__(None, None, None)
    v.apply("one").new()
    assert (len(first), len(second)) == (0, 1)


def test_a_block_may_end_in_another_context():
    v = Vector.from_coo([1], [2], size=3)
    block = sb.trace()
    with sb.trace() as outer:
        t = block.__enter__()
        contextvars.copy_context().run(block.__exit__, None, None, None)
        v.apply("abs").new()
    assert (len(outer), len(t)) == (1, 0)


def test_a_block_that_ended_in_another_context_is_forgotten_by_the_next_operation():
    def run():
        block = sb.trace()
        t = block.__enter__()
        contextvars.copy_context().run(block.__exit__, None, None, None)
        Vector.from_coo([1], [2], size=3).apply("abs").new()
        return current(), len(t)

    assert contextvars.copy_context().run(run) == (None, 0)


def test_blocks_that_overlap_in_turn_are_not_kept():
    traces, block = [], sb.trace()
    traces.append(weakref.ref(block.__enter__()))
    for _ in range(20):
        before, block = block, sb.trace()
        traces.append(weakref.ref(block.__enter__()))
        before.__exit__(None, None, None)
    gc.collect()
    assert [t() is not None for t in traces] == [False] * 20 + [True]
    block.__exit__(None, None, None)


def test_writing_into_parts_is_recorded():
    v = Vector.from_coo([0, 2], [5, 7], size=3)
    part = v[[0, 1]].new()
    with sb.trace() as t:
        v[[0, 1]] << 3
        v[[0, 2]](part.S) << part
    assert [r["operation"] for r in t] == ["assign scalar", "assign"]
    assert [r["nvals"] for r in t] == [3, 3]


def test_levels_of_a_search_print_and_become_a_data_frame(
    capsys: pytest.CaptureFixture[str],
) -> None:
    steps = sb.bfs(sb.generate.path(4), 0, direction="push", trace=True).trace
    steps.table()
    header, rule, *rows = capsys.readouterr().out.splitlines()
    assert header.split() == ["level", "direction", "strategy", "frontier", "edges", "seconds"]
    assert set(rule) == {"-", " "}
    assert [row.split()[:2] for row in rows] == [[str(k), "push"] for k in range(len(steps))]
    pytest.importorskip("pandas", reason="pandas is not installed")
    frame = steps.to_pandas()
    assert frame.index.name == "level"
    assert frame["edges"].tolist() == [step.edges for step in steps]
