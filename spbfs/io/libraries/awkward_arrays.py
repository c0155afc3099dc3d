"""Arrays of Awkward Array: a list of indices and values for each row, column or vector."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from spbfs.base.packages import package
from spbfs.exceptions import DomainMismatch, InvalidValue
from spbfs.io.libraries.operands import as_format, check_operand
from spbfs.objects.matrix import Matrix
from spbfs.objects.operands.vector_operand import VectorOperand
from spbfs.objects.vector import Vector

if TYPE_CHECKING:
    from spbfs.objects.operands.matrix_operand import MatrixOperand

__all__ = ["from_awkward", "to_awkward"]

_FORMATS = {1: ("vec",), 2: ("csr", "csc", "hypercsr", "hypercsc")}
#: What the lines of each format are, as `Matrix` names the methods that take and give them.
_METHODS = {"csr": "csr", "csc": "csc", "hypercsr": "dcsr", "hypercsc": "dcsc"}


def to_awkward(A: MatrixOperand | VectorOperand, format: str | None = None) -> Any:
    """An Awkward Array of the stored entries.

    Parameters
    ----------
    A : Matrix or Vector
    format : {"csr", "csc", "hypercsr", "hypercsc", "vec"}, optional
        A record of ``indices`` and ``values`` for every row or column; the hyper formats leave
        those without entries out and have ``offset_labels``, the others' numbers.  ``"csr"`` for
        a matrix by default; a vector is ``"vec"``.

    Returns
    -------
    awkward.Array
        With the parameters ``format`` and ``shape``.

    Raises
    ------
    DomainMismatch, InvalidValue, PackageMissing
    """
    ak = package("awkward", "to_awkward")
    check_operand(A, "A", 1, 2)
    known = as_format(_FORMATS[A.ndim][0] if format is None else format, _FORMATS[A.ndim])
    if isinstance(A, VectorOperand):
        indices, values = A.to_coo()
        made = ak.zip({"indices": indices, "values": values})
    else:
        *labels, indptr, indices, values = getattr(A, f"to_{_METHODS[known]}")()
        offsets = ak.index.Index64(indptr.astype(np.int64))
        record = ak.contents.RecordArray(
            [ak.contents.NumpyArray(x) for x in (indices.astype(np.int64), values)],
            ["indices", "values"],
        )
        made = ak.Array(ak.contents.ListOffsetArray(offsets, record))
        if labels:
            numbers = ak.contents.NumpyArray(labels[0])
            fields = [made["indices"].layout, made["values"].layout, numbers]
            names = ["indices", "values", "offset_labels"]
            made = ak.Array(ak.contents.RecordArray(fields, names))
    made = ak.with_parameter(made, "format", known)
    return ak.with_parameter(made, "shape", list(A.shape))


def from_awkward(A: Any, *, name: str | None = None) -> Vector | Matrix:
    """A vector or matrix from what `to_awkward` made.

    Parameters
    ----------
    A : awkward.Array
        With ``indices`` and ``values``, and the parameters ``format`` and ``shape``.
    name : str, optional
        Shown by ``repr``.

    Returns
    -------
    Vector or Matrix

    Raises
    ------
    DomainMismatch, InvalidValue, PackageMissing
    """
    ak = package("awkward", "from_awkward")
    if not isinstance(A, ak.Array):
        raise DomainMismatch(f"A: expected an awkward.Array, got {type(A).__name__}")
    parameters = A.layout.parameters
    missing = {"format", "shape"} - parameters.keys()
    if missing:
        raise InvalidValue(f"A: has no parameter {', '.join(sorted(missing))}")
    shape = tuple(parameters["shape"])
    if len(shape) not in _FORMATS:
        raise InvalidValue(f"A: expected a shape of one or two dimensions, got {shape}")
    known = as_format(parameters["format"], _FORMATS[len(shape)])
    if known == "vec":
        indices, values = ak.to_numpy(A["indices"]), ak.to_numpy(A["values"])
        return Vector.from_coo(indices, values, size=shape[0], name=name)
    labels = [ak.to_numpy(A["offset_labels"])] if known.startswith("hyper") else []
    indptr = np.concatenate([[0], np.cumsum(ak.to_numpy(ak.num(A["indices"], axis=1)))])
    indices, values = (ak.to_numpy(ak.flatten(A[x], axis=1)) for x in ("indices", "values"))
    make = getattr(Matrix, f"from_{_METHODS[known]}")
    made: Matrix = make(*labels, indptr, indices, values, nrows=shape[0], ncols=shape[1], name=name)
    return made
