"""What `Matrix` and `Vector` share: owning storage, being written to, moving between devices."""

from __future__ import annotations

from threading import RLock
from typing import Any

import numpy as np

from spbfs.base.memory import typed_refusals
from spbfs.exceptions import InvalidValue
from spbfs.objects.assign import Output, element_value
from spbfs.objects.gpu_arrays import on_gpu
from spbfs.objects.indexing import resolve
from spbfs.objects.inplace import InPlace
from spbfs.objects.mask import Mask, mask_of
from spbfs.objects.operand import Operand
from spbfs.objects.region import Region
from spbfs.operators.builtin import BINARY
from spbfs.operators.definitions import TypedBinary
from spbfs.operators.dtypes import BOOL, DType, lookup_dtype
from spbfs.storage.data import MatrixData, VectorData, is_iso, iso_array
from spbfs.storage.derived import carry_over
from spbfs.storage.packed import PackedMatrix

__all__ = ["DEVICES", "Stored", "check_device", "device_for"]

#: Held while waiting elements are applied.
_APPLYING = RLock()

DEVICES = ("cpu", "cuda", "reference")


def check_device(device: Any) -> str:
    """A device name that exists and can run here."""
    from spbfs.engines import get_engine

    if device not in DEVICES:
        raise InvalidValue(f"device: expected one of {', '.join(DEVICES)}, got {device!r}")
    get_engine(device)
    return str(device)


def device_for(device: Any, *arrays: Any) -> str:
    """The device of what is made of these arguments: that asked for, else where arrays are."""
    if device is None:
        return check_device("cuda") if any(map(on_gpu, arrays)) else "cpu"
    return check_device(device)


class Stored(InPlace, Output, Operand):
    """An object that owns its storage.

    Single elements that are set or deleted wait in `_pending` and are applied together when the
    storage is next needed, so that a loop of ``v[i] = x`` costs one update.
    """

    __slots__ = ("_bound", "_data", "_pending", "device", "dtype", "name", "shape")

    def __init__(  # the subclasses' own take what a user gives
        self, data: Any, dtype: DType, device: str, bound: bool, name: str | None
    ) -> None:
        self._data = data
        #: As the storage has it: asked for too often to be worked out every time.
        self.shape = data.shape
        self.dtype = dtype
        self.device = device
        self._bound = bound
        self.name = name
        #: index or (row, column) -> value, or None for a deletion
        self._pending: dict[Any, Any] = {}

    @classmethod
    def _from_data(cls, data: Any, device: str = "cpu", name: str | None = None) -> Any:
        """An object around storage that nothing else holds."""
        out = cls.__new__(cls)
        Stored.__init__(out, data, lookup_dtype(data.dtype), device, True, name)
        return out

    # -- storage -------------------------------------------------------------------------------
    def _ready(self) -> Any:
        if self._pending:
            # Reading applies them, and several threads may read.
            with _APPLYING:
                if self._pending:
                    self._apply_pending()
        return self._data

    def _writable(self) -> Any:
        """The storage for an operation that may write into it."""
        data = self._ready() if self._pending else self._data
        if self.device != "cuda":
            _unshare_flags(data)
        return data

    @typed_refusals
    def _apply_pending(self) -> None:
        pending = self._pending
        engine, data = self._engine, self._data
        _unshare_flags(data)
        deleted = [k for k, x in pending.items() if x is None]
        if deleted:
            from spbfs.engines.protocol import MaskData

            gone = self._build(engine, deleted, np.ones(len(deleted), bool), BOOL)
            data = engine.write(data, data, MaskData(gone, True, True), None, True)
        stored = {k: x for k, x in pending.items() if x is not None}
        if stored:
            values = np.array(list(stored.values()), self.dtype.np_type)
            new = self._build(engine, list(stored), values, self.dtype)
            if isinstance(data, VectorData) and data.indices is not None and not data.indices.size:
                data = new
            else:
                second = TypedBinary(BINARY["second"], self.dtype, self.dtype)
                data = engine.ewise_add(data, new, second)
        self._data = data
        self._pending = {}

    def _build(self, engine: Any, keys: list[Any], values: Any, dtype: DType) -> Any:
        raise NotImplementedError

    def _keep(self, data: Any) -> None:
        """Own storage that an operation on this very object returned."""
        self._data = data

    def _hold(self, data: Any) -> None:
        """Own storage of another shape or type, that nothing else holds."""
        self._data = data
        self._pending = {}
        self.shape, self.dtype = data.shape, lookup_dtype(data.values.dtype)

    def _take(self, data: Any, source: Operand) -> None:
        """Own the result of an operation, copied where it shares arrays with an operand.

        Vectors are written in place, so two of them must not hold one array; matrices are not.
        """
        if isinstance(data, VectorData) and data is not self._data and _shares(data, source, self):
            data = self._engine.copy(data)
        self._data = data
        self._pending = {}

    def _move(self, device: str) -> None:
        if device == self.device:
            return
        data = _transfer(self._ready(), self._engine, device)
        self._data, self.device, self._bound = data, device, True

    def to(self, device: str) -> Any:
        """This object on another device.

        Parameters
        ----------
        device : {"cpu", "cuda", "reference"}

        Returns
        -------
        Matrix or Vector
            The object itself when it is there already, else a copy.

        Raises
        ------
        BackendUnavailable
            When that engine cannot run here.

        Examples
        --------
        >>> import spbfs as sb
        >>> v = sb.Vector.from_dense([1, 2])
        >>> v.to("reference").device, v.to("cpu") is v
        ('reference', True)
        """
        check_device(device)
        if device == self.device:
            self._bound = True
            return self
        return self._from_data(_transfer(self._ready(), self._engine, device), device, self.name)

    @property
    def nbytes(self) -> int:
        """Bytes held, cached transposes, layouts and plans included."""
        return int(self._ready().nbytes)

    def __reduce__(self) -> Any:
        # Arrays only: caches are made again, and another process may lack the device.
        host = _transfer(self._ready(), self._engine, "reference")
        packed = isinstance(host, PackedMatrix)
        count = host.values.shape[0] if not packed and is_iso(host.values) else None
        if count is not None:
            host.values = host.values[:1].copy()
        return _restored, (type(self), host, count, self.device, self.name)

    def dup(self, dtype: Any = None, *, mask: Any = None, name: str | None = None) -> Any:
        """A copy that shares nothing, perhaps of another dtype, perhaps only where a mask admits.

        Parameters
        ----------
        dtype : dtype-like, optional
            The object's own by default.
        mask : Mask or ndarray of bool, optional
        name : str, optional
            Shown by ``repr``.

        Returns
        -------
        Matrix or Vector

        Examples
        --------
        >>> import spbfs as sb
        >>> v = sb.Vector.from_dense([1, 0, 2])
        >>> v.dup(float, mask=v.V).to_dict()
        {0: 1.0, 2: 2.0}
        """
        kind = self.dtype if dtype is None else dtype
        make: Any = type(self)
        out = make(kind, *self.shape, name=name, device=self.device)
        out._bound = self._bound
        options = {} if mask is None else {"mask": mask}
        out.update(self, **options)
        return out

    new = dup

    # -- masks and writing ---------------------------------------------------------------------
    @property
    def S(self) -> Mask:
        """The structural mask: admits where an entry is stored; ``~C.S`` is its complement."""
        made = Mask()  # as `mask_of` does: a level of a search asks for it twice
        made.parent = self
        made.structural = True
        made.complement = False
        return made

    @property
    def V(self) -> Mask:
        """The valued mask: admits where a true value is stored; ``~C.V`` is its complement."""
        return mask_of(self, False)

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
        region = resolve(key, self.shape, self.device)
        if all(i.is_int for i in region):
            self._pending[self._key(region)] = element_value(value, self.dtype)
            return
        Region(self, region).update(value)

    def __delitem__(self, key: Any) -> None:
        region = resolve(key, self.shape, self.device)
        if all(i.is_int for i in region):
            self._pending[self._key(region)] = None
            return
        Region(self, region).update(self._empty_region(region))

    @staticmethod
    def _key(region: Any) -> Any:
        keys = tuple(int(i.array[0]) for i in region)
        return keys[0] if len(keys) == 1 else keys

    def _empty_region(self, region: Any) -> Any:
        from spbfs.objects.matrix import Matrix
        from spbfs.objects.vector import Vector

        lengths = [i.length for i in region if not i.is_int]
        empty: Any = Vector if len(lengths) == 1 else Matrix
        return empty(self.dtype, *lengths)


def _restored(kind: Any, host: Any, count: int | None, device: str, name: str | None) -> Any:
    """What `pickle` makes of an object: on its device, or an error where that cannot run."""
    if count is not None:
        host.values = iso_array(host.values, count)
    data = host if device == "reference" else _transfer(host, _engine_of("reference"), device)
    return kind._from_data(data, check_device(device), name)


@typed_refusals
def on_device(array: Any, device: str) -> Any:
    """A host array as one of the engine of `device`; the host's own engines take it as it is."""
    return _engine_of(device).asarray(array) if device == "cuda" else array


def _engine_of(device: str) -> Any:
    from spbfs.engines import get_engine

    return get_engine(device)


@typed_refusals
def _transfer(data: Any, source: Any, device: str) -> Any:
    """Storage rebuilt from the arrays of one engine with those of another."""
    target = _engine_of(device)

    def move(array: Any) -> Any:
        if array is None:
            return None
        host = source.to_numpy(array)
        if is_iso(host) and host.shape[0]:
            # Of a GPU's arrays the same value is the same element.
            return target.asarray(iso_array(np.array(host[:1]), host.shape[0]))
        return target.asarray(np.array(host))

    if isinstance(data, VectorData):
        made = VectorData(data.size, move(data.values), move(data.indices), move(data.present))
        # There it is a list whatever it was: what is pickled should be small.
        return target.copy(made) if device == "reference" else made
    if isinstance(data, PackedMatrix):
        words = move(data.bits.reshape(-1))
        return PackedMatrix(data.ncols, words.reshape(data.bits.shape))
    matrix = MatrixData(
        data.nrows, data.ncols, move(data.indptr), move(data.indices), move(data.values)
    )
    carry_over(data, matrix)
    return matrix


def _unshare_flags(data: Any) -> None:
    """Give a vector flags of its own; those that a search returns share one read-only array."""
    flags = getattr(data, "present", None)
    if isinstance(flags, np.ndarray) and not flags.flags.writeable:
        data.present = flags.copy()


def _shares(data: VectorData, source: Operand, target: Stored) -> bool:
    """Whether storage shares an array with `source`, computed before, or a vector that it is of."""
    leaves = [source]
    while leaves:
        leaf = leaves.pop()
        leaves.extend(leaf.operands)
        other = getattr(leaf, "_data", leaf._result)
        if leaf is target or not isinstance(other, VectorData):
            continue
        for a in data.arrays:
            for b in other.arrays:
                if (
                    a is b
                    or a.base is b
                    or b.base is a
                    or (a.base is not None and a.base is b.base)
                ):
                    return True
    return False
