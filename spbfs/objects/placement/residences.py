"""One matrix on two devices: resident on the GPU, where its operations run, and in host memory.

The arrays of a matrix are never written, and what changes a matrix gives it other storage.  So the
host's residence, which is kept with the GPU's storage, can never differ from it: it goes with it,
and is made again when it is next asked for.
"""

from __future__ import annotations

from copy import copy
from typing import TYPE_CHECKING, Any, Final

from spbfs.base.memory import typed_refusals
from spbfs.engines import get_engine
from spbfs.objects.placement.devices import check_device, transfer
from spbfs.storage.derived import Derived, carry_over, keeping
from spbfs.storage.on_disk import OnDiskMatrix

if TYPE_CHECKING:
    from spbfs.objects.operands.matrix_operand import MatrixOperand
    from spbfs.storage.data import MatrixData

__all__ = ["BOTH", "check_pages", "on_both", "residence", "residences_of"]

#: What `Matrix.to` is asked for.
BOTH: Final = "cpu+cuda"


def residences_of(A: MatrixOperand) -> tuple[str, ...]:
    """The devices on which `A` is resident; its operations run on the first."""
    if A._is_transposed:
        return residences_of(A.T)
    return getattr(A, "residences", (A.device,))


def residence(A: MatrixOperand, device: str) -> MatrixData:
    """The storage of `A` on one of the devices on which it is resident."""
    if A._is_transposed:
        return get_engine(device).transpose(residence(A.T, device))
    data: MatrixData = A._ready()
    return data if device == A.device else _host_residence(data)


def check_pages(A: MatrixOperand) -> None:
    """Refuse what was made of a matrix on the disk whose files have lost pages meanwhile, where all
    that was read is zero.

    Raises
    ------
    FileError
        Some were lost.
    """
    data = getattr(A.T if A._is_transposed else A, "_data", None)
    if isinstance(data, OnDiskMatrix):
        data.check_pages()


def on_both(A: Any) -> tuple[MatrixData, str]:
    """Storage for a matrix on both devices, and the device where its operations run."""
    check_device("cuda")
    data = A._ready()
    made = _again(data) if A.device == "cuda" else transfer(data, A._engine, "cuda")
    if A.device == "cpu":
        made.derived.host = _again(data)
    _host_residence(made)
    return made, "cuda"


@typed_refusals
def _host_residence(data: MatrixData) -> MatrixData:
    derived = data.derived
    if derived.host is None:
        made = transfer(data, get_engine("cuda"), "cpu")
        with keeping:
            if derived.host is None:
                derived.host = made
    # What one of them has found out the other need not look for.
    known, unknown = data, derived.host
    if derived.symmetric is None:
        known, unknown = unknown, known
    carry_over(known, unknown)
    return derived.host


def _again(data: MatrixData) -> MatrixData:
    """The same arrays for another owner: nobody writes them."""
    made = copy(data)
    made.derived = Derived()
    carry_over(data, made)
    return made
