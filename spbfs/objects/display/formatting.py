"""How matrices, vectors and expressions print: a head line and a small table, or the line."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from spbfs.base.html import facts_and_table, size
from spbfs.objects.display.places import SHOWN, Part, corners, line_of_vector, part_of_matrix
from spbfs.storage.data import is_iso
from spbfs.storage.hypersparse import HypersparseMatrix
from spbfs.storage.packed import PackedMatrix

if TYPE_CHECKING:
    from spbfs.objects.labels import Labels
    from spbfs.objects.matrix import Matrix
    from spbfs.objects.operands.expression import Expression
    from spbfs.objects.operands.transposed import TransposedMatrix
    from spbfs.objects.vector import Vector

__all__ = [
    "format_expression",
    "format_infix",
    "format_matrix",
    "format_result",
    "format_transposed",
    "format_vector",
    "matrix_html",
    "path_of_names",
    "result_html",
    "transposed_html",
    "vector_html",
]

_TRANSPOSED = "Transpose of Matrix"
#: Characters of a vertex's name.
LONGEST = 12


def _cell(value: Any, labels: Labels | None = None) -> str:
    if value is None:
        return ""
    if labels is not None and 0 <= value < len(labels):
        return _cut(str(labels.names([value])[0]))
    return f"{value:.6g}" if isinstance(value, float) else str(value)


def _table(header: list[str], rows: list[list[str]]) -> str:
    widths = [max(len(r[i]) for r in [header, *rows]) for i in range(len(header))]
    lines = [
        "  ".join(c.rjust(w) for c, w in zip(r, widths, strict=True)).rstrip()
        for r in [header, *rows]
    ]
    return "\n".join(lines)


def _names(positions: list[int], x: Any) -> list[str]:
    """What stands at positions: names, the long ones cut, or numbers."""
    if x.labels is None:
        return [str(p) for p in positions]
    return [_cut(str(name)) for name in x.labels.names(positions)]


def _cut(name: str) -> str:
    return name if len(name) <= LONGEST else f"{name[: LONGEST - 1]}…"


def _with_gap(cells: list[str], cut: bool) -> list[str]:
    if cut:
        cells.insert(SHOWN // 2, "...")
    return cells


def _name(kind: str, x: Any) -> str:
    return f"{kind} {x.name!r}" if x.name else kind


def _where(x: Any) -> str:
    where = "+".join(sorted(getattr(x, "residences", (x.device,))))
    return where + (" (pinned)" if getattr(x, "memory", None) == "pinned" else "")


def _head(kind: str, x: Any, shape: str, storage: str) -> str:
    return f"{_name(kind, x)}: {shape}, {x.nvals} stored, {x.dtype}, {storage}, on {_where(x)}"


def _html(
    kind: str, x: Any, shape: str, storage: str, header: list[str], rows: list[list[str]]
) -> str:
    facts = [
        ("stored", f"{x.nvals:,}"),
        ("dtype", str(x.dtype)),
        ("format", storage),
        ("device", _where(x)),
        ("bytes", size(x.nbytes)),
    ]
    return facts_and_table(f"{_name(kind, x)}: {shape}", facts, header, rows)


def _vector_storage(v: Vector) -> str:
    data = v._ready()
    return data.form + (" (iso)" if is_iso(data.values) and v.nvals else "")


def _vector_cells(v: Vector) -> tuple[list[str], list[str]]:
    """The indices that are shown, and the values below them."""
    positions, cut, part = line_of_vector(v)
    cells = [_cell(part.get(i), v.value_labels) for i in range(len(positions))]
    return _with_gap(_names(positions, v), cut), _with_gap(cells, cut)


def _spread_head(x: Any) -> str | None:
    """All that is shown of an object over ranks: to count its entries all of them are needed."""
    if x._engine.spread is None:
        return None
    kind, shape = type(x).__name__, " x ".join(map(str, x.shape))
    by = x._engine.spread.exchange
    where = f"{x.device}, exchanging {by}" if by else x.device
    return f"{_name(kind, x)}: {shape}, {x.dtype}, {size(x.nbytes)} here, on {where}"


def format_vector(v: Vector) -> str:
    """A head line, then indices above values."""
    spread = _spread_head(v)
    if spread is not None:
        return spread
    head = _head("Vector", v, f"size {v.size}", _vector_storage(v))
    if v.size == 0:
        return head
    labels, cells = _vector_cells(v)
    return f"{head}\n{_table(labels, [cells])}"


def vector_html(v: Vector) -> str:
    """For notebooks, what `format_vector` shows, and the bytes."""
    spread = _spread_head(v)
    if spread is not None:
        return facts_and_table(spread, [])
    labels, cells = _vector_cells(v)
    rows = [["value", *cells]] if cells else []
    return _html("Vector", v, f"size {v.size:,}", _vector_storage(v), ["index", *labels], rows)


def _matrix_storage(A: Matrix) -> str:
    data = A._ready()
    if isinstance(data, PackedMatrix):
        return "packed bits"
    layout = "hypersparse csr" if isinstance(data, HypersparseMatrix) else "csr"
    return layout + (" (iso)" if is_iso(data.values) and A.nvals else "")


def _matrix_cells(part: Part, A: Any) -> tuple[list[str], list[list[str]]]:
    """The columns that are shown, and the rows, each behind its label."""
    rows, columns, rows_cut, columns_cut, values = part
    if not rows or not columns:
        return [], []
    body = []
    for i, label in enumerate(_names(rows, A)):
        cells = [_cell(values.get((i, j))) for j in range(len(columns))]
        body.append([label, *_with_gap(cells, columns_cut)])
    labels = _with_gap(_names(columns, A), columns_cut)
    if rows_cut:
        body.insert(SHOWN // 2, ["..."] * (len(labels) + 1))
    return labels, body


def _matrix_text(kind: str, A: Matrix, shape: tuple[int, ...], part: Part) -> str:
    head = _head(kind, A, f"{shape[0]} x {shape[1]}", _matrix_storage(A))
    labels, body = _matrix_cells(part, A)
    return f"{head}\n{_table(['', *labels], body)}" if body else head


def _matrix_page(kind: str, A: Matrix, shape: tuple[int, ...], part: Part) -> str:
    labels, body = _matrix_cells(part, A)
    size = f"{shape[0]:,} x {shape[1]:,}"
    return _html(kind, A, size, _matrix_storage(A), ["", *labels], body)


def format_matrix(A: Matrix) -> str:
    """A head line, then the entries in a grid."""
    spread = _spread_head(A)
    return _matrix_text("Matrix", A, A.shape, part_of_matrix(A)) if spread is None else spread


def matrix_html(A: Matrix) -> str:
    """For notebooks, what `format_matrix` shows, and the bytes."""
    spread = _spread_head(A)
    if spread is not None:
        return facts_and_table(spread, [])
    return _matrix_page("Matrix", A, A.shape, part_of_matrix(A))


def format_transposed(view: TransposedMatrix) -> str:
    """The same of a transposed view, without a transpose; of a delayed matrix what that is."""
    A = view._matrix
    if A._data is None or A._engine.spread is not None:
        return f"TransposedMatrix({_transposed_shape(view)} of {A!r})"
    return _matrix_text(_TRANSPOSED, A, view.shape, part_of_matrix(A).turned())


def transposed_html(view: TransposedMatrix) -> str:
    """For notebooks, what `format_transposed` shows, and the bytes of the matrix."""
    A = view._matrix
    if A._data is None or A._engine.spread is not None:
        return facts_and_table(format_transposed(view), [])
    return _matrix_page(_TRANSPOSED, A, view.shape, part_of_matrix(A).turned())


def _transposed_shape(view: TransposedMatrix) -> str:
    return " x ".join(map(str, view.shape))


def result_html(title: str, facts: list[tuple[str, str]], parts: dict[str, Any]) -> str:
    """For notebooks: what a result says, and of each matrix, vector and array in it what it is."""
    header = ["", "shape", "stored", "dtype", "format", "device", "bytes"]
    rows = [[name, *_part(x)] for name, x in parts.items()]
    return facts_and_table(title, facts, header, rows)


def _part(x: Any) -> list[str]:
    shape, nbytes = " x ".join(f"{side:,}" for side in x.shape), size(x.nbytes)
    if not hasattr(x, "_engine"):
        where = "cuda" if hasattr(x, "__cuda_array_interface__") else "cpu"
        return [shape, f"{x.size:,}", str(x.dtype), "array", where, nbytes]
    if x._engine.spread is not None:  # to count its entries all ranks are needed
        return [shape, "", str(x.dtype), "", x.device, f"{nbytes} here"]
    storage = _vector_storage(x) if x.ndim == 1 else _matrix_storage(x)
    return [shape, f"{x.nvals:,}", str(x.dtype), storage, _where(x), nbytes]


def format_result(result: Any) -> str:
    """A result of several parts: what vectors, matrices and long arrays in it are."""
    parts = (f"{name}={_said(value)}" for name, value in result._asdict().items())
    return f"{type(result).__name__}({', '.join(parts)})"


def _said(x: Any) -> str:
    if not hasattr(x, "shape") or (not hasattr(x, "_engine") and x.shape[0] <= SHOWN):
        return f"{x:.6g}" if type(x) is float else repr(x)
    shape = " x ".join(f"{side:,}" for side in x.shape)
    return f"<{type(x).__name__} {shape}, {x.dtype}>"


def path_of_names(vertices: Any) -> str:
    """Vertices along a path, of a long one the first and last few."""
    shown = [_cut(str(vertices[at])) for at in corners(len(vertices))]
    return " → ".join(_with_gap(shown, len(vertices) > SHOWN))


def format_expression(expression: Expression) -> str:
    """What would be computed, of which shape and type."""
    kind, size = type(expression).__name__, " x ".join(map(str, expression.shape))
    return f"{kind}({expression.operation}, {size}, dtype={expression.dtype}; .new() computes)"


def format_infix(expression: Any) -> str:
    """The two operands by kind and shape, and what may be done with them."""
    kind, symbol = type(expression).__name__, expression.symbol
    left, right = (
        " x ".join(map(str, x.shape)) or str(x.dtype) for x in (expression.left, expression.right)
    )
    what = "a semiring" if symbol == "@" else "an operator"
    return f"{kind}({left} {symbol} {right}; call {what} on it, or .new())"
