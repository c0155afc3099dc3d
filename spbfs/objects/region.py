"""Writing into rows and columns: ``C[I, J] << x``.

A mask given before the brackets, ``C(mask)[I, J] << x``, covers all of C; one given after, as in
``C[I, J](mask) << x``, covers the region only (GraphBLAS calls these assign and subassign).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from spbfs.base.memory import typed_refusals
from spbfs.engines.protocol import MaskData
from spbfs.exceptions import DimensionMismatch, DomainMismatch, InvalidValue
from spbfs.objects.assign import (
    Output,
    Updater,
    accumulator,
    as_hints,
    as_operand,
    assign_scalar,
    check_replace,
    indices_of,
    plain,
)
from spbfs.objects.checks import is_scalar, to_scalar
from spbfs.objects.indexing import Index
from spbfs.objects.mask import Mask, as_mask
from spbfs.objects.operand import common_engine
from spbfs.operators.definitions import TypedBinary
from spbfs.storage.entries import column_matrix, row_matrix

if TYPE_CHECKING:
    from spbfs.objects.stored import Stored

__all__ = ["Region"]


class _RegionUpdater(Updater):
    """A region with its options; the mask covers the region only."""

    __slots__ = ()

    def __lshift__(self, value: Any) -> None:
        self._target.update(value, **self._given())

    def __getitem__(self, key: Any) -> Region:
        raise DomainMismatch("index: a region cannot be indexed again")


class Region(Output):
    """Rows and columns of a stored object: ``C[I, J]`` on the left of ``<<``.

    Parameters
    ----------
    target : Matrix or Vector
    region : tuple of Index
    outer : dict, optional
        Mask, accumulator and replace given before the brackets; the mask covers all of `target`.
    """

    __slots__ = ("_outer", "_region", "_target")

    _updater = _RegionUpdater

    def __init__(
        self, target: Stored, region: tuple[Index, ...], outer: dict[str, Any] | None = None
    ) -> None:
        self._target = target
        self._region = region
        self._outer = outer or {}

    @property
    def shape(self) -> tuple[int, ...]:
        """Of what is written: integer indices drop their dimension."""
        return tuple(i.length for i in self._region if not i.is_int)

    def __call__(self, *args: Any, **options: Any) -> Updater:
        if self._outer:
            raise InvalidValue("C(...)[I](...): options are given before the brackets or after")
        return super().__call__(*args, **options)

    def __lshift__(self, value: Any) -> None:
        self.update(value)

    def update(self, value: Any, **inner: Any) -> None:
        """Write into the region.

        Parameters
        ----------
        value : expression, Matrix, Vector, array or scalar
        **inner
            As of `Matrix.update`; a mask covers the region only.
        """
        _update(self._target, self._region, value, self._outer, inner)


@typed_refusals
def _update(
    C: Stored,
    region: tuple[Index, ...],
    value: Any,
    outer: dict[str, Any],
    inner: dict[str, Any],
) -> None:
    """``C<outer mask>[region]<inner mask> accum= value``."""
    for index, name in zip(region, ("row", "column") if C.ndim == 2 else ("index",), strict=True):
        index.check_distinct(name)
    options = {**outer, **inner}
    inner_mask = inner.get("mask") is not None
    mask, accum = options.pop("mask", None), options.pop("accum", None)
    replaces = check_replace(mask, options.pop("replace", False))
    as_hints(options)
    value = plain(value)
    shape = tuple(i.length for i in region if not i.is_int)
    mask = None if mask is None else as_mask(mask, len(shape) if inner_mask else C.ndim)
    # GraphBLAS masks the assignment of one row or column by a vector along it.
    local = mask is not None and (inner_mask or mask.parent.ndim < C.ndim)
    if mask is not None:
        mask.check_shape(shape if local else C.shape)
    if local and len(shape) == 0:
        raise DimensionMismatch("mask: a single element takes no mask")
    if is_scalar(value) and not local:
        assign_scalar(C, value, region, mask, accum, replaces)
        return
    engine, T = _source(C, value, shape, region, mask)
    arrays = indices_of(region, engine)
    assign = engine.assign_vector if C.ndim == 1 else engine.assign_matrix
    typed = accumulator(accum, C.dtype)
    old = C._writable()
    if local:
        assert mask is not None
        extract = engine.extract_vector if C.ndim == 1 else engine.extract_matrix
        part = extract(old, *arrays)
        mask_data = _oriented(mask, region, engine)
        if T is None:
            bound = to_scalar(value, C.dtype)
            T = _fill(engine, engine.copy(part), bound, mask_data, typed, replaces)
        else:
            T = engine.write(part, T, mask_data, typed, replaces)
        C._keep(assign(old, T, *arrays, None))
        return
    result = assign(old, T, *arrays, typed)
    if mask is not None:
        result = engine.write(old, result, mask, None, replaces)
    C._keep(result)


def _fill(
    engine: Any, part: Any, value: Any, mask: MaskData, accum: TypedBinary | None, replaces: bool
) -> Any:
    if hasattr(part, "nrows"):
        return engine.assign_scalar_matrix(part, value, None, None, mask, accum, replaces)
    return engine.assign_scalar_vector(part, value, None, mask, accum, replaces)


def _source(
    C: Stored, value: Any, shape: tuple[int, ...], region: tuple[Index, ...], mask: Mask | None
) -> tuple[Any, Any]:
    """Engine and storage of what goes into a region; storage None for a number."""
    masked = () if mask is None else (mask.parent,)
    if is_scalar(value):
        return common_engine(C, *masked), None
    operand = as_operand(value, shape, C.device)
    if operand.shape != shape:
        raise DimensionMismatch(f"value: expected shape {shape}, got {operand.shape}")
    engine = common_engine(C, operand, *masked)
    data = operand._ready()
    if operand.ndim < C.ndim:
        # Copied: a matrix must not share arrays with a vector, which is written in place.
        data = _lift(engine.copy(data), region, engine)
    elif C.ndim == 1:
        data = engine.copy(data)
    return engine, data


def _lift(data: Any, region: tuple[Index, ...], engine: Any) -> Any:
    """A vector as the one row or column of a matrix that it is assigned to."""
    return row_matrix(data) if region[0].is_int else column_matrix(data, engine)


def _oriented(mask: Mask, region: tuple[Index, ...], engine: Any) -> MaskData:
    if len(region) == 2 and mask.parent.ndim == 1:
        return MaskData(_lift(mask.data, region, engine), mask.structural, mask.complement)
    return mask
