"""Replicas of a matrix on the GPUs of this process, made once and kept with it."""

from __future__ import annotations

from typing import Any

from spbfs.engines import get_engine
from spbfs.objects.matrix import Matrix
from spbfs.objects.placement.devices import transfer
from spbfs.storage.arrays import memory_of
from spbfs.storage.data import MatrixData, is_iso, iso_array
from spbfs.storage.derived import Replicas, carry_over, replicas_of
from spbfs.storage.hypersparse import HypersparseMatrix
from spbfs.storage.packed import PackedMatrix

__all__ = ["replica_on_gpu"]

Array = Any


def replica_on_gpu(matrix: Matrix, number: int) -> Matrix:
    """The matrix on one of the GPUs: itself where it is there."""
    import cupy

    data = matrix._ready()
    kept = replicas_of(data)
    if matrix.device == "cuda" and _gpu_with(data) == number:
        return matrix
    if number not in kept.on_gpus:
        with cupy.cuda.Device(number):
            kept.on_gpus[number] = _copied(matrix, data, kept)
    return Matrix._from_data(kept.on_gpus[number], "cuda")


def _copied(matrix: Matrix, data: MatrixData, kept: Replicas) -> MatrixData:
    """On the current GPU, from another one where that has it."""
    source = data if matrix.device == "cuda" else next(iter(kept.on_gpus.values()), None)
    if source is None or isinstance(source, HypersparseMatrix | PackedMatrix):
        made: MatrixData = transfer(data, get_engine(matrix.device), "cuda")
        return made
    arrays = (_copied_array(a) for a in (source.indptr, source.indices, source.values))
    made = MatrixData(source.nrows, source.ncols, *arrays)
    carry_over(source, made)
    return made


def _copied_array(array: Array) -> Array:
    """On the current GPU: CuPy copies between GPUs without the host where these are peers.  What
    lies in pinned memory all of them read there."""
    if memory_of(array) == "pinned":
        from spbfs.engines.cuda.runtime.pinned import seen_from_here  # imports CuPy

        return seen_from_here(array)
    if is_iso(array) and array.shape[0]:
        return iso_array(array[:1].copy(), array.shape[0])
    return array.copy()


def _gpu_with(data: MatrixData) -> int:
    """The GPU that has a matrix."""
    return int(data.indptr.device.id)
