"""Random data, operators and masks, chosen so that the results of any engine must be equal.

Floating point sums must not depend on their order, so floats are small multiples of one half, so
are integers that meet them, and sums see only products that stay exact.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from datautil import Data, matrix, vector

from spbfs.engines.protocol import MaskData
from spbfs.exceptions import DomainMismatch
from spbfs.operators.definitions import BinaryOp, Monoid, Semiring
from spbfs.operators.dtypes import ALL, BOOL, FP32, FP64, DType, lookup_dtype
from spbfs.operators.rules import same
from spbfs.operators.tables.builtin import BINARY, MONOID, SEMIRING
from spbfs.storage.data import MatrixData, VectorData

#: Multiplications whose results stay tame, so that a floating sum of them is exact.
EXACT = (
    "first second pair plus minus rminus times min max land lor lxor iseq isne isgt islt isge isle "
    "firsti firstj secondi secondj eq ne gt lt ge le"
).split()

#: Results that depend on the last bit of somebody's mathematics library.
ROUNDING = frozenset(["hypot", "atan2", "pow", "rpow"])

CUSTOM_BINARY = BinaryOp.register_anonymous(lambda x, y: x + 2 * y, "twice_plus")
CUSTOM_MONOID = Monoid(
    "larger",
    BinaryOp.register_anonymous(lambda x, y: x if x > y else y, "larger"),
    same,
    MONOID["max"].identity,
    MONOID["max"].terminal,
)
CUSTOM_SEMIRING = Semiring("larger_twice_plus", CUSTOM_MONOID, CUSTOM_BINARY)


def dtype_of(data: Data) -> DType:
    return lookup_dtype(data.values.dtype)


def random_values(
    rng: np.random.Generator, dtype: DType, count: int, wide: bool = True
) -> np.ndarray:
    """Small numbers, and now and then, where `wide`, integers from all over their type."""
    kind = dtype.np_type.kind
    if kind == "b":
        values = rng.integers(0, 2, count)
    elif kind == "f":
        values = rng.integers(-12, 13, count) / 2
    elif kind == "u":
        values = rng.integers(0, 10, count)
    else:
        values = rng.integers(-9, 10, count)
    if wide and kind in "iu" and count and rng.random() < 0.2:
        info = np.iinfo(dtype.np_type)
        return rng.integers(info.min, info.max, count, dtype=dtype.np_type, endpoint=True)
    return values.astype(dtype.np_type)


def _iso_or_not(rng: np.random.Generator, dtype: DType, count: int, wide: bool) -> np.ndarray:
    if rng.random() < 0.3 and count:
        return np.broadcast_to(random_values(rng, dtype, 1, wide), (count,))
    return random_values(rng, dtype, count, wide)


def random_vector(
    rng: np.random.Generator, size: int, dtype: DType, wide: bool = True
) -> VectorData:
    form = str(rng.choice(["list", "bitmap", "full"]))
    density = rng.choice([0.0, 0.1, 0.5, 1.0])
    indices = np.flatnonzero(rng.random(size) < density)
    if form == "full":
        indices = np.arange(size)
    return vector(size, indices, _iso_or_not(rng, dtype, len(indices), wide), form)


def random_matrix(
    rng: np.random.Generator, nrows: int, ncols: int, dtype: DType, wide: bool = True
) -> MatrixData:
    density = rng.choice([0.0, 0.1, 0.4, 1.0], p=[0.1, 0.5, 0.3, 0.1])
    rows, cols = np.nonzero(rng.random((nrows, ncols)) < density)
    values = _iso_or_not(rng, dtype, len(rows), wide)
    return matrix(nrows, ncols, rows, cols, values, rng.choice([np.int32, np.int64]))


class Source:
    """Draws everything that a call needs, from floats, from integers, or from both."""

    def __init__(self, seed: int, n: int) -> None:
        self.rng = np.random.default_rng(seed)
        self.n, self.m = n, max(0, n + int(self.rng.integers(-2, 3)))
        types = [[BOOL, FP32, FP64], [t for t in ALL if not t.is_float], ALL]
        self.types = types[self.rng.integers(3)]
        self.floats = FP64 in self.types
        self.wide = self.types is not ALL

    def dtype(self) -> DType:
        return self.types[self.rng.integers(len(self.types))]

    def pick(self, items: Any) -> Any:
        items = list(items)
        return items[self.rng.integers(len(items))]

    def coin(self, p: float = 0.5) -> bool:
        return bool(self.rng.random() < p)

    def vec(self, size: int | None = None, dtype: DType | None = None) -> VectorData:
        size = self.n if size is None else size
        return random_vector(self.rng, size, dtype or self.dtype(), self.wide)

    def mat(self, shape: tuple[int, int] | None = None, dtype: DType | None = None) -> MatrixData:
        nrows, ncols = (self.n, self.n) if shape is None else shape
        return random_matrix(self.rng, nrows, ncols, dtype or self.dtype(), self.wide)

    def pair(self) -> tuple[Data, Data]:
        """Two of one shape; sometimes one and the same object."""
        if self.coin():
            x: Data = self.vec()
            return x, (x if self.coin(0.15) else self.vec())
        x = self.mat((self.n, self.m))
        return x, (x if self.coin(0.15) else self.mat((self.n, self.m)))

    def one(self) -> Data:
        return self.pair()[0]

    def mask(self, shape: int | tuple[int, int]) -> MaskData | None:
        if self.coin(0.3):
            return None
        data = self.vec(shape) if isinstance(shape, int) else self.mat(shape)
        return MaskData(data, structural=self.coin(), complement=self.coin())

    def scalar(self, dtype: DType) -> np.generic:
        return self.values(dtype, 1)[0]

    def values(self, dtype: DType, count: int) -> np.ndarray:
        return random_values(self.rng, dtype, count, self.wide)

    def region(self, size: int, repeats: bool) -> np.ndarray | None:
        if self.coin(0.3):
            return None
        if repeats:
            count = int(self.rng.integers(0, size + 4)) if size else 0
            return self.rng.integers(0, size, count) if size else np.zeros(0, dtype=np.int64)
        order = self.rng.permutation(size)[: int(self.rng.integers(0, size + 1))]
        return np.sort(order) if self.coin() else order

    def typed_binary(self, left: DType, right: DType, exact: bool = False) -> Any:
        while True:
            if self.coin(0.05):
                return CUSTOM_BINARY.resolve(left, right)
            name = self.pick(EXACT if exact else BINARY)
            if name == "any" or (name in ROUNDING and (self.floats or "pow" not in name)):
                continue
            try:
                typed = BINARY[name].resolve(left, right)
            except DomainMismatch:
                continue
            return typed

    def accum(self, into: DType, other: DType) -> Any:
        """None or an operator."""
        if self.coin():
            return None
        while True:
            typed = self.typed_binary(into, other)
            if not typed.op.positional:
                return typed

    def monoid(self, dtype: DType) -> Any:
        while True:
            monoid = CUSTOM_MONOID if self.coin(0.08) else MONOID[self.pick(MONOID)]
            try:
                typed = monoid.resolve(dtype)
            except DomainMismatch:
                continue
            if monoid.name != "times" or not typed.dtype.is_float:
                return typed

    def semiring(self, left: DType, right: DType) -> Any:
        while True:
            semiring = CUSTOM_SEMIRING if self.coin(0.08) else SEMIRING[self.pick(SEMIRING)]
            try:
                typed = semiring.resolve(left, right)
            except DomainMismatch:
                continue
            name, multiply = semiring.monoid.name, semiring.binaryop.name
            if typed.add.dtype.is_float:
                if multiply in ROUNDING or name not in ("plus", "min", "max", "any", "larger"):
                    continue
                if name == "plus" and (multiply not in EXACT or not self.floats):
                    continue
            elif typed.multiply.out_type.is_float and not typed.add.dtype.is_bool:
                continue
            return typed
