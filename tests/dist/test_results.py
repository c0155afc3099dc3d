"""Results of searches over ranks have what those of one process have; ranks are threads here."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from rank_graphs import CASES, matrix, spread

import spbfs as sb
from spbfs.exceptions import DeviceMismatch, DomainMismatch, IndexOutOfBound, InvalidValue

NAMES = ["star", "ladder down", "one vertex", "no edges", "random 0", "random 3"]


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("size", [1, 2, 3])
def test_paths_order_tree_and_tables_of_a_search(name: str, size: int) -> None:
    pandas = pytest.importorskip("pandas", reason="pandas is not installed")
    n, edges = CASES[name]
    one = sb.bfs(matrix(n, edges), [n // 2, 0], parents="min")
    reached = one.order

    def program(ranks: Any) -> None:
        for options in ({}, {"cut": "grid"}):
            D = spread(ranks, n, edges, **options)
            here = sb.bfs(D, [n // 2, 0], parents="min")
            assert here.order.tolist() == reached.tolist()
            for vertex in reached[:: max(1, len(reached) // 5)].tolist():
                assert here.path_to(vertex).tolist() == one.path_to(vertex).tolist()
            assert here.tree.device == D.device
            assert here.tree.gather().isequal(one.tree, check_dtype=True)
            pandas.testing.assert_frame_equal(here.to_pandas(), one.to_pandas())
            pandas.testing.assert_series_equal(here.levels.to_pandas(), one.levels.to_pandas())
            lost = sorted(set(range(n)) - set(reached.tolist()))
            if lost:
                with pytest.raises(InvalidValue, match=f"vertex: {lost[0]} was not reached"):
                    here.path_to(lost[0])
            with pytest.raises(IndexOutOfBound, match="vertex"):
                here.path_to(n)

    sb.distributed.simulate(size, program)


def test_paths_by_name() -> None:
    n, edges = CASES["random 3"]
    A = matrix(n, edges)
    names = [f"v{k}" for k in range(n)]
    A.labels = names
    one = sb.bfs(A, "v5", parents="min")
    last = int(one.order[-1])

    def program(ranks: Any) -> list[str]:
        D = spread(ranks, n, edges)
        D.labels = names
        here = sb.bfs(D, "v5", parents="min")
        rows = [found.to_pandas().loc[f"v{last}"].to_dict() for found in (here, one)]
        assert rows[0] == rows[1]
        return list(here.path_to(f"v{last}"))

    pytest.importorskip("pandas", reason="pandas is not installed")
    assert sb.distributed.simulate(2, program) == [list(one.path_to(f"v{last}"))] * 2


def test_a_table_of_many_searches() -> None:
    pandas = pytest.importorskip("pandas", reason="pandas is not installed")
    n, edges = CASES["random 3"]
    one = sb.bfs_many(matrix(n, edges), [3, 4, 0]).to_pandas()

    def program(ranks: Any) -> None:
        D = spread(ranks, n, edges)
        here = sb.bfs_many(D, [3, 4, 0])
        pandas.testing.assert_frame_equal(here.to_pandas(), one, check_dtype=False)
        assert sb.bfs_many(D, []).to_pandas().empty
        with pytest.raises(InvalidValue, match="levels: expected searches with outputs"):
            sb.bfs_many(D, [3], outputs="counts").to_pandas()

    sb.distributed.simulate(2, program)


def test_strategies_of_a_search() -> None:
    n, edges = CASES["random 3"]
    A = matrix(n, edges)

    def program(ranks: Any) -> None:
        D = spread(ranks, n, edges)
        for strategy in ("TC", "BC", ["TC", "BC", "TC"], "auto"):
            for options in ({}, {"parents": "min"}, {"levels": False, "parents": "min"}):
                one = sb.bfs(A, 7, strategy=strategy, trace=True, **options)
                here = sb.bfs(D, 7, strategy=strategy, trace=True, **options)
                assert (here.reached, here.depth, here.edges) == (one.reached, one.depth, one.edges)
                if one.levels is not None:
                    assert here.levels.gather().isequal(one.levels)
                if strategy != "auto":
                    steps = [(s.direction, s.strategy) for s in here.trace or ()]
                    # A frontier without edges is none that ranks expand.
                    same = [(s.direction, s.strategy) for s in one.trace or () if s.edges]
                    assert steps == same
        with pytest.raises(DeviceMismatch, match=r"expected one of TC, BC .* got 'TG'$"):
            sb.bfs(D, 7, strategy="TG")
        with pytest.raises(InvalidValue, match="direction: expected 'auto' with strategy"):
            sb.bfs(D, 7, strategy="TC", direction="pull")
        for device in ("cpu", "cuda"):
            with pytest.raises(InvalidValue, match="device: expected None of a matrix over ranks"):
                sb.bfs(D, 7, device=device, part_edges=None)
        with pytest.raises(InvalidValue, match="devices: expected None over ranks, got"):
            sb.bfs(D, 7, devices=[0])

    sb.distributed.simulate(2, program)


def test_a_path_of_which_ranks_ask_for_different_ends() -> None:
    n, edges = CASES["path"]

    def program(ranks: Any) -> None:
        found = sb.bfs(spread(ranks, n, edges), 3)
        with pytest.raises(InvalidValue, match=r"vertex: .* got 4 at rank 0 and 5"):
            found.path_to(4 + ranks.rank)
        with pytest.raises(InvalidValue, match="vertex: expected the same"):
            found.path_to(n if ranks.rank else 0)
        assert np.array_equal(found.path_to(5), [3, 4, 5])

    sb.distributed.simulate(2, program)


#: Types of vectors, what stands for absent elements, and whether the type holds it.
FILLS: list[tuple[str, Any, bool]] = [
    ("BOOL", -1, False),
    ("BOOL", True, True),
    ("BOOL", 0, True),
    ("INT8", -1, True),
    ("INT8", 300, False),
    ("INT8", 1.5, False),
    ("INT8", 7.0, True),
    ("INT8", sb.Scalar.from_value(7), True),
    ("UINT8", -1, False),
    ("INT64", float("nan"), False),
    ("INT64", 2**63, False),
    ("UINT64", 2**64 - 1, True),
    ("FP32", float("nan"), True),
    ("FP32", 0.1, True),
    ("FP32", 1e300, False),
    ("FP64", float("inf"), True),
]


@pytest.mark.parametrize(("dtype", "fill", "held"), FILLS)
def test_a_file_has_what_stands_for_absent_elements(
    dtype: str, fill: Any, held: bool, tmp_path: Path
) -> None:
    path = tmp_path / "elements.npy"
    one = sb.Vector.from_coo([0], [1], dtype=dtype, size=4)

    def program(ranks: Any) -> None:
        D = sb.distributed.from_edges([], [], comm=ranks, n=4)
        v = one.dup().to(D.device)
        if held:
            v.to_file(path, fill)
        else:
            with pytest.raises(DomainMismatch, match=f"fill_value: expected a number of {dtype}"):
                v.to_file(path, fill)
        with pytest.raises(InvalidValue, match="fill_value: expected the same at every rank"):
            v.to_file(path, ranks.rank)

    sb.distributed.simulate(2, program)
    assert path.exists() == held
    if held:
        assert np.array_equal(np.load(path), one.to_dense(fill, dtype), equal_nan=True)
        assert np.load(path).dtype == one.dtype.np_type
