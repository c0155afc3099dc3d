"""What `Matrix` and `Vector` share: owning storage, being written to, moving between devices."""

from __future__ import annotations

import operator
from contextlib import nullcontext
from typing import TYPE_CHECKING, Any, Literal

from spbfs.base import tracing
from spbfs.base.pickling import added_to
from spbfs.engines import get_engine
from spbfs.exceptions import DimensionMismatch
from spbfs.objects.assignment.assign import element_value
from spbfs.objects.assignment.statement import IndexedOutput, Updater, with_options
from spbfs.objects.classes import classes
from spbfs.objects.display.elsewhere import written_here
from spbfs.objects.exports.storage_view import StorageView
from spbfs.objects.indexing import resolve
from spbfs.objects.labels import Labels
from spbfs.objects.mask import Mask, StructuralMask, ValueMask
from spbfs.objects.operands.operand import Operand
from spbfs.objects.placement.devices import DEVICES, check_device, transfer
from spbfs.objects.placement.memories import check_memory
from spbfs.objects.placement.parts import check_takes_elements, gather, local
from spbfs.objects.placement.sharing import unshare_flags
from spbfs.objects.scalar import Scalar
from spbfs.objects.symbols.in_place import accumulated, iand, imatmul, in_place
from spbfs.objects.waiting import WAITING, drop, set_element
from spbfs.operators.dtypes import DType, lookup_dtype
from spbfs.storage.arrays import Device, Memory
from spbfs.storage.data import is_iso, iso_array
from spbfs.storage.packed import PackedMatrix

__all__ = ["StoredObject"]

_new = object.__new__


class StoredObject(Operand):
    """An object that owns its storage.

    What is written into few places waits in `_pending` and is applied at once when the storage is
    next needed, so that a loop of ``v[i] = x`` costs one update.
    """

    __slots__ = (
        "_bound",
        "_data",
        "_labels",
        "_on_both",
        "_pending",
        "_value_labels",
        "device",
        "dtype",
        "name",
        "shape",
    )

    _updater = Updater

    def __init__(  # the subclasses' own take what a user gives
        self, data: Any, dtype: DType, device: Device, bound: bool, name: str | None
    ) -> None:
        self._data = data
        #: As the storage has it: asked for too often to be worked out every time.
        self.shape = data.shape
        self.dtype = dtype
        self.device = device
        self._bound = bound
        self.name = name
        # All objects are asked for these three: one that had no such attribute would look for names
        # like it.
        self._labels: Labels | None = None
        self._value_labels: Labels | None = None
        #: Whether it is a matrix that is in host memory as well as on the GPU.
        self._on_both = False
        #: See `waiting`.
        self._pending: dict[Any, Any] = {}

    if not TYPE_CHECKING:  # to which any attribute would be one, otherwise

        def __getattr__(self, name: str) -> Any:
            message = f"{type(self).__name__!r} object has no attribute {name!r}"
            hint = written_here(name, self.ndim)
            raise AttributeError(message + hint, name=name, obj=self)

    @classmethod
    def _from_data(cls, data: Any, device: Any = "cpu", name: str | None = None) -> Any:
        """An object around storage that nothing else holds."""
        out = cls.__new__(cls)
        StoredObject.__init__(out, data, lookup_dtype(data.dtype), device, True, name)
        return out

    # -- storage -------------------------------------------------------------------------------
    def _ready(self) -> Any:
        if self._pending:
            # Reading applies them, and several threads may read while one writes elements.
            with WAITING:
                if self._pending:
                    start = tracing.clock()
                    self._apply_pending()
                    self._pending = {}
                    if start:
                        tracing.finished("assign elements", self._engine, start, self._data)
        return self._data

    def _writable(self) -> Any:
        """The storage for an operation that may write into it."""
        data = self._ready() if self._pending else self._data
        if self.device != "cuda" and getattr(data, "present", None) is not None:
            unshare_flags(data)
        return data

    def _apply_pending(self) -> None:
        raise NotImplementedError

    def _hold(self, data: Any) -> None:
        """Own storage of another shape or type, that nothing else holds."""
        drop(self, data)
        self._labels = self._value_labels = None
        self.shape, self.dtype = data.shape, lookup_dtype(data.dtype)

    def _move(self, device: Device) -> None:
        if device == self.device:
            return
        # Ranks wait for one another in it, also those that are threads here.
        with WAITING if device in DEVICES else nullcontext():
            data = self._on(device)
            self._data, self.device, self._bound = data, device, True

    def _on(self, device: Device, memory: Memory | None = None) -> Any:
        """The storage on another device, or in memory of another kind."""
        data, start = self._ready(), tracing.clock()
        moved = transfer(data, self._engine, device, memory)
        if start:
            tracing.finished(f"to {device}", get_engine(device), start, moved)
        return moved

    def to(self, device: Device, memory: Literal["device", "pinned", "auto"] | None = None) -> Any:
        """This object on another device.

        Parameters
        ----------
        device : {"cpu", "cuda", "reference"}
            Or that of a matrix over ranks: all of them give the same whole, and keep their parts.
        memory : {"device", "auto"}, optional
            On ``"cuda"``; of a vector either is the GPU's memory, as only entries of matrices can
            be pinned.

        Returns
        -------
        Matrix or Vector
            The object itself when it is there already, else a copy as `dup` makes it.

        Raises
        ------
        BackendUnavailable
            When that engine cannot run here.
        InvalidValue
            When `memory` is another, or ranks give objects that differ.

        Examples
        --------
        >>> import spbfs as sb
        >>> v = sb.Vector.from_dense([1, 2])
        >>> v.to("reference").device, v.to("cpu") is v
        ('reference', True)
        """
        check_device(device)
        if memory is not None:
            check_memory(device, memory, "a vector")
        if device == self.device:
            self._bound = True
            return self
        moved = _plain(self)._from_data(self._on(device), device, self.name)
        moved._labels, moved._value_labels = self.labels, self.value_labels
        return moved

    local = property(local)
    gather = gather

    @property
    def labels(self) -> Labels | None:
        """What the vertices are called, or None where they go by number; names may be assigned.

        Algorithms over a matrix with labels take vertices by their names, and give the labels on to
        what they return, as operations do that leave vertices in their places.
        """
        return self._labels

    @labels.setter
    def labels(self, labels: Any) -> None:
        if labels is not None:
            labels = labels if isinstance(labels, Labels) else Labels(labels)
            if set(self.shape) != {len(labels)}:
                raise DimensionMismatch(
                    f"labels: expected one a row and column, got {len(labels)} for {self.shape}"
                )
        self._labels = labels

    @property
    def nbytes(self) -> int:
        """Bytes held, cached transposes, layouts and plans included."""
        return int(self._ready().nbytes)

    def __reduce__(self) -> Any:
        # Arrays only: caches are made again, and another process may lack the device.
        host = transfer(self._ready(), self._engine, "reference")
        packed = isinstance(host, PackedMatrix)
        count = host.values.shape[0] if not packed and is_iso(host.values) else None
        if count is not None:
            host.values = host.values[:1].copy()
        held = type(self), host, count, self.device, self.name, self.labels, self.value_labels
        return _restored, held, self.__getstate__()

    def __getstate__(self) -> Any:
        return added_to(self, _plain(self))

    @property
    def ss(self) -> StorageView:
        """How the entries are stored, for programs that ask as python-graphblas's do."""
        return StorageView(self)  # type: ignore[arg-type]  # is one or the other

    # -- masks and writing ---------------------------------------------------------------------
    @property
    def S(self) -> Mask:
        """The structural mask: admits where an entry is stored; ``~C.S`` is its complement."""
        made = _new(StructuralMask)  # as masks do: a level of a search asks for it twice
        made.parent = self
        return made

    @property
    def V(self) -> Mask:
        """The valued mask: admits where a true value is stored; ``~C.V`` is its complement."""
        return ValueMask(self)

    __call__ = with_options

    def __lshift__(self, value: Any) -> None:
        self() << value

    def update(
        self,
        value: Any,
        *,
        mask: Any = None,
        accum: Any = None,
        replace: bool = False,
        **hints: Any,
    ) -> None:
        """``C(mask=..., accum=..., replace=...) << value`` as a call.

        Parameters
        ----------
        value : expression, Matrix, Vector, array or scalar
        mask : Mask or ndarray of bool, optional
        accum : binary operator or name, optional
        replace : bool, optional
            Whether entries that the mask does not admit are deleted.
        **hints
            ``direction`` ({"auto", "push", "pull"}) and ``threads`` (int).

        Examples
        --------
        >>> import spbfs as sb
        >>> v = sb.Vector.from_dense([1, 0, 2])
        >>> v.update(10, mask=v.V, accum="plus")
        >>> v.to_dict()
        {0: 11, 1: 0, 2: 12}
        """
        self(mask=mask, accum=accum, replace=replace, **hints) << value

    def __setitem__(self, key: Any, value: Any) -> None:
        indices = resolve(key, self.shape, self.device)
        if all(i.is_int for i in indices):
            check_takes_elements(self)
            set_element(self, indices, element_value(value, self.dtype))
            self._value_labels = None
            return
        IndexedOutput(self, indices).update(value)

    def __delitem__(self, key: Any) -> None:
        indices = resolve(key, self.shape, self.device)
        if all(i.is_int for i in indices):
            check_takes_elements(self)
            set_element(self, indices, None)
            return
        IndexedOutput(self, indices).update(Scalar(self.dtype))

    __iadd__ = accumulated("plus", "+=")
    __isub__ = in_place(operator.sub)
    __imul__ = in_place(operator.mul)
    __itruediv__ = in_place(operator.truediv)
    __ifloordiv__ = in_place(operator.floordiv)
    __imod__ = in_place(operator.mod)
    __ipow__ = in_place(operator.pow)
    __imatmul__ = imatmul
    __ixor__ = accumulated("lxor", "^=")
    __ior__ = accumulated("lor", "|=")
    __iand__ = iand


def _plain(x: StoredObject) -> Any:
    """The class of ours that an object of a subclass is of."""
    return classes.Vector if x.ndim == 1 else classes.Matrix


def _restored(
    kind: Any,
    host: Any,
    count: int | None,
    device: str,
    name: str | None,
    labels: Labels | None = None,
    value_labels: Labels | None = None,
) -> Any:
    """What `pickle` makes of an object: on its device, or an error where that cannot run."""
    if count is not None:
        host.values = iso_array(host.values, count)
    data = host if device == "reference" else transfer(host, get_engine("reference"), device)
    made = kind._from_data(data, check_device(device), name)
    made.labels, made._value_labels = labels, value_labels
    return made
