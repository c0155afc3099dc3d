"""Every argument of every algorithm, given what nobody should give: it is taken or refused.

What refuses is a typed error that names the argument, whatever the matrix calls its vertices, and
the matrix is what it was.
"""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp

import spbfs as sb
from spbfs.exceptions import DimensionMismatch, DomainMismatch, InvalidValue, SpbfsError

pl = pytest.importorskip("polars")


class Unshowable:
    """What is no argument, and says so when it should say what it is."""

    def __repr__(self) -> str:
        raise RuntimeError("no repr")


ODD: dict[str, Any] = {
    "true": True,
    "negative": -1,
    "huge": 10**5000,
    "beyond 64 bits": -(10**30),
    "half": 0.5,
    "nan": float("nan"),
    "fraction": Fraction(10**5000),
    "complex": 1j,
    "date": np.datetime64("2026-01-01"),
    "name": "nobody",
    "bytes": b"nobody",
    "none in a list": [None],
    "several": np.array([1, 2]),
    "nested": [[1, 2], [3]],
    "table": np.zeros((2, 2), int),
    "no dimensions": np.array(1j),
    "rows": np.zeros(2, [("a", int)]),
    "mapping": {"a": "b"},
    "class": int,
    "pandas": pd.Series([1, None]),
    "frame": pl.DataFrame({"a": [1]}),
    "polars": pl.Series(["x"]),
    "vector": sb.Vector.from_coo([1], [1], size=5),
    "scipy": sp.eye(5, format="coo"),
    "missing": pd.NA,
    "no repr": Unshowable(),
}
#: What an argument that must be given is given while another one is odd.
GIVEN = {"source": 0, "sources": [0, 1], "target": 1, "k": 2, "communities": [0, 0, 1, 1, 1]}
LABELS = {"numbers": None, "names": list("abcde")}
ALGORITHMS = sorted(
    name
    for name in sb.__all__
    if inspect.isfunction(getattr(sb, name))
    and inspect.unwrap(getattr(sb, name)).__module__.startswith("spbfs.algorithms")
    # Loops of whatever the caller wants, and a question about a file of rates.
    and name not in ("loop", "repeat", "suggest_device")
)


def _graph(device: str, labels: list[str] | None) -> sb.Matrix:
    A = sb.Matrix.from_coo(
        [0, 1, 2, 3, 1], [1, 2, 3, 0, 4], [1.0, 2, 3, 4, 5], nrows=5, ncols=5, device=device
    )
    A.labels = labels
    return A


def _calls(name: str) -> Iterator[tuple[str, str, dict[str, Any]]]:
    """The argument that is odd, how, and all of them but the graph."""
    _, *parameters = inspect.signature(getattr(sb, name)).parameters.values()
    needed = {p.name: GIVEN[p.name] for p in parameters if p.default is p.empty and p.name in GIVEN}
    for p in parameters:
        # Whom progress is told, and what a scheduler is, is the caller's.
        if p.kind not in (p.VAR_KEYWORD, p.VAR_POSITIONAL) and p.name not in ("progress", "out"):
            for odd, value in ODD.items():
                yield p.name, odd, needed | {p.name: value}


def test_algorithms_are_found() -> None:
    assert len(ALGORITHMS) > 40  # of none, what is below would pass


@pytest.mark.parametrize("labels", LABELS)
@pytest.mark.parametrize("name", ALGORITHMS)
def test_is_taken_or_refused(
    device: str, name: str, labels: str, tmp_path: Any, monkeypatch: Any
) -> None:
    monkeypatch.chdir(tmp_path)  # some are names of files
    A = _graph(device, LABELS[labels])
    before = [array.copy() for array in A.to_coo()]
    for argument, odd, given in _calls(name):
        try:
            found = getattr(sb, name)(A, **given)
            if inspect.isgenerator(found):
                list(found)
        except sb.exceptions.BackendUnavailable:  # a number is a GPU's
            continue
        except sb.exceptions.ConvergenceFailure:
            continue
        except SpbfsError as error:
            assert argument in str(error) or str(error).startswith("A:"), (argument, odd, error)
        except Exception as error:
            raise AssertionError(f"{argument}: {odd}") from error
        for one, other in zip(before, A.to_coo(), strict=True):
            assert np.array_equal(one, other)


def test_columns_of_data_frames_are_vertices(device: str) -> None:
    A = _graph(device, LABELS["names"])
    by_number = sb.bfs(A, pl.Series([1, 2])).levels
    assert by_number.isequal(sb.bfs(A, [1, 2]).levels)
    assert sb.bfs(A, pl.Series(["b", "c"])).levels.isequal(by_number)


def test_what_is_not_looked_at_is_checked(device: str) -> None:
    A = _graph(device, None)
    with pytest.raises(DomainMismatch, match="normalized: expected True or False, got 'no'"):
        sb.betweenness(A, normalized="no")  # type: ignore[arg-type]
    for call in (sb.betweenness, sb.closeness, sb.harmonic):
        with pytest.raises(DomainMismatch, match="seed: expected an integer, got 'a'"):
            call(A, seed="a")  # type: ignore[operator]
    with pytest.raises(DomainMismatch, match="threads: 'a' is not an integer"):
        sb.clustering(A, threads="a")  # type: ignore[arg-type]
    with pytest.raises(DomainMismatch, match="progress: expected True, False or a function"):
        sb.k_truss(A, 2, progress=3)  # type: ignore[arg-type]
    with pytest.raises(DomainMismatch, match="resolution: expected a number, got True"):
        sb.louvain(A, resolution=True)


def test_as_many_rounds_as_anybody_says(device: str) -> None:
    A = _graph(device, None)
    assert sb.pagerank(A, iterations=10**30).isclose(sb.pagerank(A))
    assert sb.katz(A, iterations=10**30).isclose(sb.katz(A))


def test_pairs_of_names(device: str) -> None:
    A = _graph(device, LABELS["names"])
    for odd in (5, [None], "ab", np.array([1, 2])):
        with pytest.raises((DomainMismatch, DimensionMismatch), match="pairs: expected"):
            sb.jaccard(A, odd)
    with pytest.raises(DimensionMismatch, match="source: expected one dimension"):
        sb.bfs(A, np.zeros((1, 1), int))


def test_a_path_through_what_was_left_out_is_refused(device: str) -> None:
    A = sb.Matrix.from_coo([0, 1, 2], [1, 2, 3], [5, -4, 1], nrows=5, ncols=5, device=device)
    for found in (sb.sssp(A, 0, target=3), sb.sssp(A, 0, limit=3)):
        assert found.distances.to_dict() == {0: 0, 2: 1, 3: 2}
        with pytest.raises(InvalidValue, match="the path to 3 leads through 1, which the search"):
            found.path_to(3)
        with pytest.raises(InvalidValue, match="vertex: 4 was not reached"):
            found.path_to(4)


def test_a_file_is_called_what_the_argument_is(device: str) -> None:
    A = _graph(device, None)
    with pytest.raises(InvalidValue, match="checkpoint: 3 is not a file name"):
        sb.closeness(A, checkpoint=3)  # type: ignore[arg-type]
    with pytest.raises(InvalidValue, match="folder: 3 is not a file name"):
        sb.open_csr(3)  # type: ignore[arg-type]
    for given in ((3, "a.csr"), ("a.el", 3)):
        with pytest.raises(InvalidValue, match=r"(source|target): 3 is not a file name"):
            sb.convert(*given)  # type: ignore[arg-type]


def test_parts_of_a_result(device: str) -> None:
    A = _graph(device, None)
    for odd in (3, "ab", "abc", [1]):
        for check, ends in (
            (sb.verify.bfs_dag, (0,)),
            (sb.verify.bfs_order, (0,)),
            (sb.verify.hits, ()),
            (sb.verify.shortest_path, (0, 1)),
        ):
            with pytest.raises(DomainMismatch, match=r"found: expected .*, got"):
                check(A, *ends, odd)  # type: ignore[operator]


def test_a_limit_beyond_all_lengths(device: str) -> None:
    A = _graph(device, None)
    whole = sb.sssp(A, 0, method="composed").distances
    for limit in (1 << 63, 10**30, 10**5000):
        assert sb.sssp(A, 0, limit=limit, method="composed").distances.isequal(whole)
        assert sb.sssp(A, 0, limit=limit).distances.isequal(whole)
