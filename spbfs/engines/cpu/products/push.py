"""The launchers of push on the CPU: from every entry of the vector along its row of the matrix."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from spbfs.engines.arrays.values.value_arrays import values_as
from spbfs.engines.arrays.vectors.masks import admits, flags_of, region_of
from spbfs.engines.cpu.native import kernels
from spbfs.engines.cpu.products.product import VectorProduct, matrix_operand
from spbfs.planner import products as planner
from spbfs.storage.data import MatrixData, VectorData, iso_array

if TYPE_CHECKING:
    from spbfs.engines.cpu.engine import CpuEngine

__all__ = ["push"]

Array = Any


def push(engine: CpuEngine, M: MatrixData, p: VectorProduct) -> tuple[VectorData, str, int]:
    """``w<mask> = u' M``: the result, the kernel, the entries it touched."""
    u, key = engine.to_list(p.u) if p.u.indices is None else p.u, p.key
    edges = int(kernels.list_edges(M.indptr, u.indices)) if p.edges < 0 else p.edges
    first, second, in_type = M.values[:1], u.values[:1], key.multiply.in_type
    if key.uses_first:
        first = matrix_operand(engine, M, in_type)
    if key.uses_second:
        second = values_as(engine, u.values, in_type)
    operands = (M.indptr, M.indices, first, u.indices, second, *p.codes)
    if planner.push_kernel(edges, M.ncols) == "push_list":
        return _to_list(engine, M.ncols, p, operands, edges), "push_list", edges
    return _to_bitmap(engine, M.ncols, p, operands, edges), "push", edges


def _to_list(
    engine: CpuEngine, size: int, p: VectorProduct, operands: tuple[Any, ...], edges: int
) -> VectorData:
    """What few products reach, sorted."""
    mask, flags, complement = p.mask, None, False
    if mask is not None and mask.data.indices is None:
        flags, complement = flags_of(engine, mask.data, mask.structural), mask.complement
        mask = None
    indices = np.empty(edges, np.int64)
    values = None if p.key.is_pattern else np.empty(edges, p.key.add.dtype.np_type)
    count = kernels.push_list(*operands, size, flags, complement, indices, values)
    indices = indices[:count]
    if mask is None:
        values = iso_array(p.value, count) if values is None else values[:count]
        return VectorData(size, values, indices=indices)
    # A short list is asked about the few elements found, rather than spelled out.
    admitted = np.flatnonzero(admits(engine, region_of(engine, mask), indices))
    values = iso_array(p.value, admitted.shape[0]) if values is None else values[admitted]
    return VectorData(size, values, indices=indices[admitted])


def _to_bitmap(
    engine: CpuEngine, size: int, p: VectorProduct, operands: tuple[Any, ...], edges: int
) -> VectorData:
    """What many products reach, flagged."""
    mask, flags, complement = p.mask, None, False
    if mask is not None:
        flags, complement = flags_of(engine, mask.data, mask.structural), mask.complement
    present = np.zeros(size, np.bool_)
    values = None if p.key.is_pattern else np.empty(size, p.key.add.dtype.np_type)
    blocks = planner.push_blocks(edges, p.frontier, p.threads)
    sweep = p.key.is_pattern and planner.push_sweeps(edges, size)
    count = kernels.push(*operands, flags, complement, present, values, sweep, blocks, p.threads)
    values = iso_array(p.value, size) if values is None else values
    return VectorData(size, values, present=present, counted=count)
