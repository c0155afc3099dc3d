"""A scalar as a vector of one element: what scalars compute, they compute as such."""

from __future__ import annotations

from typing import Any

import numpy as np

from spbfs.objects.operands.vector_operand import VectorOperand
from spbfs.objects.scalars.arithmetic import ScalarArithmetic
from spbfs.operators.dtypes import DType
from spbfs.storage.arrays import Device
from spbfs.storage.data import VectorData

__all__ = ["OneElement"]


class OneElement(VectorOperand):
    """A view of a scalar, stored or delayed, whose entry is there when the scalar has a value."""

    __slots__ = ("_scalar",)

    shape = (1,)
    device: Device = "cpu"
    _bound = False

    def __init__(self, scalar: ScalarArithmetic) -> None:
        self._scalar = scalar

    @property
    def dtype(self) -> DType:  # type: ignore[override]
        """That of the scalar."""
        return self._scalar.dtype

    def _ready(self) -> VectorData:
        value = self._scalar._filled()._value
        values = np.array([] if value is None else [value], self.dtype.np_type)
        return VectorData(1, values, np.arange(values.shape[0]))

    def __repr__(self) -> Any:
        return f"OneElement({self._scalar!r})"
