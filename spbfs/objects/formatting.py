"""How matrices, vectors and expressions print: a head line and a small table, or the line."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from spbfs.storage.data import is_iso
from spbfs.storage.hypersparse import HypersparseMatrix
from spbfs.storage.packed import PackedMatrix

if TYPE_CHECKING:
    from spbfs.objects.expression import Expression
    from spbfs.objects.matrix import Matrix
    from spbfs.objects.vector import Vector

__all__ = ["format_expression", "format_infix", "format_matrix", "format_vector"]

#: Objects up to this many rows and columns print whole; larger ones print their corners.
SHOWN = 12


def _cell(value: Any) -> str:
    if value is None:
        return ""
    return f"{value:.6g}" if isinstance(value, float) else str(value)


def _table(header: list[str], rows: list[list[str]]) -> str:
    widths = [max(len(r[i]) for r in [header, *rows]) for i in range(len(header))]
    lines = [
        "  ".join(c.rjust(w) for c, w in zip(r, widths, strict=True)).rstrip()
        for r in [header, *rows]
    ]
    return "\n".join(lines)


def _shown(size: int) -> list[int]:
    """The positions that are printed: all, or the first and last few."""
    if size <= SHOWN:
        return list(range(size))
    half = SHOWN // 2
    return [*range(half), *range(size - half, size)]


def _labels(positions: list[int], size: int) -> list[str]:
    labels = [str(p) for p in positions]
    if size > SHOWN:
        labels.insert(SHOWN // 2, "...")
    return labels


def _with_gap(cells: list[str], size: int) -> list[str]:
    if size > SHOWN:
        cells.insert(SHOWN // 2, "...")
    return cells


def _head(kind: str, x: Any, shape: str, storage: str) -> str:
    name = f" {x.name!r}" if x.name else ""
    where = "+".join(sorted(getattr(x, "residences", (x.device,))))
    return f"{kind}{name}: {shape}, {x.nvals} stored, {x.dtype}, {storage}, on {where}"


def format_vector(v: Vector) -> str:
    """A head line, then indices above values."""
    data = v._ready()
    storage = data.form + (" (iso)" if is_iso(data.values) and v.nvals else "")
    head = _head("Vector", v, f"size {v.size}", storage)
    if v.size == 0:
        return head
    positions = _shown(v.size)
    part = v[positions].new().to_dict()
    cells = [_cell(part.get(i)) for i in range(len(positions))]
    return f"{head}\n{_table(_labels(positions, v.size), [_with_gap(cells, v.size)])}"


def format_matrix(A: Matrix) -> str:
    """A head line, then the entries in a grid."""
    data = A._ready()
    storage = "csr" + (" (iso)" if is_iso(data.values) and A.nvals else "")
    if isinstance(data, PackedMatrix):
        storage = "packed bits"
    elif isinstance(data, HypersparseMatrix):
        storage = storage.replace("csr", "hypersparse csr")
    head = _head("Matrix", A, f"{A.nrows} x {A.ncols}", storage)
    if A.nrows == 0 or A.ncols == 0:
        return head
    rows, columns = _shown(A.nrows), _shown(A.ncols)
    part = A[rows, columns].new().to_dicts()
    body = [
        [label, *_with_gap([_cell(part.get(i, {}).get(j)) for j in range(len(columns))], A.ncols)]
        for i, label in zip(range(len(rows)), [str(r) for r in rows], strict=True)
    ]
    if A.nrows > SHOWN:
        width = len(columns) + 1 + (A.ncols > SHOWN)
        body.insert(SHOWN // 2, ["..."] * width)
    return f"{head}\n{_table(['', *_labels(columns, A.ncols)], body)}"


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
