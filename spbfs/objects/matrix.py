"""The sparse matrix."""

from __future__ import annotations

from typing import Any, Literal

import numpy as np

from spbfs.base import tracing
from spbfs.base.memory import typed_refusals
from spbfs.engines.arrays.patterns.labels import from_sorted_entries
from spbfs.engines.arrays.patterns.layout import index_type
from spbfs.exceptions import OutputNotEmpty
from spbfs.objects.assignment import diagonals
from spbfs.objects.checks import as_flag, as_size, check_shape
from spbfs.objects.constructors import compressed, data_frames, libraries, matrices
from spbfs.objects.constructors.entries_to_storage import matrix_of_entries
from spbfs.objects.display.formatting import format_matrix, matrix_html
from spbfs.objects.display.makers import dtype_of_empty
from spbfs.objects.exports import dictionaries
from spbfs.objects.operands.matrix_operand import MatrixOperand
from spbfs.objects.placement.devices import check_device, on_device, placed
from spbfs.objects.placement.memories import entries_lie_in, wanted_memory
from spbfs.objects.placement.residences import BOTH, on_both
from spbfs.objects.placement.sharing import is_sole
from spbfs.objects.stored_object import StoredObject
from spbfs.objects.waiting import as_edits, count_of, drop
from spbfs.operators.dtypes import DType
from spbfs.planner.forms import is_hypersparse
from spbfs.storage.arrays import Device, Memory
from spbfs.storage.data import MatrixData
from spbfs.storage.entries import no_offsets, take

__all__ = ["Matrix"]


class Matrix(StoredObject, MatrixOperand):
    """A sparse matrix of one dtype, stored by rows (CSR).

    Parameters
    ----------
    dtype : dtype-like, optional
        ``bool``, ``int``, ``float``, a NumPy dtype or a name such as ``"INT32"``; FP64 by default.
    nrows, ncols : int, optional
    name : str, optional
        Shown by ``repr``.
    device : {"cpu", "cuda", "reference"}, optional
        Where it lives; without one an empty matrix follows the first operands it meets.

    Examples
    --------
    >>> from spbfs import Matrix
    >>> A = Matrix.from_coo([0, 1, 2], [1, 2, 0], True)
    >>> A.shape, A.nvals, A.dtype
    ((3, 3), 3, BOOL)
    """

    __slots__ = ()

    def __init__(
        self,
        dtype: Any = "FP64",
        nrows: Any = 0,
        ncols: Any = 0,
        *,
        name: str | None = None,
        device: str | None = None,
    ) -> None:
        kind = dtype_of_empty(dtype, "Matrix(float, 3, 3)")
        shape = as_size(nrows, "nrows"), as_size(ncols, "ncols")
        where = "cpu" if device is None else check_device(device)
        super().__init__(_empty(shape, kind, where), kind, where, device is not None, name)

    @property
    def nvals(self) -> int:
        """Number of stored entries."""
        counted = count_of(self) if self._pending else None
        return self._engine.nvals(self._ready()) if counted is None else counted

    from_coo = classmethod(matrices.from_coo)
    from_edgelist = classmethod(matrices.from_edgelist)
    from_scalar = classmethod(matrices.from_scalar)
    from_csr = classmethod(compressed.from_csr)
    from_csc = classmethod(compressed.from_csc)
    from_dcsr = classmethod(compressed.from_dcsr)
    from_dcsc = classmethod(compressed.from_dcsc)
    from_dicts = classmethod(dictionaries.from_dicts)
    from_packed_bits = classmethod(matrices.from_packed_bits)
    from_dense = classmethod(matrices.from_dense)
    from_scipy = classmethod(libraries.from_scipy)
    from_networkx = classmethod(libraries.from_networkx)
    from_pandas_edgelist = classmethod(data_frames.from_pandas_edgelist)
    from_edge_index = classmethod(data_frames.from_edge_index)

    # -- where it is ---------------------------------------------------------------------------
    @property
    def residences(self) -> tuple[str, ...]:
        """The devices on which the matrix is; its operations run on the first, its `device`."""
        on_both = self._on_both and self.device == "cuda"
        return ("cuda", "cpu") if on_both else (self.device,)

    @property
    def memory(self) -> Memory:
        """Where the entries lie: in "host" memory, in a GPU's ("device"), or, of a matrix on the
        GPU, in memory of the host that the GPU reads ("pinned")."""
        return entries_lie_in(self)

    def to(
        self,
        device: Device | Literal["cpu+cuda"],
        memory: Literal["device", "pinned", "auto"] | None = None,
    ) -> Matrix:
        """This matrix on another device, or on both.

        Parameters
        ----------
        device : {"cpu", "cuda", "reference", "cpu+cuda"}
            ``"cpu+cuda"`` makes one matrix with two residences, for `spbfs.bfs` with the strategies
            of either device.  It is a matrix on the GPU, for products and all else, with
            `residences` that say more: `device` is ``"cuda"``, `nbytes` counts both, copies and
            pickles are resident on both, and what changes the matrix changes both.
        memory : {"device", "pinned", "auto"}, optional
            On ``"cuda"``, where columns and values of the entries lie: in the GPU's memory; in
            page-locked memory of the host, where kernels read them over the bus, for graphs larger
            than the GPU's memory; or there only where what is free on the GPU holds neither the
            matrix nor what searches make of it.  Offsets of rows, vectors and workspace are on the
            GPU.  By default the GPU's memory, and where they are of a matrix that is on the GPU.

        Returns
        -------
        Matrix
            The matrix itself when it is there already, else a copy as `dup` makes it.

        Raises
        ------
        BackendUnavailable
            When that engine cannot run here.
        OutOfMemory
            When there is not so much memory, or the host's cannot be page-locked.

        Examples
        --------
        >>> import spbfs as sb
        >>> A = sb.Matrix.from_coo([0, 1], [1, 0], True)
        >>> A.to("reference").device, A.to("cpu") is A, A.residences, A.memory
        ('reference', True, ('cpu',), 'host')
        """
        if not isinstance(device, str) or device != BOTH:
            check_device(device)
        if memory is not None and self._engine.spread is not None:
            return self.to("cpu").to(device, memory)
        wanted = wanted_memory(self, device, memory)
        if device == BOTH:
            if len(self.residences) > 1:
                return self
            made: Matrix = Matrix._from_data(*on_both(self), self.name)
            made._on_both, made.labels = True, self.labels
            return made
        if wanted is None or self.memory == wanted:
            return super().to(device)
        moved: Matrix = Matrix._from_data(self._on(device, wanted), device, self.name)
        moved.labels = self.labels
        return moved

    def __reduce__(self) -> Any:
        function, arguments, added = super().__reduce__()
        kind, host, count, _, *named = arguments
        place: tuple[str, ...] = ()
        if len(self.residences) > 1:
            place = (BOTH,)
        elif self.memory == "pinned":
            place = "cuda", "pinned"
        if not place:
            return function, arguments, added
        return _restored_at, (function, (kind, host, count, "cpu", *named), *place), added

    # -- changing ------------------------------------------------------------------------------
    setdiag = diagonals.setdiag

    def clear(self) -> None:
        """Remove all entries; shape and dtype stay."""
        drop(self, _empty(self.shape, self.dtype, self.device))

    def resize(self, nrows: Any, ncols: Any) -> None:
        """Change the shape; entries beyond it are dropped.

        Parameters
        ----------
        nrows, ncols : int

        Examples
        --------
        >>> from spbfs import Matrix
        >>> A = Matrix.from_coo([0, 1], [1, 0], [5, 3])
        >>> A.resize(1, 4)
        >>> A.shape, A.to_dicts()
        ((1, 4), {0: {1: 5}})
        """
        m, n = as_size(nrows, "nrows"), as_size(ncols, "ncols")
        check_shape(m, n)
        engine, start = self._engine, tracing.clock()
        rows, columns, values = self._entries(engine)
        kept = np.flatnonzero((rows < m) & (columns < n))
        x = take(values, kept)
        self._hold(engine.build_matrix(m, n, rows[kept], columns[kept], x, None))
        if start:
            tracing.finished("resize", engine, start, self._data)

    def build(
        self,
        rows: Any,
        columns: Any,
        values: Any = 1.0,
        *,
        dup_op: Any = None,
        clear: bool = False,
        nrows: Any = None,
        ncols: Any = None,
    ) -> None:
        """Fill an empty matrix as `from_coo` does, its dtype kept.

        Parameters
        ----------
        rows, columns, values, dup_op : optional
            As for `from_coo`.
        clear : bool, optional
            Whether entries that are there may go.
        nrows, ncols : int, optional
            The matrix's own by default.

        Raises
        ------
        OutputNotEmpty
            When there are entries and `clear` is false.

        Examples
        --------
        >>> from spbfs import Matrix
        >>> A = Matrix(float, 2, 2)
        >>> A.build([0, 1], [1, 0], [5, 3])
        >>> A.to_dicts()
        {0: {1: 5.0}, 1: {0: 3.0}}
        """
        if not as_flag(clear, "clear") and self.nvals:
            raise OutputNotEmpty(f"build: the matrix has {self.nvals} entries; give clear=True")
        shape = (
            self.nrows if nrows is None else nrows,
            self.ncols if ncols is None else ncols,
        )
        engine, start = self._engine, tracing.clock()
        self._hold(matrix_of_entries(engine, rows, columns, values, self.dtype, shape, dup_op))
        if start:
            tracing.finished("build", engine, start, self._data)

    @typed_refusals
    def _apply_pending(self) -> None:
        self._edit(*as_edits(self._pending, self.dtype))

    def _edit(self, rows: Any, columns: Any, values: Any, gone: Any) -> None:
        sole = is_sole(self)
        self._data = self._engine.edited(self._data, rows, columns, values, gone, sole)

    def __repr__(self) -> str:
        return format_matrix(self)

    def _repr_html_(self) -> str:
        return matrix_html(self)


def _restored_at(
    restored: Any, arguments: tuple[Any, ...], device: Any, memory: Any = None
) -> Matrix:
    kind, *held = arguments
    made: Matrix = restored(Matrix, *held).to(device, memory)
    if kind is Matrix:
        return made
    own: Matrix = kind._from_data(made._data, made.device, made.name)
    own._on_both, own.labels = made._on_both, made.labels
    return own


def _empty(shape: tuple[int, ...], dtype: DType, device: str) -> Any:
    nrows, ncols = shape
    if is_hypersparse(nrows, ncols, 0):
        none, no_values = (on_device(np.empty(0, t), device) for t in (np.int64, dtype.np_type))
        return placed(from_sorted_entries(nrows, ncols, none, none, no_values), device)
    arrays: list[Any] = [
        no_offsets(nrows),
        np.empty(0, index_type(ncols)),
        np.empty(0, dtype.np_type),
    ]
    if device == "cuda":
        arrays = [on_device(a, device) for a in arrays]
    return placed(MatrixData(nrows, ncols, *arrays), device)
