"""Names of vertices in CSV and TSV: what is written is read, and no edge is lost on the way."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

import spbfs as sb
from spbfs.exceptions import FormatError, InvalidValue

PIECES = [
    "a",
    "1",
    "07",
    *"\"'#%,; \t\r\n+-\\é١²\0",
    "\ufeff",
    "\u2028",
    "nan",
    "source",
    "%%Matrix",
]
EXTENSIONS = ("csv", "tsv", "csv.gz")


def ring(names: list[str]) -> sb.Matrix:
    """Every name's edge leads to the next."""
    n = len(names)
    A = sb.Matrix.from_coo(range(n), [*range(1, n), 0], range(5, 5 + n), nrows=n, ncols=n)
    A.labels = sb.Labels(names)
    return A


def edges(A: sb.Matrix) -> set[tuple[str, str, int]]:
    names = list(A.labels or range(A.nrows))
    return {
        (str(names[i]), str(names[j]), w)
        for i, j, w in zip(*(x.tolist() for x in A.to_coo()), strict=True)
    }


@pytest.mark.parametrize("extension", EXTENSIONS)
def test_any_names_are_read_or_refused(tmp_path: Path, extension: str) -> None:
    path, kept = tmp_path / f"a.{extension}", 0
    for seed in range(120):
        rng, names = random.Random(seed), set()
        while len(names) < 3:
            names.add("".join(rng.choices(PIECES, k=rng.randint(1, 3))))
        A = ring(sorted(names, key=lambda name: rng.random()))
        try:
            sb.write(path, A)
        except InvalidValue as error:
            assert "CSV cannot hold names" in str(error)
            continue
        kept += 1
        assert edges(sb.read(path)) == edges(A), names
    assert kept > 15


@pytest.mark.parametrize("extension", EXTENSIONS)
@pytest.mark.parametrize(
    "names",
    [
        ["ann", "#py", "%x"],
        ["#py", "ann", "bob"],
        ["1", "2", "ann"],
        ["1", "+2", "#3"],
        ["²", "1", "2"],
        ["a\rb", "b", "c"],
    ],
)
def test_names_that_look_like_others(tmp_path: Path, extension: str, names: list[str]) -> None:
    path = tmp_path / f"a.{extension}"
    A = ring(names)
    sb.write(path, A)
    assert edges(sb.read(path)) == edges(A)


def test_numbers_are_written_in_one_way(tmp_path: Path) -> None:
    for names in (["071", "71", "2"], ["+1", "2", "3"], ["-1", "2", "3"]):
        with pytest.raises(InvalidValue, match="a sign or a 0 before it"):
            sb.write(tmp_path / "a.csv", ring(names))
    sb.write(tmp_path / "a.csv", ring(["7", "10", "0"]))
    A, ids = sb.read(tmp_path / "a.csv", compact=True)
    A.labels = ids
    assert edges(A) == edges(ring(["7", "10", "0"]))


@pytest.mark.parametrize(
    "lines",
    ["#py,#rust\n", "ann,bob\n#py,#rust\n", "#py,#rust\nann,bob\n", "ann,bob\n% see, below\n"],
)
def test_a_comment_that_may_be_an_edge_is_refused(tmp_path: Path, lines: str) -> None:
    path = tmp_path / "a.csv"
    path.write_text(f"source,target\n{lines}")
    with pytest.raises(FormatError, match=r"line \d: .* may be a comment or an edge"):
        sb.read(path)


def test_comments_that_are_none_but_that(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_text("# a, b\nsource,target\n# hello\nann,bob\n  # a, b, c\n%\nbob,cid\n")
    assert sb.read(path).nvals == 2
    path.write_text("source,target\n#1,2\n3,4\n#5,6\n")
    assert sb.read(path).nvals == 1


def test_lines_between_quotes_are_no_comments(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_text(
        'source,target,text\nann,bob,"so\n# b, c"\nbob,cid,"x\n#, y, z\n\n"\ncid,ann,\n'
    )
    assert list(sb.read(path, weights=False).labels or ()) == ["ann", "bob", "cid"]
    path.write_text('source,target\nann,bob\n"a\nb","a\n\nb"\nab,ann\n')
    assert set(sb.read(path).labels or ()) == {"ann", "bob", "ab", "a\nb", "a\n\nb"}
