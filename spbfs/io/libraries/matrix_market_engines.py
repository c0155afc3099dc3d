"""Matrix Market files, and open ones, by SciPy's reader or by `fast_matrix_market`'s.

`spbfs.read` and `spbfs.write` are this package's own and read any format by name.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from spbfs.base.packages import package
from spbfs.base.wording import brief
from spbfs.exceptions import FileError, FileMissing, FormatError, InvalidValue, PackageMissing
from spbfs.io.libraries.operands import check_operand
from spbfs.io.libraries.scipy_arrays import to_scipy_sparse
from spbfs.objects.matrix import Matrix

if TYPE_CHECKING:
    from spbfs.objects.operands.matrix_operand import MatrixOperand
    from spbfs.objects.operands.vector_operand import VectorOperand

__all__ = ["mmread", "mmwrite"]

_FAST = ("fmm", "fast_matrix_market")


def _engine(name: Any) -> Any:
    """The module that reads and writes."""
    known = name.lower() if isinstance(name, str) else name
    if known not in ("auto", "scipy", *_FAST):
        raise InvalidValue(
            f"engine: expected 'auto', 'scipy', 'fmm' or 'fast_matrix_market', got {name!r}"
        )
    if known != "scipy":
        try:
            return package("fast_matrix_market", f"engine={name!r}")
        except PackageMissing:
            if known != "auto":
                raise
    return package("scipy.io", "mmread")


def mmread(
    source: Any, engine: str = "auto", *, dup_op: Any = None, name: str | None = None, **kwargs: Any
) -> Matrix:
    """A matrix from a Matrix Market file.

    Parameters
    ----------
    source : str, os.PathLike or file
    engine : {"auto", "scipy", "fmm", "fast_matrix_market"}, optional
        "auto" is ``fast_matrix_market`` where that is installed, else SciPy.
    dup_op : binary operator or name, optional
        Combines entries at equal positions, which are an error without one.
    name : str, optional
        Shown by ``repr``.
    **kwargs
        Of the engine's ``mmread``.

    Returns
    -------
    Matrix

    Raises
    ------
    FormatError
        When the file is malformed.
    FileMissing, FileError, InvalidValue, PackageMissing

    Examples
    --------
    >>> import io
    >>> import spbfs as sb
    >>> text = "%%MatrixMarket matrix coordinate integer general\\n2 2 1\\n1 2 7\\n"
    >>> sb.io.mmread(io.StringIO(text)).to_dicts()
    {0: {1: 7}}
    """
    read = _engine(engine).mmread
    try:
        array = read(source, **kwargs)
    except FileNotFoundError as error:
        raise FileMissing(f"source: there is no file {source!r}") from error
    except OSError as error:
        raise FileError(f"source: {source!r} cannot be read: {brief(error)}") from error
    except (ValueError, OverflowError) as error:
        raise FormatError(f"source: {brief(error)}") from error
    if getattr(array, "format", None) is None:
        return Matrix.from_dense(array, name=name)
    return Matrix.from_scipy(array, dup_op=dup_op, name=name)


def mmwrite(
    target: Any,
    matrix: MatrixOperand | VectorOperand,
    engine: str = "auto",
    *,
    comment: str = "",
    field: str | None = None,
    precision: int | None = None,
    symmetry: str | None = None,
    **kwargs: Any,
) -> None:
    """Write a matrix as a Matrix Market file: as an array where all of it is stored.

    Parameters
    ----------
    target : str, os.PathLike or file
    matrix : Matrix or Vector
        A vector is written as one row.
    engine : {"auto", "scipy", "fmm", "fast_matrix_market"}, optional
        As for `mmread`.
    comment : str, optional
        Written at the top.
    field : {"real", "pattern", "integer"}, optional
    precision : int, optional
        Digits of real values.
    symmetry : {"general", "symmetric", "skew-symmetric"}, optional
    **kwargs
        Of the engine's ``mmwrite``.

    Raises
    ------
    DomainMismatch, FileError, InvalidValue, PackageMissing

    Examples
    --------
    >>> import io
    >>> import spbfs as sb
    >>> out = io.BytesIO()
    >>> sb.io.mmwrite(out, sb.Matrix.from_coo([0], [1], [7]))
    >>> out.getvalue().split()[-3:]
    [b'1', b'2', b'7']
    """
    write = _engine(engine).mmwrite
    check_operand(matrix, "matrix", 1, 2)
    options = {"comment": comment, "field": field, "precision": precision, "symmetry": symmetry}
    try:
        write(target, _written(matrix, field), **options, **kwargs)
    except OSError as error:
        raise FileError(f"target: {target!r} cannot be written: {brief(error)}") from error
    except ValueError as error:
        raise InvalidValue(f"mmwrite: {brief(error)}") from error


def _written(matrix: MatrixOperand | VectorOperand, field: Any) -> Any:
    """What an engine writes: a dense array of a matrix that is full, but for patterns."""
    is_full = matrix.ndim == 2 and matrix.nvals == math.prod(matrix.shape) > 0
    if is_full and not matrix.dtype.is_bool and field != "pattern":
        return matrix.to_dense()
    return to_scipy_sparse(matrix, "coo")
