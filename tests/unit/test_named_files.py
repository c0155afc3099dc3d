"""Files whose vertices are names, read, searched from the command line, and written."""

from __future__ import annotations

import json
from datetime import date, datetime, time
from decimal import Decimal
from pathlib import Path

import numpy as np
import pytest

import spbfs as sb
from spbfs import exceptions
from spbfs.cli import main

PEOPLE = (
    'from,to,weight\nalice,"O""Neil, bob",1.5\n"O""Neil, bob",eve,2\n\n# a comment\nzoe,eve,1\n'
)
NAMES = ["alice", 'O"Neil, bob', "zoe", "eve"]


@pytest.fixture
def people(tmp_path: Path) -> Path:
    path = tmp_path / "people.csv"
    path.write_text(PEOPLE)
    return path


def test_csv(people: Path) -> None:
    A = sb.read(people)
    assert A.labels == sb.Labels(NAMES)
    assert A.to_dicts() == {0: {1: 1.5}, 1: {3: 2}, 2: {3: 1}}
    assert sb.read(people, weights=False).dtype == sb.dtypes.BOOL
    assert sb.read(people, directed=False).nvals == 6
    B, names = sb.read(people, compact=True)
    assert B.labels is None and B.isequal(A) and names.tolist() == NAMES
    assert sb.bfs(A, "alice").path_to("eve").tolist() == ["alice", 'O"Neil, bob', "eve"]


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        ("source,target\na,b\na\n", "line 3: 1 fields"),
        ("source,target\na,b\nc,\n", "line 3: a vertex without a name"),
        ("source,target,weight\na,b,1\na,c,heavy\n", "heavy"),
        ("source,target,weight\na,b,nan\n", "nan"),
        (b"source,target\na,\xff\n", "UTF-8"),
        ('source,target\na,b\n"a"x,b\n', "line 3"),
    ],
)
def test_malformed(tmp_path: Path, content: str | bytes, reason: str) -> None:
    path = tmp_path / "bad.csv"
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    with pytest.raises(exceptions.FormatError, match=reason):
        sb.read(path)


def test_numbers_stay_numbers(tmp_path: Path) -> None:
    path = tmp_path / "numbers.csv"
    path.write_text("source,target\n0,5\n")
    assert sb.read(path).labels is None and sb.read(path).nrows == 6


def test_parquet(people: Path, tmp_path: Path) -> None:
    pytest.importorskip("pyarrow")
    A, path = sb.read(people), tmp_path / "people.parquet"
    sb.write(path, A)
    B = sb.read(path)
    assert B.labels == A.labels and B.isequal(A)
    assert sb.read(path, weights=False).dtype == sb.dtypes.BOOL
    C, names = sb.read(path, compact=True)
    assert names.tolist() == sorted(NAMES) and C.nvals == 3
    numbers = tmp_path / "numbers.parquet"
    sb.write(numbers, sb.generate.path(4))
    assert sb.read(numbers).isequal(sb.generate.path(4))
    D, ids = sb.read(numbers, compact=True)
    assert ids.tolist() == [0, 1, 2, 3] and D.labels is None
    path.write_bytes(b"PAR1 not really")
    with pytest.raises(exceptions.FormatError, match="people"):
        sb.read(path)
    with pytest.raises(exceptions.FileMissing):
        sb.read(tmp_path / "nothing.parquet")
    with pytest.raises(exceptions.InvalidValue, match="one_based"):
        sb.read(numbers, one_based=True)


def test_command_line(people: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["bfs", str(people), "--source", "alice", "--output", "-"]) == 0
    assert capsys.readouterr().out.splitlines() == [
        "vertex,level,parent",
        "alice,0,alice",
        '"O""Neil, bob",1,alice',
        "zoe,-1,",
        'eve,2,"O""Neil, bob"',
    ]
    arrays = tmp_path / "levels.npz"
    assert main(["bfs", str(people), "--source", "alice,zoe", "--output", str(arrays)]) == 0
    assert "source   alice, zoe" in capsys.readouterr().out
    with np.load(arrays) as found:
        assert found["vertices"].tolist() == NAMES
        assert found["levels"].tolist() == [0, 1, 0, 1]
        assert found["sources"].tolist() == [0, 2]
    assert main(["closeness", str(people), "--source", "eve"]) == 0
    assert main(["bfs", str(people), "--source", "nobody"]) != 0
    assert "--source: no vertex is called 'nobody'" in capsys.readouterr().err
    numbers = tmp_path / "numbers.csv"
    numbers.write_text("source,target\n0,1\n")
    assert main(["bfs", str(numbers), "--source", "alice"]) != 0
    assert "alice" in capsys.readouterr().err


def test_command_line_numbers_names_no_second_time(
    people: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    printed = []
    for options in ([], ["--compact"]):
        assert main(["bfs", str(people), "--source", "alice", "--output", "-", *options]) == 0
        assert main(["bfs", str(people), "--source", "0", *options]) == 1
        printed.append(capsys.readouterr())
    assert printed[0] == printed[1] and "no vertex is called '0'" in printed[0].err


def test_command_line_parquet(people: Path, tmp_path: Path) -> None:
    parquet = pytest.importorskip("pyarrow.parquet")
    levels = tmp_path / "levels.parquet"
    assert main(["bfs", str(people), "--source", "alice", "--output", str(levels)]) == 0
    table = parquet.read_table(levels).to_pydict()
    assert table == {
        "vertex": NAMES,
        "level": [0, 1, -1, 2],
        "parent": ["alice", "alice", None, 'O"Neil, bob'],
    }


def test_command_line_names_that_are_no_text(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pandas = pytest.importorskip("pandas")
    for names in (
        [date(2020, 1, 1), date(2020, 1, 2)],
        [datetime(2020, 1, 1, 12), datetime(2020, 1, 2)],
        [time(1, 2), time(3, 4)],
        [Decimal(3), Decimal(2)],
        [b"a", b"b"],
        [True, False],
    ):
        path = tmp_path / "days.parquet"
        pandas.DataFrame({"source": names, "target": names[::-1]}).to_parquet(path)
        assert main(["closeness", str(path), "--json"]) == 0
        shown = json.loads(capsys.readouterr().out)["top"][0]["vertex"]
        assert str(shown) == str(names[0])
        assert main(["bfs", str(path), "--source", str(names[0]), "--output", "-"]) == 0
        assert f"{names[1]},1,{names[0]}" in capsys.readouterr().out.split("\n")
        assert main(["bfs", str(path), "--source", "nobody"]) == 1
        assert "no vertex is called 'nobody'" in capsys.readouterr().err


def test_columns_that_are_called_otherwise(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "follows.csv"
    path.write_text("since,follower,followee,likes\n2020,bob,eve,3\n2021,eve,ann,4\n")
    with pytest.raises(exceptions.FormatError, match="columns= says which"):
        sb.read(path)
    A = sb.read(path, columns=("follower", "followee"))
    assert A.dtype == sb.dtypes.BOOL and list(A.labels or ()) == ["bob", "eve", "ann"]
    assert sb.read(path, columns=["follower", "followee", "likes"]).to_coo()[2].tolist() == [3, 4]
    with pytest.raises(exceptions.FormatError, match="each once"):
        sb.read(path, columns=("follower", "friend"))
    for columns in ("ab", ("a",), ("a", "a"), ("a", 1), 7):
        with pytest.raises(exceptions.InvalidValue, match="columns"):
            sb.read(path, columns=columns)  # type: ignore[arg-type]
    with pytest.raises(exceptions.InvalidValue, match=r"columns: 'karate.mtx'"):
        sb.read("examples/data/karate.mtx", columns=("a", "b"))
    assert main(["bfs", str(path), "--source", "bob"]) == 1
    assert "--columns says which" in capsys.readouterr().err
    assert main(["bfs", str(path), "--columns", "followee,follower", "--source", "ann"]) == 0
    assert "depth    2" in capsys.readouterr().out


def test_parquet_refuses_what_it_would_lose(tmp_path: Path) -> None:
    pytest.importorskip("pyarrow")
    path = tmp_path / "lost.parquet"
    make = sb.Matrix.from_coo
    named = make([0], [1], 2.5, nrows=3, ncols=3)
    named.labels = sb.Labels(["a", "b", "c"])
    for A, error, said in (
        (make([0], [1], True, nrows=5, ncols=5), exceptions.InvalidValue, "5 vertices.*being 1"),
        (sb.Matrix(bool, 5, 5), exceptions.InvalidValue, "5 vertices"),
        (make([0], [2], True, nrows=2, ncols=3), exceptions.DimensionMismatch, "2 x 3"),
        (make([0], [1], False, nrows=2, ncols=2), exceptions.DomainMismatch, "stored False"),
        (named, exceptions.InvalidValue, "without edges, as 'c' is"),
    ):
        with pytest.raises(error, match=said):
            sb.write(path, A)
        assert not path.exists()


@pytest.mark.parametrize(
    "where", ["pyarrow.parquet.read_table", "spbfs.objects.constructors.data_frames.columns_of"]
)
def test_a_parquet_file_that_does_not_fit(
    people: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, where: str
) -> None:
    pytest.importorskip("pyarrow.parquet")
    path = tmp_path / "people.parquet"
    sb.write(path, sb.read(people))

    def full(*_: object, **__: object) -> None:
        raise MemoryError("no room for it")

    monkeypatch.setattr(where, full)
    with pytest.raises(exceptions.OutOfMemory, match="no room for it"):
        sb.read(path)


def test_parquet_columns(tmp_path: Path) -> None:
    pytest.importorskip("pyarrow")
    pandas = pytest.importorskip("pandas")
    path = tmp_path / "follows.parquet"
    frame = pandas.DataFrame({"likes": [3], "who": ["bob"], "whom": ["eve"], "since": [2020]})
    frame.to_parquet(path)
    with pytest.raises(exceptions.FormatError, match="columns= says which"):
        sb.read(path)
    assert sb.read(path, columns=("who", "whom", "likes")).to_dicts() == {0: {1: 3}}
    with pytest.raises(exceptions.FormatError, match="have not"):
        sb.read(path, columns=("who", "nobody"))


@pytest.mark.parametrize("name", ["named.csv", "named.tsv.gz", "named.parquet"])
def test_names_are_written(people: Path, tmp_path: Path, name: str) -> None:
    if name.endswith(".parquet"):
        pytest.importorskip("pyarrow")
    A = sb.read(people)
    sb.write(tmp_path / name, A)
    B = sb.read(tmp_path / name)
    assert set(B.labels or ()) == set(NAMES)
    for names in ((u, v) for u in NAMES for v in NAMES):
        at, to = ([M.labels[x] for x in names] for M in (A, B) if M.labels is not None)
        assert A.get(*at) == B.get(*to)


def test_names_that_csv_cannot_hold(tmp_path: Path) -> None:
    A = sb.generate.path(3)
    for names in ([" a", "b", "c"], ["", "b", "c"], ["a\nz", "b", "c"], [1, "1", "c"]):
        A.labels = names
        with pytest.raises(exceptions.InvalidValue, match="CSV cannot hold names"):
            sb.write(tmp_path / "a.csv", A)
    A = sb.Matrix.from_coo([0], [1], True, nrows=3, ncols=3)
    A.labels = ["a", "b", "hermit"]
    with pytest.raises(exceptions.InvalidValue, match="hermit"):
        sb.write(tmp_path / "a.csv", A)
    assert not list(tmp_path.iterdir())


def test_names_between_semicolons(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("source;target\nann;bob, jr.\n")
    A = sb.read(tmp_path / "a.csv")
    assert A.labels is not None and list(A.labels) == ["ann", "bob, jr."]
