"""Other libraries' arrays and graphs under python-graphblas's names."""

from __future__ import annotations

import io
from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp
from scipy.sparse import csgraph as scipys

import spbfs as sb
from spbfs import csgraph
from spbfs.exceptions import (
    DimensionMismatch,
    DomainMismatch,
    FileMissing,
    FormatError,
    InvalidValue,
    PackageMissing,
    SpbfsError,
)

nx = pytest.importorskip("networkx")
gb = pytest.importorskip("graphblas")

A = sb.Matrix.from_coo([0, 0, 3, 5], [1, 4, 0, 2], [1, 0, 2, -1], nrows=7, ncols=6)
v = sb.Vector.from_coo([1, 3], [2.5, 4.0], size=5)


@pytest.mark.parametrize("kind", ["bsr", "csr", "csc", "coo", "lil", "dia", "dok"])
def test_scipy_and_back(kind: str) -> None:
    B = sb.io.from_scipy_sparse(sb.io.to_scipy_sparse(A, kind))
    assert np.array_equal(B.to_dense(0), A.to_dense(0))
    row = sb.io.to_scipy_sparse(v, kind)
    expected = v.to_dense(0.0)
    assert np.array_equal(row.toarray(), expected[:, None] if kind == "csc" else expected[None])
    assert row.format == kind


def test_zeros_that_fill_blocks_are_no_entries() -> None:
    blocks = sp.bsr_array(np.eye(4), blocksize=(2, 2))
    assert blocks.nnz == 8
    assert sb.Matrix.from_scipy(blocks).nvals == 4
    assert sb.components(blocks).to_dense().tolist() == [0, 1, 2, 3]
    assert blocks.nnz == 8, "the matrix given is as it was"


@pytest.mark.parametrize("kind", ["coo", "csr", "csc"])
def test_duplicates_are_combined_or_an_error(kind: str) -> None:
    array = {
        "coo": sp.coo_array(([1, 2], ([0, 0], [1, 1])), shape=(2, 2)),
        "csr": sp.csr_array(([1, 2], [1, 1], [0, 2, 2]), shape=(2, 2)),
        "csc": sp.csc_array(([1, 2], [0, 0], [0, 0, 2]), shape=(2, 2)),
    }[kind]
    with pytest.raises(InvalidValue, match="dup_op"):
        sb.io.from_scipy_sparse(array)
    assert sb.io.from_scipy_sparse(array, dup_op="plus").to_dicts() == {0: {1: 3}}
    assert sb.bfs(array, 0).levels.to_dict() == {0: 0, 1: 1}, "a search does not mind"


def test_a_matrix_market_file_and_back(tmp_path: Any) -> None:
    for engine in ("auto", "scipy"):
        out = io.BytesIO()
        sb.io.mmwrite(out, A, engine, comment="seven rows")
        out.seek(0)
        assert sb.io.mmread(out, engine, name="B").isequal(A, check_dtype=True)
        sb.io.mmwrite(tmp_path / "a.mtx", A, engine)
        assert sb.read(tmp_path / "a.mtx").isequal(A)
    head = "%%MatrixMarket matrix coordinate integer general\n2 2 2\n"
    twice = head + "1 1 3\n1 1 4\n"
    with pytest.raises(InvalidValue, match="dup_op"):
        sb.io.mmread(io.StringIO(twice))
    assert sb.io.mmread(io.StringIO(twice), dup_op="plus")[0, 0].new() == 7
    dense = sb.io.mmread(io.StringIO("%%MatrixMarket matrix array real general\n1 2\n1.5\n2\n"))
    assert dense.to_dicts() == {0: {0: 1.5, 1: 2.0}}
    with pytest.raises(FormatError):
        sb.io.mmread(io.StringIO("nothing of the kind"))
    with pytest.raises(FileMissing):
        sb.io.mmread(tmp_path / "absent.mtx")
    with pytest.raises(InvalidValue, match="engine"):
        sb.io.mmwrite(io.BytesIO(), A, engine="quick")


def test_a_vector_is_a_row_of_a_matrix_market_file_and_what_is_full_an_array() -> None:
    v, full = sb.Vector.from_coo([0, 2], [1, 2]), sb.Matrix.from_dense([[1.5, 0], [3, 4]])
    cases: list[tuple[Any, bytes, Any]] = [
        (v, b"coordinate integer general", {0: {0: 1, 2: 2}}),
        (v + v, b"coordinate integer general", {0: {0: 2, 2: 4}}),
        (full, b"array real general", full.to_dicts()),
        (full.T, b"array real general", full.T.new().to_dicts()),
        (A, b"coordinate integer", A.to_dicts()),
    ]
    for given, head, entries in cases:
        out = io.BytesIO()
        sb.io.mmwrite(out, given)
        assert head in out.getvalue()
        out.seek(0)
        assert sb.io.mmread(out).to_dicts() == entries
    out = io.BytesIO()
    sb.io.mmwrite(out, full, field="pattern")
    assert b"coordinate pattern" in out.getvalue()


@pytest.mark.parametrize(
    "graph",
    [
        nx.path_graph(4),
        nx.DiGraph([(0, 1), (2, 1)]),
        nx.MultiGraph([(0, 1), (0, 1), (1, 1)]),
        nx.MultiDiGraph([(0, 1, {"weight": 2.5}), (0, 1), (1, 0)]),
        nx.Graph([(0, 1, {"weight": 3}), (1, 2)]),
    ],
)
def test_networkx_as_python_graphblas_has_it(graph: Any) -> None:
    ours, theirs = sb.io.from_networkx(graph), gb.io.from_networkx(graph)
    assert ours.dtype.name == theirs.dtype.name
    assert np.array_equal(ours.to_dense(0), theirs.to_dense(0))
    back = sb.io.to_networkx(ours)
    assert type(back) is nx.DiGraph
    assert sorted(back.edges(data="weight")) == sorted(
        gb.io.to_networkx(theirs).edges(data="weight")
    )


def test_an_edge_of_a_graph_has_one_weight() -> None:
    both = sb.Matrix.from_coo([0, 1, 1, 2], [1, 0, 2, 2], [5.0, 3, 1, 4])
    with pytest.raises(InvalidValue, match=r"between 0 and 1 there are 5\.0 and 3\.0"):
        both.to_networkx(directed=False)
    assert sorted(both.to_networkx(directed=False, weight=None).edges) == [(0, 1), (1, 2), (2, 2)]
    assert both.to_networkx().number_of_edges() == 4
    one = both.ewise_add(both.T, "max").new()
    assert one.to_networkx(directed=False)[1][0]["weight"] == 5
    nan = sb.Matrix.from_coo([0, 1], [1, 0], [float("nan")] * 2)
    assert nan.to_networkx(directed=False).number_of_edges() == 1


def test_what_cannot_be_taken() -> None:
    for wrong, error in (
        (lambda: sb.io.to_scipy_sparse(A, "csx"), InvalidValue),
        (lambda: sb.io.to_scipy_sparse(5), DomainMismatch),
        (lambda: sb.io.to_networkx(v), DomainMismatch),
        (lambda: sb.io.to_networkx(A), DimensionMismatch),
        (lambda: sb.io.from_networkx(5), DomainMismatch),
        (lambda: sb.viz.spy(v), DomainMismatch),
        (lambda: sb.viz.draw(A), DimensionMismatch),
    ):
        with pytest.raises(error):
            wrong()


@pytest.mark.parametrize("package", ["awkward", "sparse", "fast_matrix_market"])
def test_a_package_that_is_not_there(package: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, package, None)
    use: dict[str, Any] = {
        "awkward": lambda: sb.io.to_awkward(A),
        "sparse": lambda: sb.io.to_pydata_sparse(A),
        "fast_matrix_market": lambda: sb.io.mmread("a.mtx", "fmm"),
    }
    with pytest.raises(PackageMissing, match=package) as caught:
        use[package]()
    assert isinstance(caught.value, ImportError)


def test_where_the_entries_lie() -> None:
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("Agg")
    figure = sb.viz.spy(A, show=False, figsize=(3, 3))
    (line,) = figure.axes[0].lines
    assert sorted(zip(line.get_ydata(), line.get_xdata(), strict=True)) == list(A)


def test_pydata_and_awkward_and_back() -> None:
    small = sb.Vector.from_coo([1, 3], [20, -5], size=9)
    sparse = pytest.importorskip("sparse", reason="sparse is not installed")
    for kind in ("coo", "dok", "gcxs"):
        for x in (A, small):
            assert sb.io.from_pydata_sparse(sb.io.to_pydata_sparse(x, kind)).isequal(x)
    with pytest.raises(DimensionMismatch):
        sb.io.from_pydata_sparse(sparse.COO(np.ones((2, 2, 2))))
    pytest.importorskip("awkward", reason="awkward is not installed")
    assert sb.io.from_awkward(sb.io.to_awkward(small)).isequal(small, check_dtype=True)
    for kind in ("csr", "csc", "hypercsr", "hypercsc"):
        packed = sb.io.to_awkward(A.dup("INT16"), kind)
        assert sb.io.from_awkward(packed).isequal(A.dup("INT16"), check_dtype=True)
    with pytest.raises(InvalidValue, match="format"):
        sb.io.to_awkward(A, "dcsr")


def test_zeros_that_fill_blocks_are_no_edges() -> None:
    blocks = sp.csr_array(np.array([[0, 1, 0, 0], [0, 0, 0, 0], [0, 0, 0, 1], [0, 0, 0, 0]]))
    blocks = blocks.tobsr((2, 2))
    stored = blocks.data.copy()
    for source, reached in ((0, 2), (1, 1)):
        assert sb.bfs(blocks, source).reached == reached
        assert sb.bfs_many(blocks, [source]).reached.tolist() == [reached]
        assert len(sb.csgraph.breadth_first_order(blocks, source)[0]) == reached
    assert sb.Matrix.from_scipy(blocks).nvals == 2
    assert np.array_equal(blocks.data, stored)


def _with_room(form: str) -> Any:
    """Arrays that go on behind the last entry, as SciPy's own functions leave some."""
    made = sp.csr_array(np.array([[0, 1, 2], [3, 0, 0], [0, 4, 0.0]])).asformat(form)
    made.data = np.append(made.data, [9.0, 9.0])
    made.indices = np.append(made.indices, [7, -1]).astype(made.indices.dtype)
    return made


@pytest.mark.parametrize("form", ["csr", "csc"])
def test_room_behind_the_last_entry_is_no_entry(form: str) -> None:
    given = _with_room(form)
    assert sb.Matrix.from_scipy(given).to_dicts() == {0: {1: 1, 2: 2}, 1: {0: 3}, 2: {1: 4}}
    assert len(given.data) == len(given.indices) == 6
    overwritten = sp.csr_array(np.array([[0, 1, 2], [3, 0, 0], [0, 4, 0.0]]))
    scipys.minimum_spanning_tree(overwritten, overwrite=True)
    assert sb.Matrix.from_scipy(overwritten).to_dicts() == {0: {1: 1, 2: 2}}
    for graph in (given, overwritten):
        for name in ("minimum_spanning_tree", "dijkstra", "johnson", "connected_components"):
            # A copy of SciPy's has no such room.
            wanted = getattr(scipys, name)(graph.copy())
            found = getattr(csgraph, name)(graph)
            assert str(found) == str(wanted), name


def test_scipy_arrays_that_contradict_themselves() -> None:
    dense = np.arange(1.0, 17).reshape(4, 4)

    def damaged(form: str, field: str, at: int, value: int) -> Any:
        made = sp.csr_array(dense)
        made = made.tobsr((2, 2)) if form == "bsr" else made.asformat(form)
        array = getattr(made, field).copy()
        array[at] = value
        if field in ("row", "col"):
            made.coords = tuple(array if field == f else getattr(made, f) for f in ("row", "col"))
        else:
            setattr(made, field, array)
        return made

    cases = [
        damaged(form, field, at, value)
        for form in ("csc", "bsr")
        for field, at, value in (
            ("indices", 2, 1 << 30),
            ("indices", 0, -1),
            ("indptr", 1, 1 << 30),
            ("indptr", 0, 1),
            ("indptr", -1, 1 << 30),
        )
    ]
    cases += [damaged("coo", field, 3, value) for field in ("row", "col") for value in (4, -1)]
    for case in cases:
        with pytest.raises(SpbfsError):
            sb.Matrix.from_scipy(case)
        with pytest.raises(SpbfsError, match="A: the arrays of the"):
            sb.bfs(case, 0)
        with pytest.raises(SpbfsError, match="csgraph: the arrays of the"):
            sb.csgraph.dijkstra(case)
    short = sp.csc_array(dense)
    short.data = short.data[:-1]
    with pytest.raises(SpbfsError, match="matrix: the arrays of the csc contradict"):
        sb.Matrix.from_scipy(short)
