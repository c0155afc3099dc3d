"""The launcher of pull on the CPU: rows that the mask admits look for entries of the vector."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from spbfs.engines.arrays.values import values_as
from spbfs.engines.arrays.vector_masks import flags_of, region_of
from spbfs.engines.cpu.native import kernels
from spbfs.engines.cpu.product import VectorProduct, filled_rows, matrix_operand
from spbfs.engines.cpu.transpose import hubs
from spbfs.planner import products as planner
from spbfs.storage.data import MatrixData, VectorData, is_iso, iso_array
from spbfs.storage.derived import ledger_of

if TYPE_CHECKING:
    from spbfs.engines.cpu.engine import CpuEngine

__all__ = ["pull"]

Array = Any


def pull(engine: CpuEngine, M: MatrixData, p: VectorProduct) -> tuple[VectorData, str, int]:
    """``w<mask> = M u``: the result, the kernel, the entries it touched."""
    u, key, mask = p.u, p.key, p.mask
    first, second, in_type = M.values[:1], u.values[:1], key.multiply.in_type
    if key.uses_first:
        first = matrix_operand(engine, M, in_type)
    if key.uses_second:
        if u.indices is not None and not is_iso(u.values):
            u = engine.to_bitmap(u)
        second = values_as(engine, u.values, in_type)
    wanted = flags = None
    complement = False
    if mask is not None:
        if mask.data.indices is not None and not mask.complement:
            wanted = region_of(engine, mask).indices
        else:
            flags, complement = flags_of(engine, mask.data, mask.structural), mask.complement
    size = M.nrows if wanted is None else wanted.shape[0]
    present = np.empty(size, np.bool_)
    values = None if key.is_pattern else np.empty(size, key.add.dtype.np_type)
    count, touched = kernels.pull(
        *(M.indptr, M.indices, filled_rows(M).bits, first),
        *(u.size, u.indices, u.present, second),
        *p.codes,
        *(flags, complement, wanted, _likely(M, p), present, values, p.threads),
    )
    values = iso_array(p.value, size) if values is None else values
    w = VectorData(size, values, present=present, counted=count)
    return (w if wanted is None else _at(engine, w, wanted, M.nrows)), "pull", touched


def _likely(M: MatrixData, p: VectorProduct) -> Array | None:
    """The neighbour of every row to be asked first, where rows stop at the first and it pays."""
    if not p.key.stops_early or p.key.uses_first or (p.u.indices is None and p.u.present is None):
        return None
    ledger = ledger_of(M)
    ledger.pulls += 1
    if planner.hubs_pay(ledger.pulls) or M.derived.hubs_sought:
        return hubs(M, p.threads)
    return None


def _at(engine: CpuEngine, w: VectorData, wanted: Array, size: int) -> VectorData:
    """What was found for each of the elements wanted, as a list of those found."""
    found = engine.to_list(w)
    return VectorData(size, found.values, indices=wanted[found.indices])
