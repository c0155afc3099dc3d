"""Diagonals that are written over those of a matrix."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from spbfs.base.memory import require_bytes
from spbfs.engines.arrays.patterns.sets import member
from spbfs.exceptions import DimensionMismatch, DomainMismatch, IndexOutOfBound
from spbfs.objects.assignment.assign import as_operand
from spbfs.objects.checks import as_offset, is_scalar
from spbfs.objects.classes import classes
from spbfs.objects.mask import as_mask
from spbfs.objects.placement.gpu_arrays import on_gpu
from spbfs.objects.scalars.arithmetic import ScalarArithmetic

if TYPE_CHECKING:
    from spbfs.objects.matrix import Matrix
    from spbfs.objects.vector import Vector

__all__ = ["setdiag"]


def setdiag(self: Matrix, values: Any, k: Any = 0, *, mask: Any = None, accum: Any = None) -> None:
    """Write a diagonal; the rest of the matrix stays as it is.

    Parameters
    ----------
    values : number, Scalar, Vector or array-like
        As long as the diagonal.  Where a Vector has no entry the diagonal has none afterwards,
        unless `accum` is given.
    k : int, optional
        Above the main diagonal, or below it when negative.
    mask : Mask or what is Boolean, optional
        Of a Vector as long as the diagonal, or of a Matrix of this shape: where it does not admit
        the diagonal stays as it is.
    accum : binary operator or name, optional
        Combines what is there with what is written.

    Raises
    ------
    IndexOutOfBound
        When the matrix has no such diagonal.
    DimensionMismatch, DomainMismatch

    Examples
    --------
    >>> import spbfs as sb
    >>> A = sb.Matrix.from_coo([0, 0, 1], [0, 1, 1], [5, 2, 3])
    >>> A.setdiag(7)
    >>> A.setdiag([4], 1, accum="plus")
    >>> A.to_dicts()
    {0: {0: 7, 1: 6}, 1: {1: 7}}
    """
    offset = as_offset(k, "k")
    nrows, ncols = self.shape
    if (offset < 0 and -offset >= nrows) or (offset > 0 and offset >= ncols):
        raise IndexOutOfBound(f"k: a matrix of shape {self.shape} has no diagonal {offset}")
    length = min(nrows, ncols - offset) if offset >= 0 else min(nrows + offset, ncols)
    # What is there matters to a mask and to an accumulator.
    stays = mask is not None or accum is not None
    diagonal = self.diag(offset) if stays else _blank(self, length)
    if mask is None and is_scalar(values):
        require_bytes(8 * length, f"values: a diagonal of {length:,} numbers")
    written = _as_diagonal(values, diagonal, accum)
    options = {} if mask is None else {"mask": _on_diagonal(mask, self, offset, diagonal)}
    diagonal.update(written, accum=accum, **options)
    if self._engine.keeps_edits:
        _edit_diagonal(self, offset, diagonal)
        return
    new = diagonal.diag(offset)
    if new.shape != self.shape:
        new.resize(nrows, ncols)
    if diagonal.nvals == diagonal.size:
        self(mask=new.S) << new
    else:
        self << self.select("offdiag", offset).ewise_add(new, "second")


def _blank(A: Matrix, length: int) -> Vector:
    made: Vector = classes.Vector(A.dtype, length, device=A.device)
    return made


def _edit_diagonal(A: Matrix, k: int, diagonal: Vector) -> None:
    """Have the entries of a vector, and no others, on a diagonal."""
    engine = A._engine
    at, values = diagonal._entries(engine)
    gone = None
    if at.shape[0] < diagonal.size:
        old = A.diag(k)._entries(engine)[0]
        old = old[~member(np, old, at)]
        places = np.concatenate([at, old])
        order = places.argsort()
        at, gone = places[order], order >= at.shape[0]
        values = np.concatenate([values, np.zeros(old.shape[0], values.dtype)])[order]
    A._ready()
    A._edit(at + max(-k, 0), at + max(k, 0), values, gone)


def _as_diagonal(values: Any, diagonal: Vector, accum: Any) -> Any:
    """What is written over a diagonal, of its size."""
    if is_scalar(values) or isinstance(values, ScalarArithmetic):
        return values
    if not isinstance(values, classes.Operand | list | tuple | np.ndarray) and not on_gpu(values):
        raise DomainMismatch(
            f"values: expected a number, Scalar, Vector or array, got {type(values).__name__}"
        )
    vector = as_operand(values, diagonal, accum)
    if vector.ndim != 1:
        raise DomainMismatch(f"values: expected a vector, got {type(values).__name__}")
    if vector.shape != diagonal.shape:
        raise DimensionMismatch(
            f"values: expected {diagonal.size}, as long as the diagonal, got {vector.shape[0]}"
        )
    return vector


def _on_diagonal(mask: Any, A: Matrix, k: int, diagonal: Vector) -> Any:
    """The mask over a diagonal: a matrix's is that of its own diagonal."""
    mask = as_mask(mask)
    expected = A.shape if mask.parent.ndim == 2 else diagonal.shape
    if mask.parent.shape != expected:
        raise DimensionMismatch(f"mask: expected shape {expected}, got {mask.parent.shape}")
    if mask.parent.ndim == 1:
        return mask
    along = mask.parent.diag(k)
    made = along.S if mask.structural else along.V
    return ~made if mask.complement else made
