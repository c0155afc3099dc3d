"""What the algorithms make of a matrix before they begin, and which of their two ways they take."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any, Literal, TypeVar

import numpy as np

from spbfs import binary, select, unary
from spbfs.algorithms.bfs.arguments import square
from spbfs.base import tracing
from spbfs.base.wording import brief
from spbfs.exceptions import InvalidValue
from spbfs.objects.matrix import Matrix
from spbfs.objects.operands.matrix_operand import MatrixOperand
from spbfs.objects.vector import Vector
from spbfs.storage.data import VectorData, iso_array
from spbfs.storage.derived import remember_loops, remember_symmetry

__all__ = [
    "Method",
    "both_ways",
    "degrees",
    "filled",
    "flagged",
    "full_vector",
    "run_fused",
    "square",
    "undirected",
    "way",
    "without_loops",
]

F = TypeVar("F")
R = TypeVar("R")

#: How an algorithm runs: as the program of products on its page, as the engine's own call, or as
#: that call where the engine has it.
Method = Literal["auto", "composed", "fused"]


def way(call: F | None, method: Any, device: str) -> F | None:
    """The engine's call, or None for the composed program; `call` is None where there is none."""
    if not isinstance(method, str) or method not in ("auto", "composed", "fused"):
        raise InvalidValue(f"method: expected 'auto', 'composed' or 'fused', got {brief(method)}")
    if method == "fused" and call is None:
        raise InvalidValue(f"method: {device!r} has no fused way here; expected 'auto', 'composed'")
    return None if method == "composed" else call


def both_ways(A: MatrixOperand) -> MatrixOperand:
    """A matrix with the edges of `A` in both directions: `A` itself where it has them."""
    data = A._ready()
    if A._engine.in_edges(data) is data:
        return A
    pattern = A.apply(unary.one[bool]).new()
    both = pattern.ewise_add(pattern.T, binary.any).new()
    return A if both.nvals == A.nvals else both


def undirected(A: MatrixOperand) -> Matrix:
    """The pattern of a graph without directions and loops: (u, v) and (v, u) wherever either is."""
    edges = both_ways(A)
    both = edges.apply(unary.one[bool]).new()
    # To look for loops takes less than to look at all entries.
    simple = both if _loopless(edges) else select.offdiag(both).new()
    # As it is made, so that no product, and nobody who counts edges, has to find it out.
    remember_symmetry(simple._ready())
    remember_loops(simple._ready(), False)
    return simple


def degrees(A: MatrixOperand) -> Vector:
    """How many edges every vertex of an undirected graph has, loops not counted, 0 where none."""
    counts = filled(A.reduce_rowwise("count").new())
    if not _loopless(A):
        loops: Any = A.diag()
        counts(binary.minus) << loops.apply(unary.one["INT64"])
    return counts


def _loopless(A: MatrixOperand) -> bool:
    """Whether no edge leads from a vertex to itself; looked up once."""
    known = A._ready().derived.loopless
    if known is None:
        loops: Any = A.diag()
        remember_loops(A._ready(), bool(loops.nvals))
        known = not loops.nvals
    return known


def without_loops(A: Matrix) -> Matrix:
    """A matrix without the edges from a vertex to itself: `A` itself where it has none."""
    return A if _loopless(A) else select.offdiag(A).new()


def filled(v: Vector) -> Vector:
    """The same values, and 0 where there is none."""
    full = Vector(v.dtype, v.size, device=v.device)
    full[:] = 0
    full(binary.plus) << v
    return full


def full_vector(A: MatrixOperand, values: Any) -> Vector:
    """An array that an engine made, a value a row, as a vector beside `A`."""
    made: Vector = Vector._from_data(VectorData(A.nrows, values), A.device)
    return made


def flagged(A: MatrixOperand, flags: Any) -> Vector:
    """True where an array of flags says so, a flag a row, as a vector beside `A`."""
    values = A._engine.asarray(iso_array(np.ones(1, np.bool_), A.nrows))
    made: Vector = Vector._from_data(VectorData(A.nrows, values, present=flags), A.device)
    return made


def run_fused(operation: str, A: MatrixOperand, call: Callable[..., R], *arguments: Any) -> R:
    """What an engine's call says of `A`, a line in the trace where there is one."""
    begun = time.perf_counter()
    result = call(A._ready(), *arguments)
    tracing.record(kernel=operation, frontier=A.nrows, edges=A.nvals)
    tracing.finish(operation, A.device, time.perf_counter() - begun, None)
    return result
