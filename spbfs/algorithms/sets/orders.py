"""Orders of the vertices that greedy algorithms take them in, the same on every engine."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np
import numpy.typing as npt

from spbfs import binary, select, semiring, unary
from spbfs.algorithms.graphs import run_fused
from spbfs.base.memory import require_bytes
from spbfs.engines.greedy import FewNeighboursFirst, LargestFirst, VertexOrder
from spbfs.objects.assignment.statement import replace
from spbfs.objects.operands.matrix_operand import MatrixOperand
from spbfs.objects.placement.parts import whole
from spbfs.objects.vector import Vector
from spbfs.storage.entries import on_host

__all__ = [
    "few_neighbours_first",
    "given",
    "largest_first",
    "random_order",
    "ranks",
    "smallest_last",
]

Ints = npt.NDArray[np.int64]

#: Odd numbers that spread bits: of the golden ratio, and of Steele, Lea, Flood: Fast splittable
#: pseudorandom number generators (2014).
_SPREADERS = (0x9E3779B97F4A7C15, 0xBF58476D1CE4E5B9, 0x94D049BB133111EB)


def random_order(n: int, seed: int) -> Ints:
    """The vertices in a random order that depends on nothing but the seed.

    Adding, multiplying by odd numbers and folding the upper half of the bits into the lower one are
    one-to-one among the numbers below a power of two; those below n are kept.
    """
    bits = max(1, (n - 1).bit_length())
    require_bytes(24 << bits, f"A: an order of {n:,} vertices")
    below, half = np.uint64((1 << bits) - 1), np.uint64(bits // 2 + 1)
    numbers = np.arange(1 << bits, dtype=np.uint64)
    for addend, spreader in _rounds(seed):
        numbers += np.uint64(addend)
        numbers *= np.uint64(spreader)
        numbers &= below
        numbers ^= numbers >> half
    return numbers[numbers < n].astype(np.int64)


@lru_cache(64)
def _rounds(seed: int) -> tuple[tuple[int, int], ...]:
    """What is added, and what it is multiplied by then."""
    drawn = np.random.SeedSequence(seed).generate_state(len(_SPREADERS), np.uint64)
    return tuple(zip(drawn.tolist(), _SPREADERS, strict=True))


def _ends(A: MatrixOperand) -> Ints:
    """Edges that end in every vertex of a symmetric pattern; a loop does so twice."""
    found = _entries(A)
    found[on_host(whole(A.diag()).to_coo(values=False)[0])] += 1
    return found


def _entries(A: MatrixOperand) -> Ints:
    """Entries of every row."""
    counts: Any = A.apply(unary.one["INT64"]).new().reduce_rowwise().new()
    return on_host(whole(counts).to_dense(0))


def given(order: Ints) -> VertexOrder:
    """One that there is already."""
    return VertexOrder(lambda: order)


def few_neighbours_first(A: MatrixOperand, seed: int) -> VertexOrder:
    """By how many bits the length of a row has, and where these are as many in a random order."""

    def listed() -> Ints:
        drawn = random_order(A.nrows, seed)
        bits = np.frexp(_entries(A).astype(np.float64))[1]
        return drawn[_rising(bits[drawn])]

    return VertexOrder(listed, FewNeighboursFirst(_rounds(seed)))


def largest_first(A: MatrixOperand) -> VertexOrder:
    """By falling degree; of vertices of one degree the least first."""

    def listed() -> Ints:
        found = _ends(A)
        return _rising(found.max(initial=0) - found)

    return VertexOrder(listed, LargestFirst.RULE)


def smallest_last(A: MatrixOperand) -> VertexOrder:
    """In reverse of how vertices leave: round by round all that have few enough neighbours left."""
    call = A._engine.fused.smallest_last
    leaving = _peeled(A) if call is None else run_fused("smallest_last", A, call)
    return given(leaving[::-1])


def _peeled(A: MatrixOperand) -> Ints:
    """The vertices as they leave: all of the least degree, or of one below; of a round the least
    first."""
    graph = select.offdiag(A).new()
    left = Vector.from_dense(_ends(graph), device=A.device)
    leaving, degree = [np.empty(0, np.int64)], 0
    while left.nvals:
        degree = max(degree, int(left.reduce("min").new().value))
        out = left.select("<=", degree).new()
        leaving.append(on_host(whole(out).to_coo()[0]))
        left(~out.S, replace) << left
        left(binary.minus) << semiring.plus_pair(graph @ out).new(mask=left.S)
    return np.concatenate(leaving)


def ranks(order: Ints) -> Ints:
    """The place of every vertex in an order."""
    rank = np.empty_like(order)
    rank[order] = np.arange(order.shape[0])
    return rank


def _rising(keys: npt.NDArray[Any]) -> Ints:
    """The stable order of integers from 0, by 16 bits at a time, which NumPy sorts by counting."""
    order = np.argsort(keys.astype(np.uint16), kind="stable")
    for shift in range(16, int(keys.max(initial=0)).bit_length(), 16):
        order = order[np.argsort((keys[order] >> shift).astype(np.uint16), kind="stable")]
    return order
