"""What prints of transposed views, of large objects with few entries, of what awaits a value."""

from __future__ import annotations

from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest

import spbfs as sb
from spbfs import Matrix, Scalar, Vector, binary, replace

LARGE = 2**40


def test_a_transposed_view_shows_its_own_rows(monkeypatch: pytest.MonkeyPatch) -> None:
    A = Matrix.from_coo([0, 1], [1, 2], [5, 7], nrows=2, ncols=3, name="A")
    monkeypatch.setattr(type(A._engine), "transpose", lambda *_: pytest.fail("computed"))
    head, columns, *rows = repr(A.T).splitlines()
    assert head == "Transpose of Matrix 'A': 3 x 2, 2 stored, INT64, csr, on cpu"
    assert columns.split() == ["0", "1"]
    assert [row.split() for row in rows] == [["0"], ["1", "5"], ["2", "7"]]
    page = ElementTree.fromstring(A.T._repr_html_())
    title = page.find("strong")
    assert title is not None and title.text == "Transpose of Matrix 'A': 3 x 2"
    body = [[c.text or "" for c in row] for row in page.findall("table")[1].findall("tbody/tr")]
    assert body == [["0", "", ""], ["1", "5", ""], ["2", "", "7"]]


def test_the_transpose_of_what_is_delayed_computes_nothing() -> None:
    A = Matrix.from_coo([0, 1], [1, 2], [5, 7], nrows=2, ncols=3)
    view = A.apply("ainv").T
    with sb.trace() as t:
        shown = repr(view), view._repr_html_()
    assert len(t) == 0
    assert all("3 x 2 of MatrixExpression" in text for text in shown)


def entries(x: Any) -> list[list[str]]:
    """The cells of the lines below the head."""
    return [line.split() for line in repr(x).splitlines()[1:]]


def test_a_hypersparse_matrix_shows_what_it_has() -> None:
    A = Matrix.from_coo(
        [0, 5, LARGE // 3], [7**12, LARGE - 1, 0], [1, 2, 3], nrows=LARGE, ncols=LARGE
    )
    header, *rows = entries(A)
    assert header == ["0", str(7**12), str(LARGE - 1)]
    assert rows == [["0", "1"], ["5", "2"], [str(LARGE // 3), "3"]]
    header, *rows = entries(A.T)
    assert header == ["0", "5", str(LARGE // 3)]
    assert [row[0] for row in rows] == ["0", str(7**12), str(LARGE - 1)]


def test_of_many_rows_the_first_and_last_that_hold_entries_show() -> None:
    i = np.arange(50, dtype=np.int64)
    header, *rows = entries(Matrix.from_coo(i**5, i**6, 1, nrows=LARGE, ncols=LARGE))
    assert [row[0] for row in rows] == [
        *(str(k**5) for k in range(6)),
        "...",
        *(str(k**5) for k in range(44, 50)),
    ]
    assert len(header) == 12


def test_where_corners_hold_nothing_entries_show() -> None:
    A = Matrix.from_coo([50, 60], [70, 71], [1, 2], nrows=1000, ncols=1000)
    assert entries(A) == [["70", "71"], ["50", "1"], ["60", "2"]]
    v = Vector.from_coo([50, 60], [8, 9], size=LARGE)
    assert entries(v) == [["50", "60"], ["8", "9"]]
    wide = Matrix.from_coo([0], [LARGE // 2], [4], nrows=1, ncols=LARGE)
    assert entries(wide) == [[str(LARGE // 2)], ["0", "4"]]


def test_corners_show_where_they_hold_entries() -> None:
    header, *rows = entries(sb.generate.grid2d(100, 100))
    assert header[:3] == ["0", "1", "2"] and header[-1] == "9999"
    assert (rows[0][0], rows[6][0], rows[-1][0]) == ("0", "...", "9999")
    empty = Matrix(int, LARGE, LARGE)
    assert entries(empty)[0][0] == "0"


def awaiting() -> dict[str, Any]:
    A, v = Matrix.from_coo([0], [1], [5], nrows=3, ncols=3), Vector(int, 3)
    return {
        "<Vector of 3: C awaits << value>": v(),
        "<Matrix of 3 x 3: C(mask=Mask(structural, Matrix of 3 x 3)) awaits << value>": A(A.S),
        "<Vector of 3: C(accum=binary.plus)[0] awaits << value>": v(binary.plus)[0],
        "<Matrix of 3 x 3: C[1, :](accum=binary.plus) awaits << value>": A[1, :](binary.plus),
        "<Scalar(empty, dtype=INT64): s(accum=binary.plus) awaits << value>": Scalar(int)("plus"),
        "StorageView(Matrix of 3 x 3)": A.ss,
        "Loop(rounds=0, over 1 object)": sb.loop(v),
        "BFSPlan(3 vertices, 0 B of workspace, on cpu)": sb.BFSPlan(A),
    }


@pytest.mark.parametrize("text", awaiting())
def test_what_is_no_value_prints_what_it_is(text: str) -> None:
    assert repr(awaiting()[text]) == text


def test_a_mask_with_replace_is_printed_as_it_was_given() -> None:
    v = Vector(int, 3)
    assert "replace=True" in repr(v(v.S, replace))
