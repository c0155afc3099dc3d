"""Vertices by their names: labels, data frames, and what algorithms make of them."""

from __future__ import annotations

import datetime
import pickle
import sys
from typing import Any

import numpy as np
import pandas as pd
import pytest

import spbfs as sb
from spbfs import exceptions
from spbfs.objects.constructors.factorized import factorized

FRAME = pd.DataFrame(
    {"from": ["bob", "eve", "ann"], "to": ["eve", "ann", "zoe"], "km": [1.5, 2.0, 3.0]}
)


def _frames() -> list[Any]:
    polars, pyarrow = pytest.importorskip("polars"), pytest.importorskip("pyarrow")
    table = pyarrow.Table.from_pandas(FRAME)
    return [
        FRAME,
        polars.from_pandas(FRAME),
        table,
        pyarrow.concat_tables([table[:1], table[1:]]),
        FRAME.astype({"from": "category"}),
        FRAME.astype({"from": object, "to": "string[python]"}),
        FRAME.astype({"from": pd.ArrowDtype(pyarrow.string()), "to": "string[pyarrow]"}),
    ]


def test_every_frame_gives_the_same() -> None:
    for frame in _frames():
        A = sb.Matrix.from_pandas_edgelist(frame, "from", "to", "km")
        assert A.labels is not None
        assert list(A.labels) == ["bob", "eve", "ann", "zoe"]
        assert A.to_dicts() == {0: {1: 1.5}, 1: {2: 2.0}, 2: {3: 3.0}}
        B = sb.Matrix.from_pandas_edgelist(frame, "from", "to", order="sorted", directed=False)
        assert B.labels == sb.Labels(["ann", "bob", "eve", "zoe"])
        assert B.nvals == 6 and B.dtype == sb.dtypes.BOOL


def test_names_go_through_algorithms() -> None:
    A = sb.Matrix.from_pandas_edgelist(FRAME, "from", "to", "km")
    found = sb.bfs(A, "bob")
    assert found.to_pandas().to_dict("index") == {
        "bob": {"level": 0, "parent": "bob"},
        "eve": {"level": 1, "parent": "bob"},
        "ann": {"level": 2, "parent": "eve"},
        "zoe": {"level": 3, "parent": "ann"},
    }
    assert found.path_to("ann").tolist() == ["bob", "eve", "ann"]
    assert found.levels.to_pandas()["zoe"] == 3
    lengths = sb.sssp(A, source=["eve", "zoe"])
    assert lengths.to_pandas()["distance"].to_dict() == {"eve": 0, "ann": 2, "zoe": 0}
    assert lengths.path_to("ann").tolist() == ["eve", "ann"]
    assert sb.components(A).to_pandas().to_dict() == dict.fromkeys(A.labels or (), "bob")
    order = sb.bfs_order(A, "eve")
    assert order.levels.labels is A.labels
    assert sb.bfs(A, "bob", target="eve").depth == 1
    assert pickle.loads(pickle.dumps(A)).labels == A.labels
    copied = pickle.loads(pickle.dumps(found))
    assert copied.path_to("ann").tolist() == ["bob", "eve", "ann"]
    assert copied.to_pandas().equals(found.to_pandas())
    assert A.to("reference").labels is A.labels
    assert sb.bfs(sb.generate.path(3), 0).to_pandas()["level"].to_dict() == {0: 0, 1: 1, 2: 2}


def test_tables_of_many_searches() -> None:
    A = sb.Matrix.from_pandas_edgelist(FRAME, "from", "to", "km")
    found = sb.bfs_many(A, ["eve", "bob"])
    frame = found.to_pandas()
    assert list(frame.columns) == ["eve", "bob"] and frame.index.name == "vertex"
    assert frame["bob"].to_dict() == {"bob": 0, "eve": 1, "ann": 2, "zoe": 3}
    assert frame["eve"].dropna().to_dict() == {"eve": 0, "ann": 1, "zoe": 2}
    assert "eve" in found._repr_html_()
    assert list(sb.bfs_many(A, ["ann"]).to_pandas().index) == ["ann", "zoe"], "only who is reached"
    assert pickle.loads(pickle.dumps(found)).to_pandas().equals(frame)
    listed = sb.bfs_many(A, ["ann", "zoe"], outputs=["levels"], sparse=True).to_pandas()
    assert sorted(listed.itertuples(index=False, name=None)) == [
        ("ann", "ann", 0),
        ("ann", "zoe", 1),
        ("zoe", "zoe", 0),
    ]
    A.labels = None
    assert sb.bfs_many(A, [1]).to_pandas()[1].to_dict() == {1: 0, 2: 1, 3: 2}
    assert sb.bfs_many(A, []).to_pandas().shape == (0, 0)
    with pytest.raises(exceptions.InvalidValue, match="levels"):
        sb.bfs_many(A, [0], outputs=["counts"]).to_pandas()


def test_tables_of_hubs_and_a_hint_at_labels() -> None:
    A = sb.Matrix.from_pandas_edgelist(FRAME, "from", "to")
    frame = sb.hits(A).to_pandas()
    assert list(frame.columns) == ["hub", "authority"]
    assert list(frame.index) == ["bob", "eve", "ann", "zoe"]
    assert frame["hub"]["zoe"] == frame["authority"]["bob"] == 0
    with pytest.raises(exceptions.DomainMismatch, match=r"labels\['zoe'\]"):
        sb.bfs(A, "bob").levels["zoe"]


def test_kinds_of_names() -> None:
    days = pd.DataFrame({"source": pd.to_datetime(["2020-01-01"]), "target": ["2020-01-02"]})
    days["target"] = pd.to_datetime(days["target"])
    A = sb.Matrix.from_pandas_edgelist(days)
    for day in (pd.Timestamp("2020-01-01"), datetime.date(2020, 1, 1), np.datetime64("2020-01-01")):
        assert sb.bfs(A, day).reached == 2
    far = pd.DataFrame({"source": [10**15, 7], "target": [7, -3]})
    B = sb.Matrix.from_pandas_edgelist(far, labels=True)
    assert B.nrows == 3
    assert sb.bfs(B, 10**15).to_pandas()["level"].to_dict() == {10**15: 0, 7: 1, -3: 2}
    assert sb.bfs(B, [7, -3]).reached == 2
    assert sb.Matrix.from_pandas_edgelist(far.iloc[1:].abs()).nrows == 8
    C = sb.Matrix.from_pandas_edgelist(
        FRAME, "to", "from", labels=A.labels and sb.Labels(["zoe", "ann", "eve", "bob"])
    )
    assert C.to_edgelist()[0].tolist() == [[0, 1], [1, 2], [2, 3]]
    pairs = sb.Labels([("a", 1), ("b", 2)])
    assert pairs["b", 2] == 1 and list(pairs) == [("a", 1), ("b", 2)]


@pytest.mark.parametrize("order", ["met", "sorted"])
def test_names_of_every_kind_by_columns(order: str) -> None:
    drawn = np.random.default_rng(5).integers(0, 40, (2, 200))
    days = drawn.astype("M8[D]")
    mixed = [[x if x % 2 else float(x) for x in column] for column in drawn.tolist()]
    for columns in (
        drawn,
        drawn.astype(float),
        drawn.astype(str),
        days,
        (days[0], days[1].astype("M8[s]")),
        (drawn[0], drawn[1].astype(object)),
        mixed,
        [[(x, "x") for x in column] for column in drawn.tolist()],
    ):
        labels, coded = factorized({"a": columns[0], "b": columns[1]}, order)  # type: ignore[arg-type]
        given = [*columns[0], *columns[1]]
        codes = np.concatenate(coded).tolist()
        assert [labels[name] for name in given] == codes == labels.numbers(given).tolist()
        assert set(codes) == set(range(len(labels)))
        names = list(labels)
        assert all(names[code] == name for code, name in zip(codes, given, strict=True))
        if order == "met":
            assert list(dict.fromkeys(codes)) == list(range(len(labels)))
        else:
            assert names == sorted(names)
    with pytest.raises(exceptions.DomainMismatch, match="hashable"):
        factorized({"a": [[1], [2]]}, "met")
    with pytest.raises(exceptions.DomainMismatch, match="sorted"):
        factorized({"a": ["x", 1]}, "sorted")


def test_networkx_nodes_are_labels() -> None:
    nx = pytest.importorskip("networkx")
    A = sb.Matrix.from_networkx(nx.Graph([("x", "y"), ("y", "z")]))
    assert sb.bfs(A, "x").to_pandas()["level"].to_dict() == {"x": 0, "y": 1, "z": 2}
    assert sb.Matrix.from_networkx(nx.path_graph(3)).labels is None


def test_graphs_go_back_to_networkx_with_their_nodes(monkeypatch: pytest.MonkeyPatch) -> None:
    nx = pytest.importorskip("networkx")
    graph = nx.les_miserables_graph()
    A = sb.Matrix.from_networkx(graph)
    back = A.to_networkx(directed=False)
    assert nx.utils.graphs_equal(back, graph) and list(back) == list(graph)
    tree = sb.bfs(A, "Napoleon").tree
    assert tree.labels == sb.sssp(A, "Napoleon").tree.labels == A.labels
    assert set(tree.to_networkx(weight=None)["Napoleon"]) == {"Myriel"}
    monkeypatch.setitem(sys.modules, "networkx", None)
    with pytest.raises(exceptions.PackageMissing, match="networkx"):
        A.to_networkx()


def test_both_ways() -> None:
    labels = sb.Labels(np.array(["b", "a"]))
    assert labels["a"] == 1 and "c" not in labels and len(labels) == 2
    assert labels.numbers(["a", "a", "b"]).tolist() == [1, 1, 0]
    assert labels.names([[0, 1]]).tolist() == [["b", "a"]]
    assert sb.Labels([]).names([]).size == 0


def test_edge_index() -> None:
    index = np.array([[0, 1, 1], [1, 0, 2]])
    A = sb.Matrix.from_edge_index(index, [1, 2, 3], num_nodes=5)
    assert A.shape == (5, 5)
    np.testing.assert_array_equal(A.to_edge_index(), index)
    assert A.to_edge_index().flags.c_contiguous
    with pytest.raises(exceptions.DimensionMismatch, match="edge_index"):
        sb.Matrix.from_edge_index(index.T)
    assert sb.Matrix.from_edge_index(np.zeros((2, 0), int)).shape == (0, 0)


def test_bad_input() -> None:
    A = sb.Matrix.from_pandas_edgelist(FRAME, "from", "to")
    for call in (lambda: sb.bfs(A, "nobody"), lambda: sb.bfs(A, ["bob", "nobody"])):
        with pytest.raises(exceptions.UnknownLabel, match="'nobody'"):
            call()
    assert issubclass(exceptions.UnknownLabel, KeyError)
    frame = sb.Matrix.from_pandas_edgelist
    with pytest.raises(exceptions.InvalidValue, match="column 'who', the frame has 'from', 'to'"):
        frame(FRAME, "who", "to")
    with pytest.raises(exceptions.InvalidValue, match=r"target: .* none in 1, .* row 1;"):
        frame(pd.DataFrame({"source": ["a", "b"], "target": ["c", None]}))
    with pytest.raises(exceptions.InvalidValue, match="order"):
        frame(FRAME, "from", "to", order="up")  # type: ignore[arg-type]
    with pytest.raises(exceptions.InvalidValue, match="ncols"):
        frame(FRAME, "from", "to", nrows=9)
    with pytest.raises(exceptions.DomainMismatch, match="sorted"):
        frame(pd.DataFrame({"source": ["a", 1], "target": [2.5, "b"]}), order="sorted")
    for no_frame in ([[0, 1]], FRAME["from"]):
        with pytest.raises(exceptions.DomainMismatch, match="frame"):
            frame(no_frame)
    with pytest.raises(exceptions.InvalidValue, match=r"'sum' .*; did you mean plus\?"):
        frame(FRAME, "from", "to", "km", dup_op="sum")
    with pytest.raises(exceptions.InvalidValue, match=r"'keep'; dir\(spbfs.binary\) lists them"):
        frame(FRAME, "from", "to", "km", dup_op="keep")
    with pytest.raises(exceptions.InvalidValue, match="once"):
        sb.Labels(["a", "a"])
    with pytest.raises(exceptions.DomainMismatch, match="hashable"):
        sb.Labels([[1], [2]])
    with pytest.raises(exceptions.DimensionMismatch, match="labels"):
        A.labels = ["a"]
    with pytest.raises(exceptions.IndexOutOfBound, match="vertices"):
        sb.Labels(["a"]).names([1])


def test_missing_names_of_every_kind() -> None:
    for nothing in (None, float("nan"), np.float32("nan"), pd.NA, pd.NaT, np.datetime64("NaT")):
        names = np.array(["a", nothing, "b"], object)
        with pytest.raises(exceptions.InvalidValue, match="none in 1, the first of them row 1"):
            sb.Matrix.from_pandas_edgelist(pd.DataFrame({"source": names, "target": names}))


def test_brackets_say_where_the_numbers_of_names_are() -> None:
    A = sb.Matrix.from_pandas_edgelist(FRAME, "from", "to")
    names = ["bob", "eve"]
    with pytest.raises(exceptions.NotIndices, match=r"labels\.numbers\(names\)"):
        A[names, names]
    numbers = A.labels.numbers(names)  # type: ignore[union-attr]
    assert A[numbers, numbers].new().nvals == 1


def test_numbers_are_in_the_order_of_the_rows() -> None:
    generator = np.random.default_rng(5)
    for kind in (str, lambda x: np.datetime64("2020-01-01") + x, lambda x: (x, str(x))):
        names = [kind(x) for x in generator.integers(0, 50, 400).tolist()]
        ends = [np.empty(200, object), np.empty(200, object)]
        ends[0][:], ends[1][:] = names[:200], names[200:]
        A = sb.Matrix.from_pandas_edgelist(pd.DataFrame({"source": ends[0], "target": ends[1]}))
        assert A.labels is not None
        assert list(A.labels) == [
            pd.Timestamp(x) if kind is not str and not isinstance(x, tuple) else x
            for x in dict.fromkeys(names)
        ]
        assert A.labels.numbers(ends[1]).tolist() == [A.labels[x] for x in ends[1]]


def test_edges_come_back() -> None:
    A = sb.Matrix.from_pandas_edgelist(FRAME, "from", "to", "km")
    back = A.to_pandas_edgelist("from", "to", "km")
    pd.testing.assert_frame_equal(back.sort_values("km"), FRAME, check_index_type=False)
    assert list(A.to_pandas_edgelist(weight=None).columns) == ["source", "target"]
    assert sb.generate.path(3).to_pandas_edgelist().to_dict("list") == {
        "source": [0, 1, 1, 2],
        "target": [1, 0, 2, 1],
    }
    assert A.labels is not None and A.labels.names().tolist() == list(A.labels)


def test_owners_in_tables_are_sources() -> None:
    A = sb.Matrix.from_pandas_edgelist(FRAME, "from", "to", "km", directed=False)
    expected = {"bob": "bob", "eve": "bob", "ann": "zoe", "zoe": "zoe"}
    for found in (
        sb.bfs(A, ["zoe", "bob", "zoe"]),
        sb.bfs(A, ["zoe", "bob"], parents=False),
        sb.BFSPlan(A).run(["zoe", "bob"]),
        sb.sssp(A, ["zoe", "bob"]),
    ):
        assert found.to_pandas()["owner"].to_dict() == expected
    A.labels = None
    assert sb.bfs(A, [3, 0]).to_pandas()["owner"].tolist() == [0, 0, 3, 3]


def test_operations_keep_vertices_where_they_are() -> None:
    A = sb.Matrix.from_pandas_edgelist(FRAME, "from", "to", "km")
    degrees = A.reduce_rowwise("count").new()
    assert degrees.to_pandas().to_dict() == {"bob": 1, "eve": 1, "ann": 1}
    kept = (A.dup(), A.T.new(), A.select(">", 1).new(), (A + A.T).new(), (A @ A).new(), A.T)
    for B in (*kept, degrees, (A @ degrees).new(), A.dup(bool, mask=A.S)):
        assert B.labels is A.labels
    assert sb.bfs(A.T, "zoe").path_to("bob").tolist() == ["zoe", "ann", "eve", "bob"]
    moved = (A[[3, 2, 1, 0], [0, 1, 2, 3]], A.reposition(1, 0, nrows=4, ncols=4), A[0, :])
    for expression in moved:
        assert expression.new().labels is None
    assert sb.generate.path(3).dup().labels is None


def test_paths_plans_and_pairs_by_names() -> None:
    A = sb.Matrix.from_pandas_edgelist(FRAME, "from", "to", "km", directed=False)
    assert sb.shortest_path(A, "bob", "zoe").vertices.tolist() == ["bob", "eve", "ann", "zoe"]
    plan = sb.BFSPlan(A)
    assert plan.run("bob", target="ann").path_to("ann").tolist() == ["bob", "eve", "ann"]
    with pytest.raises(exceptions.UnknownLabel, match=r"^source: no vertex is called 'nobody'"):
        plan.run("nobody")
    with pytest.raises(exceptions.UnknownLabel, match=r"^sources: no vertex is called 'nobody'"):
        sb.bfs_many(A, ["nobody"])
    # As many pairs as vertices: what there is one a pair of has no vertices.
    pairs = [("bob", "ann"), ("bob", "eve"), ("eve", "zoe"), ("ann", "ann")]
    for score in (sb.common_neighbours(A, pairs), sb.common_neighbours(A, pairs=pairs)):
        assert score.to_dense().tolist() == [1, 0, 1, 2] and score.labels is None


def test_names_are_shown() -> None:
    A = sb.Matrix.from_pandas_edgelist(FRAME, "from", "to", "km")
    assert repr(A).splitlines()[1].split() == ["bob", "eve", "ann", "zoe"]
    assert repr(sb.bfs(A, "bob").levels).splitlines()[1].split() == ["bob", "eve", "ann", "zoe"]
    A.labels = ["bob", "e" * 30, "ann", "zoe"]
    assert f"{'e' * 11}…" in repr(A) and "e" * 12 not in A._repr_html_()


@pytest.mark.parametrize("order", ["met", "sorted"])
@pytest.mark.parametrize("kind", ["strings", "integers", "two widths"])
def test_all_ways_to_number_names_are_one(
    kind: str, order: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    rng = np.random.default_rng(3)
    columns = {"from": rng.integers(-40, 40, 200), "to": rng.integers(0, 60, 100)}
    if kind == "strings":
        columns = {
            what: np.array([f"v{x}" for x in ints], object) for what, ints in columns.items()
        }
    if kind == "two widths":
        columns["to"] = columns["to"].astype(np.int16)
    every = [x for ints in columns.values() for x in ints.tolist()]
    expected = list(dict.fromkeys(every))
    expected = sorted(expected) if order == "sorted" else expected
    # Strings with pandas loaded, as it is where there are data frames, and without.
    for loaded in (True, False):
        if not loaded:
            monkeypatch.delitem(sys.modules, "pandas", raising=False)
        labels, coded = factorized(columns, order)
        assert list(labels) == expected
        assert labels.integers == (kind != "strings")
        for ints, codes in zip(columns.values(), coded, strict=True):
            assert codes.dtype == np.int64
            assert labels.names(codes).tolist() == ints.tolist()
            assert labels.numbers(ints).tolist() == codes.tolist()
    assert labels == sb.Labels(expected)
    assert factorized({"from": np.zeros(0, int), "to": np.zeros(0, int)}, order)[1][1].size == 0


def test_strings_of_arrow_are_no_objects_of_pythons(monkeypatch: pytest.MonkeyPatch) -> None:
    arrow = pytest.importorskip("pyarrow")
    frame = FRAME.astype({"from": "string[pyarrow]", "to": pd.ArrowDtype(arrow.string())})
    monkeypatch.setattr(pd.Series, "to_numpy", None)
    A = sb.Matrix.from_pandas_edgelist(frame, "from", "to")
    assert A.labels == sb.Labels(arrow.array(["bob", "eve", "ann", "zoe"]))
    assert type(A.labels["eve"]) is int and A.labels.numbers(frame["to"]).tolist() == [1, 2, 3]


def test_integers_are_looked_up_whatever_they_come_in() -> None:
    labels = sb.Labels(np.array([7, 3, 5]))
    assert labels[3] == 1 and labels[np.int8(5)] == 2 and 4 not in labels and "3" not in labels
    assert labels.integers and not sb.Labels(np.zeros(0, int)).integers
    with pytest.raises(sb.exceptions.InvalidValue, match="each once"):
        sb.Labels(np.array([7, 3, 7], np.uint8))
    names = np.array([7, 3, 5])
    mine = sb.Labels(names)
    names[0] = 9
    assert mine[7] == 0


def test_times_of_day_are_names() -> None:
    names = [datetime.time(1), datetime.time(2)]
    assert [sb.Labels(names)[name] for name in names] == [0, 1]


def test_numbers_that_have_no_names() -> None:
    labels = sb.Labels(["a", "b"])
    for odd in (1.0, np.nan, "a", {"a": 1}, [True], [None], 1j):
        with pytest.raises(exceptions.DomainMismatch, match=r"vertices: expected (integ|an arr)"):
            labels.names(odd)
    with pytest.raises(exceptions.DimensionMismatch, match="vertices: expected a rectangular"):
        labels.names([[1], [0, 1]])
    assert labels.names([]).tolist() == [] and labels.names(np.uint8(1)) == "b"
