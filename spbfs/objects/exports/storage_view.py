"""``A.ss``: of python-graphblas's door to SuiteSparse, what is a question about stored entries.

Programs of the dialect ask whether all values are one, walk over entries and take arrays out; there
is nothing of SuiteSparse behind it, and none of its settings.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from spbfs.exceptions import InvalidValue
from spbfs.objects.classes import classes
from spbfs.objects.waiting import as_it_is
from spbfs.storage.arrays import is_iso
from spbfs.storage.packed import PackedMatrix

if TYPE_CHECKING:
    from spbfs.objects.matrix import Matrix
    from spbfs.objects.scalar import Scalar
    from spbfs.objects.vector import Vector

__all__ = ["StorageView"]

#: format -> the method that gives its arrays, and their names.
_EXPORTS = {
    "csr": ("to_csr", ("indptr", "col_indices", "values")),
    "csc": ("to_csc", ("indptr", "row_indices", "values")),
    "hypercsr": ("to_dcsr", ("rows", "indptr", "col_indices", "values")),
    "hypercsc": ("to_dcsc", ("cols", "indptr", "row_indices", "values")),
    "coo": ("to_coo", ("rows", "cols", "values")),
}


class StorageView:
    """How the entries of a Matrix or Vector are stored.

    Examples
    --------
    >>> import spbfs as sb
    >>> A = sb.Matrix.from_coo([0, 7], [1, 0], 5)
    >>> A.ss.is_iso, A.ss.iso_value.value
    (True, 5)
    >>> list(A.ss.iteritems())
    [((0, 1), 5), ((7, 0), 5)]
    >>> A.ss.export("hypercsr")["rows"].tolist()
    [0, 7]
    """

    __slots__ = ("_object",)

    def __init__(self, of: Matrix | Vector) -> None:
        self._object = of

    def __repr__(self) -> str:
        shape = " x ".join(map(str, self._object.shape))
        return f"StorageView({type(self._object).__name__} of {shape})"

    @property
    def is_iso(self) -> bool:
        """Whether all stored values are known to be one, which then is stored once."""
        data = self._object._ready()
        return isinstance(data, PackedMatrix) or is_iso(data.values)

    @property
    def iso_value(self) -> Scalar:
        """The one value that all entries have, as a Scalar.

        Raises
        ------
        InvalidValue
            When values are stored one by one, or there are none.
        """
        stored = as_it_is(self._object)
        if not (stored.ss.is_iso and stored.nvals):
            raise InvalidValue("iso_value: the values are stored one by one; expected .is_iso")
        return classes.Scalar.from_value(next(stored.ss.itervalues()), stored.dtype)

    def iterkeys(self) -> Iterator[Any]:
        """Indices, or rows and columns, of the entries."""
        return iter(self._object)

    def itervalues(self) -> Iterator[Any]:
        """Values of the entries, as Python numbers."""
        return iter(self._object.to_coo()[-1].tolist())

    def iteritems(self) -> Iterator[tuple[Any, Any]]:
        """Pairs of `iterkeys` and `itervalues`."""
        stored = as_it_is(self._object)
        return zip(stored.ss.iterkeys(), stored.ss.itervalues(), strict=True)

    def export(self, format: str | None = None) -> dict[str, Any]:
        """The arrays of a form, copied, by their names.

        Parameters
        ----------
        format : {"csr", "csc", "hypercsr", "hypercsc", "coo"}, optional
            ``"csr"`` by default; a vector is exported as ``"sparse"`` only.

        Returns
        -------
        dict
            ``values`` has one for each entry, even of an iso matrix.
        """
        stored: Any = self._object
        if stored.ndim == 1:
            if format not in (None, "sparse"):
                raise InvalidValue(f"format: expected 'sparse' for a Vector, got {format!r}")
            indices, values = stored.to_coo()
            arrays = {"indices": indices, "values": values, "size": stored.shape[0]}
            return {"format": "sparse", "is_iso": False, **arrays}
        known = "csr" if format is None else format
        if known not in _EXPORTS:
            raise InvalidValue(f"format: expected one of {', '.join(_EXPORTS)}, got {format!r}")
        method, names = _EXPORTS[known]
        arrays = dict(zip(names, getattr(stored, method)(), strict=True))
        shape = {"nrows": stored.shape[0], "ncols": stored.shape[1]}
        return {"format": known, "is_iso": False, **shape, **arrays}
