"""In which memory the entries of a matrix on the GPU lie."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from spbfs.base.wording import brief
from spbfs.exceptions import InvalidValue
from spbfs.planner.residence import entries_memory
from spbfs.storage.arrays import Memory, is_iso, memory_of
from spbfs.storage.hypersparse import HypersparseMatrix
from spbfs.storage.packed import PackedMatrix

if TYPE_CHECKING:
    from spbfs.objects.matrix import Matrix

__all__ = ["check_memory", "entries_lie_in", "wanted_memory"]

MEMORIES = ("device", "pinned", "auto")


def entries_lie_in(A: Matrix) -> Memory:
    """Where the columns of the entries of `A` lie."""
    if A.device != "cuda":
        return "host"
    data = A._ready()
    if isinstance(data, PackedMatrix):
        return "device"
    compact = data.compact if isinstance(data, HypersparseMatrix) else data
    return memory_of(compact.indices)


def check_memory(device: Any, memory: Any, on_gpu_alone: str = "") -> None:
    """Refuse what is no memory of a device; and "pinned" where entries lie on the GPU alone, be the
    object what it is called here."""
    if not isinstance(memory, str) or memory not in MEMORIES:
        raise InvalidValue(f"memory: expected {', '.join(MEMORIES)} or None, got {brief(memory)}")
    if device != "cuda":
        raise InvalidValue(f"memory: expected None with device {brief(device)}, got {memory!r}")
    if on_gpu_alone and memory == "pinned":
        raise InvalidValue(f"memory: expected 'device' of {on_gpu_alone}, got 'pinned'")


def wanted_memory(A: Matrix, device: Any, memory: Any) -> Memory | None:
    """Where entries shall lie on the device that a matrix goes to; None where that is left open.

    Raises
    ------
    InvalidValue
        When `memory` is none of the memories, or not one of that device or of that matrix.
    """
    if memory is None:
        return None
    data = A._ready()
    packed = isinstance(data, PackedMatrix)
    check_memory(device, memory, "a matrix of packed bits" if packed else "")
    if packed:
        return "device"
    return _by_what_is_free(A, data) if memory == "auto" else memory


def _by_what_is_free(A: Matrix, data: Any) -> Memory:
    """What "auto" is: as it is for a matrix that is on the GPU, where it has its room."""
    from spbfs.base.gpu_memory import free_bytes

    if A.device == "cuda":
        return entries_lie_in(A)
    compact = data.compact if isinstance(data, HypersparseMatrix) else data
    values = 0 if is_iso(compact.values) else compact.values.dtype.itemsize
    return entries_memory(
        vertices=compact.nrows,
        entries=compact.nvals,
        entry_bytes=compact.indices.dtype.itemsize + values,
        symmetric=compact.derived.symmetric is True,
        free=free_bytes(),
    )
