"""What ranks have in common: edges and their weights, values of all vertices, rounds."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np

from spbfs import monoid, semiring
from spbfs.algorithms.bfs_many.arguments import count
from spbfs.algorithms.loop import loop
from spbfs.algorithms.named import by_name
from spbfs.algorithms.numbers import real
from spbfs.base.memory import require_bytes
from spbfs.engines.arrays.patterns.sets import set_of
from spbfs.exceptions import (
    ConvergenceFailure,
    DimensionMismatch,
    DomainMismatch,
    InvalidValue,
)
from spbfs.objects.checks import as_array, as_flag, as_index_array
from spbfs.objects.operands.matrix_operand import MatrixOperand
from spbfs.objects.operands.vector_operand import VectorOperand
from spbfs.objects.placement.gpu_arrays import on_gpu
from spbfs.objects.vector import Vector
from spbfs.operators.dtypes import DType, lookup_dtype

__all__ = [
    "constant",
    "dense",
    "limits",
    "normalised",
    "product",
    "rounded",
    "rounds",
    "score_type",
    "shares",
    "started",
]

#: More rounds than anybody waits for; kernels count them with 64 bits.
_MOST_ROUNDS = 1 << 62

#: Spacings of numbers by which one round may be off: it is a few operations, and short sums.
_ROUNDED = 6


def product(A: MatrixOperand, weighted: Any, dtype: Any = "FP64", *, negative: bool = False) -> Any:
    """The semiring that sums what comes along the edges, times their weights if these matter.

    Weights must be finite, and not below zero unless they may be `negative`.
    """
    if not as_flag(weighted, "weighted"):
        return semiring.plus_first[dtype]
    least = A.reduce_scalar("min").new().value
    # A NaN is not the least of anything, but is found in the sum.
    total = A.reduce_scalar(monoid.plus["FP64"]).new().value
    if total is not None and not np.isfinite(total):
        raise InvalidValue(f"A: expected weights with a finite sum, got {total}")
    if least is not None and least < 0 and not negative:
        raise InvalidValue(f"A: expected weights of at least 0, got {least}")
    return semiring.plus_times[dtype]


def score_type(dtype: Any) -> DType:
    """The type of scores: FP32 or FP64."""
    kind = lookup_dtype(dtype)
    if not kind.is_float:
        raise DomainMismatch(f"dtype: expected FP32 or FP64, got {kind}")
    return kind


def limits(tolerance: Any, iterations: Any) -> tuple[float | None, int]:
    """When rounds end: by what they change, or by their number alone."""
    if tolerance is not None:
        tolerance = real(tolerance, "tolerance", 0.0)
    return tolerance, min(count(iterations, "iterations", 0), _MOST_ROUNDS)


def rounds(
    x: Vector, tolerance: float | None, iterations: int, damping: float = 0.0
) -> Iterable[int]:
    """The rounds that bring `x` to rest, or just so many of them; see `rounded`."""
    if tolerance is None:
        return range(iterations)
    return _at_rest(loop(x, tolerance=tolerance, most=iterations), tolerance, x.dtype, damping)


def _at_rest(made: Iterable[int], tolerance: float, dtype: DType, damping: float) -> Iterator[int]:
    try:
        yield from made
    except ConvergenceFailure as failure:
        if not rounded(failure.change, tolerance, dtype, damping):
            raise


def rounded(change: float | None, tolerance: float, dtype: DType, damping: float) -> bool:
    """Whether the change of the last round that may be made, as a share of all values, is what
    rounding is, where `tolerance` asks for less than values of the type can tell.

    Of what one round is off the next ones keep `damping` each, so that it adds up.
    """
    spacing = float(np.finfo(dtype.np_type).eps)
    return (
        change is not None and tolerance < spacing and change <= _ROUNDED * spacing / (1 - damping)
    )


def constant(value: float, n: int, device: str, dtype: Any = "FP64") -> Vector:
    """A vector that has the value everywhere."""
    return Vector.from_scalar(value, n, dtype=dtype, device=device)


def dense(values: Any, name: str, n: int, device: str, *, negative: bool = False) -> Vector:
    """Values of all n vertices, on a device; where there are none zeros.

    A vector, an array, or of some vertices a mapping, a pandas Series among them.
    """
    require_bytes(8 * n, f"{name}: a number a vertex")
    if isinstance(values, VectorOperand):
        if values.size != n:
            raise DimensionMismatch(f"{name}: expected size {n}, got {values.size}")
        given = values.new("FP64")
    elif by_name(values):
        given = _of_vertices(values, name, n)
    else:
        array = as_array(values, name, gpu=on_gpu(values))
        if array.shape != (n,):
            raise DimensionMismatch(f"{name}: expected shape ({n},), got {array.shape}")
        if n and array.dtype.kind not in "biuf":
            raise DomainMismatch(f"{name}: expected numbers, got dtype {array.dtype}")
        given = Vector.from_dense(array, dtype="FP64")
    full, given = constant(0.0, n, device), given.to(device)
    full(given.S) << given
    lowest, total = full.reduce("min").new().value, full.reduce().new().value
    if n and not (np.isfinite(total) and (negative or lowest >= 0)):
        expected = "a finite sum" if negative else "values of at least 0 with a finite sum"
        raise InvalidValue(f"{name}: expected {expected}, got sum {total}, least {lowest}")
    return full


def _of_vertices(values: Any, name: str, n: int) -> Vector:
    """What a mapping says of the vertices that it has."""
    pairs = list(values.items())
    at = as_index_array([v for v, _ in pairs], f"{name}: its vertices", n)
    array = as_array([x for _, x in pairs], name)
    if array.dtype.kind not in "biuf" or array.ndim != 1:
        raise DomainMismatch(f"{name}: expected numbers, got dtype {array.dtype}")
    if set_of(np, at).shape != at.shape:
        raise InvalidValue(f"{name}: expected every vertex once")
    return Vector.from_coo(at, array, dtype="FP64", size=n)


def shares(values: Any, name: str, n: int, device: str) -> Vector:
    """`dense` values over their sum, which must not be zero."""
    full = dense(values, name, n, device)
    total = full.reduce().new().value
    if n and not total:
        raise InvalidValue(f"{name}: expected a sum above 0, got {total}")
    return full if not n else full.apply("truediv", right=total).new()


def started(start: Any, n: int, device: str) -> Vector:
    """What an iteration begins with, of sum 1: everybody alike where nothing is given."""
    if start is not None:
        return shares(start, "start", n, device)
    require_bytes(8 * n, "A: a number a vertex")
    return constant(1 / max(n, 1), n, device)


def normalised(x: Vector) -> Vector:
    """`x` scaled to Euclidean length 1; zeros stay zeros."""
    # Scaled first, so that no square overflows.
    magnitude: Any = x.apply("abs")
    largest = magnitude.reduce("max").new().value
    if not largest:
        return x
    x = x.apply("truediv", right=largest).new()
    square: Any = x.ewise_mult(x, "times").new()
    length = square.reduce().new().value ** 0.5
    scaled: Vector = x.apply("truediv", right=length).new()
    return scaled
