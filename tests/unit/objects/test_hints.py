"""Errors that whoever is new here meets first say what to write instead."""

from __future__ import annotations

from pathlib import Path

import pytest

import spbfs as sb
from spbfs import Matrix, exceptions
from spbfs.cli import main
from spbfs.objects.display import elsewhere


@pytest.mark.parametrize(
    ("name", "meant"),
    [
        ("page_rank", "pagerank"),
        ("connected_components", "components"),
        ("dijkstra", "sssp"),
        ("Graph", "Matrix"),
        ("zzz", "dir(spbfs) lists them"),
    ],
)
def test_names_of_other_packages(name: str, meant: str) -> None:
    with pytest.raises(AttributeError, match=f"has no attribute '{name}'; ") as error:
        getattr(sb, name)
    assert meant in str(error.value)


def test_names_elsewhere_are_of_public_names() -> None:
    assert set(sb._ELSEWHERE.values()) <= set(sb.__all__)
    assert not sb._ELSEWHERE.keys() & set(sb.__all__)


def test_private_names_are_asked_for_by_machines() -> None:
    with pytest.raises(AttributeError, match=r"has no attribute '__path_of__'$"):
        getattr(sb, "__path_of__")  # noqa: B009


@pytest.mark.parametrize(
    ("named", "asked", "said"),
    [(["7", "8"], 7, "'7'"), ([7, 9], "9", "9"), (["ann", "bob"], " ann", "'ann'")],
)
def test_names_of_another_type(named: list[object], asked: object, said: str) -> None:
    with pytest.raises(exceptions.UnknownLabel, match=f"is called .*, but one is called {said}$"):
        sb.Labels(named)[asked]  # type: ignore[index]


def test_names_that_nothing_is_like() -> None:
    for asked in ("eve", 7, 10**5000, 1.5, ("ann", "bob"), "9" * 5000):
        with pytest.raises(exceptions.UnknownLabel, match="no vertex is called") as error:
            sb.Labels(["ann", "bob"])[asked]
        assert "but one" not in str(error.value)


def test_lists_of_names_become_labels() -> None:
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame({"source": ["ann"], "target": ["bob"], "km": ["1.5"]})
    with pytest.raises(exceptions.DomainMismatch, match=r"^labels: .*; Labels\(names\) makes them"):
        Matrix.from_pandas_edgelist(frame, labels=["ann", "bob"])  # type: ignore[arg-type]
    with pytest.raises(exceptions.UnknownDtype, match=r"^weight: .*; pandas\.to_numeric"):
        Matrix.from_pandas_edgelist(frame, weight="km")


def test_a_graph_without_vertices_has_no_source() -> None:
    with pytest.raises(IndexError, match=r"^source: expected none, as there is nothing to index"):
        sb.bfs(Matrix(bool, 0, 0), 0)


def test_a_csv_of_names_without_a_header(tmp_path: Path) -> None:
    path = tmp_path / "edges.csv"
    path.write_text("ann,bob\nbob,eve\n")
    with pytest.raises(exceptions.FormatError, match=r"its 'bob' is a vertex below; .*header"):
        sb.read(path)
    assert sb.read(path, columns=("ann", "bob")).nvals == 1
    path.write_text("person,friend\nann,bob\nbob,eve\n")
    assert sb.read(path).nvals == 2
    path.write_text("from,to\nfrom,to\n")
    assert sb.read(path).nvals == 1


def test_an_output_in_a_folder_that_is_not_there(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    graph = tmp_path / "path.sg"
    sb.write(graph, sb.generate.path(4))
    wanted = tmp_path / "absent" / "levels.csv"
    assert main(["bfs", str(graph), "--source", "0", "--output", str(wanted)]) == 1
    said = capsys.readouterr().err
    assert f"output: there is no folder '{wanted.parent}' for 'levels.csv'" in said


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("from,to\nann,bob\n".encode("utf-16"), "is UTF-16; expected UTF-8"),
        (b"from;to;weight\nann;bob;1\n\nbob;eve;1,5\n", "line 4: '1,5' is .* a decimal point$"),
        (
            b"from,to,weight\nann,bob,\n",
            "line 2: an empty field is not a weight",
        ),
    ],
)
def test_tables_of_spreadsheets(tmp_path: Path, content: bytes, said: str) -> None:
    path = tmp_path / "edges.csv"
    path.write_bytes(content)
    with pytest.raises(exceptions.FormatError, match=said):
        sb.read(path)


@pytest.mark.parametrize(
    ("name", "said"),
    [("a.xlsx", "pandas"), ("a.graphml", "from_networkx"), ("a.npy", "from_dense")],
)
def test_files_that_other_packages_read(tmp_path: Path, name: str, said: str) -> None:
    path = tmp_path / name
    path.write_bytes(b"PK")
    with pytest.raises(exceptions.InvalidValue, match=f"extension .*; Matrix.*{said}"):
        sb.read(path)


def test_a_header_in_a_list_of_edges(tmp_path: Path) -> None:
    path = tmp_path / "edges.txt"
    path.write_text("source target\n0 1\n")
    with pytest.raises(exceptions.FormatError, match=r"line 1: 'source' .* a header begins with #"):
        sb.read(path)


def test_attributes_of_other_packages() -> None:
    A = Matrix.from_coo([0, 1, 2], [1, 2, 3], [5, 6, 7], nrows=4, ncols=4)
    levels = sb.bfs(A, 0).levels
    for owner, names in ((A, elsewhere._BY_RANK[2]), (levels, elsewhere._BY_RANK[1])):
        for name, here in {**elsewhere._BOTH, **names}.items():
            with pytest.raises(AttributeError, match="has no attribute") as error:
                getattr(owner, name)
            assert str(error.value).endswith(f"; write {here}")
            dot = "" if here.startswith("[") else "."
            eval(f"owner{dot}{here}", {"owner": owner, "vertex": 1, "pandas": None})
    with pytest.raises(AttributeError, match=r"'Matrix' object has no attribute 'nothing'$"):
        A.nothing  # noqa: B018
    assert not hasattr(A, "__array_interface__")


def test_results_are_no_vectors() -> None:
    pytest.importorskip("matplotlib")
    A = sb.generate.path(4)
    with pytest.raises(exceptions.DomainMismatch, match=r"such as result\.levels"):
        sb.viz.plot_levels(A, sb.bfs(A, 0))  # type: ignore[arg-type]


def test_a_column_of_weights_by_another_name(tmp_path: Path) -> None:
    path = tmp_path / "roads.csv"
    path.write_text("from,to,km\nann,bob,7\n")
    with pytest.raises(exceptions.FormatError, match=r"'to', 'km'\) names no 'weight'.*columns="):
        sb.read(path, weights=True)
    assert sb.read(path, columns=("from", "to", "km")).to_dicts() == {0: {1: 7}}


@pytest.mark.parametrize("ids", [[-1, 2], [2**61, 2]])
def test_numbers_that_are_names(ids: list[int]) -> None:
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame({"a": ids, "b": [5, 5]})
    with pytest.raises((ValueError, IndexError), match="; labels=True takes numbers as names"):
        Matrix.from_pandas_edgelist(frame, "a", "b")
    A = Matrix.from_pandas_edgelist(frame, "a", "b", labels=True)
    assert sb.bfs(A, ids[0]).reached == 2


def test_a_column_of_names_for_indices() -> None:
    pandas = pytest.importorskip("pandas")
    for names in (pandas.Series(["ann", "bob"]), pandas.Series(["ann", "bob"], dtype=object)):
        with pytest.raises(exceptions.DomainMismatch, match="from_pandas_edgelist takes names"):
            Matrix.from_coo(names, names)


@pytest.mark.parametrize("times", [sb.binary.plus, lambda x, y: x + y])
def test_a_semiring_without_a_monoid(times: object) -> None:
    with pytest.raises(
        exceptions.DomainMismatch, match=r"; monoid\.register_anonymous\(.*identity"
    ):
        sb.semiring.register_anonymous(times, sb.binary.times)


def test_a_function_that_returns_text_for_some() -> None:
    some = sb.unary.register_anonymous(lambda x: x if x > 1 else "no")
    with pytest.raises(exceptions.DomainMismatch, match="expected a number for every element"):
        sb.Vector.from_dense([1.0, 2.0]).apply(some).new()


def test_too_few_iterations() -> None:
    A = sb.generate.kronecker(6, seed=1)
    with pytest.raises(exceptions.ConvergenceFailure, match="more iterations or a larger tolera"):
        sb.pagerank(A, iterations=2, tolerance=1e-12)
