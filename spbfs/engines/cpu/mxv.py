"""The launchers of push and pull: which of them, with which arguments, and what comes out."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from spbfs.base import tracing
from spbfs.base.threads import resolve_threads
from spbfs.engines.arrays.expand import expand_mxv
from spbfs.engines.arrays.values import values_as
from spbfs.engines.arrays.vector_masks import mask_flags, masked_vector, region_of, without_effect
from spbfs.engines.cpu.native import kernels
from spbfs.engines.cpu.recipe import Recipe, recipe_of, simplified
from spbfs.engines.cpu.transpose import hubs, known_transpose, transposed
from spbfs.engines.protocol import Hints, MaskData
from spbfs.operators.definitions import TypedSemiring
from spbfs.operators.dtypes import DType
from spbfs.planner import products as planner
from spbfs.storage.data import MatrixData, VectorData, is_iso, iso_array

if TYPE_CHECKING:
    from spbfs.engines.cpu.engine import CpuEngine


__all__ = ["as_operand", "matrix_operand", "mxv"]

Array = Any
#: Stands for values that are known without being computed.
_TRUE = np.ones(1, np.bool_)


def mxv(
    engine: CpuEngine,
    A: MatrixData,
    u: VectorData,
    semiring: TypedSemiring,
    transpose: bool,
    vector_first: bool,
    mask: MaskData | None,
    hints: Hints,
) -> VectorData:
    """``w = A u`` (``A' u`` when `transpose`), pushed or pulled."""
    rows = A.ncols if transpose else A.nrows
    frontier = engine.count(u)
    everything, mask = without_effect(mask)
    if frontier == 0 or A.nvals == 0 or rows == 0 or not everything:
        return engine.empty_vector(rows, semiring.out_type)
    recipe = recipe_of(semiring, vector_first)
    if not recipe.known:
        by_rows = transposed(A) if transpose else A
        return masked_vector(engine, expand_mxv(engine, by_rows, u, semiring, vector_first), mask)
    recipe, iso = simplified(recipe, semiring, A.values, u.values, engine)
    threads = resolve_threads(hints.threads)
    if u.present is not None:
        u = engine.choose_form(u, shrink=True)
    direction, edges = _direction(engine, A, u, recipe, transpose, frontier, mask, hints, threads)
    if direction == "push":
        by_frontier = A if transpose else transposed(A)
        w, kernel, edges = _push(engine, by_frontier, u, recipe, iso, mask, edges, threads)
    else:
        by_rows = transposed(A) if transpose else A
        w, edges = _pull(engine, by_rows, u, recipe, iso, mask, threads)
        kernel = "pull"
    tracing.record(direction=direction, kernel=kernel, frontier=frontier, edges=edges)
    return engine.choose_form(w, shrink=True)


def _direction(
    engine: CpuEngine,
    A: MatrixData,
    u: VectorData,
    recipe: Recipe,
    transpose: bool,
    frontier: int,
    mask: MaskData | None,
    hints: Hints,
    threads: int,
) -> tuple[str, int]:
    """Push or pull, and the entries of the frontier's rows where they were counted, else -1."""
    other = known_transpose(A)
    by_frontier, by_rows = (A, other) if transpose else (other, A)
    rows, cols = (A.ncols, A.nrows) if transpose else (A.nrows, A.ncols)
    if hints.direction != "auto":
        return hints.direction, -1
    edges = -1 if by_frontier is None else _frontier_edges(engine, by_frontier, u, frontier)
    filled = rows if by_rows is None else _filled_rows(engine, by_rows).count
    costs = planner.product_costs(
        rows=rows,
        frontier=frontier,
        frontier_edges=edges if edges >= 0 else A.nvals * frontier // max(cols, 1),
        admitted=_admitted(engine, mask, filled),
        entries=A.nvals,
        stops_early=recipe.stops_early,
        pattern=recipe.is_pattern,
        threads=threads,
    )
    ready = {"push": by_frontier is not None, "pull": not transpose or other is not None}
    ledger = _ledger(A)
    direction, ledger.regret = planner.direction(costs, ready, A.nvals, ledger.regret)
    return direction, edges if u.indices is not None else -1


def _frontier_edges(
    engine: CpuEngine, by_frontier: MatrixData, u: VectorData, frontier: int
) -> int:
    """Entries of the frontier's rows; of a large bitmap an estimate."""
    if u.indices is not None:
        return int(kernels.list_edges(by_frontier.indptr, u.indices))
    if u.present is not None:
        return int(kernels.bytes_edges(by_frontier.indptr, u.present, frontier))
    return by_frontier.nvals


def _admitted(engine: CpuEngine, mask: MaskData | None, filled: int) -> int:
    """About how many of the rows with entries a mask admits.

    A valued mask is taken as if structural, and what it holds as rows with entries: so it is
    where it says what a traversal has visited.
    """
    if mask is None:
        return filled
    stored = engine.count(_vector(mask))
    return max(0, filled - stored) if mask.complement else min(stored, filled)


def _filled_rows(engine: CpuEngine, by_rows: MatrixData) -> _FilledRows:
    """Which rows hold entries, kept with the matrix."""
    known: _FilledRows | None = by_rows.cache.get("filled_rows")
    if known is None:
        bits = np.empty((by_rows.nrows + 7) // 8, np.uint8)
        known = _FilledRows(bits, int(kernels.filled_rows(by_rows.indptr, bits)))
        by_rows.cache["filled_rows"] = known
    return known


def _push(
    engine: CpuEngine,
    by_frontier: MatrixData,
    u: VectorData,
    recipe: Recipe,
    iso: Array | None,
    mask: MaskData | None,
    edges: int,
    threads: int,
) -> tuple[VectorData, str, int]:
    u = engine.to_list(u)
    assert u.indices is not None
    size, frontier = by_frontier.ncols, u.indices.shape[0]
    if edges < 0:
        edges = int(kernels.list_edges(by_frontier.indptr, u.indices))
    first = matrix_operand(engine, by_frontier, recipe.in_type, recipe.uses_first)
    second = as_operand(engine, u.values, recipe.in_type, recipe.uses_second)
    operands = (by_frontier.indptr, by_frontier.indices, first, u.indices, second)
    if planner.push_kernel(edges, size) == "push_list":
        # A short list is asked about the few elements found, rather than spelled out.
        late = mask is not None and _vector(mask).form == "list"
        flags, complement = (None, False) if late else _mask_flags(engine, mask)
        indices = np.empty(edges, np.int64)
        values = None if recipe.is_pattern else np.empty(edges, recipe.out_type.np_type)
        count = kernels.push_list(
            *operands, *recipe.codes, size, flags, complement, indices, values
        )
        values = _all(iso, count) if values is None else values[:count]
        w = VectorData(size, values, indices=indices[:count])
        return (masked_vector(engine, w, mask) if late else w), "push_list", edges
    flags, complement = _mask_flags(engine, mask)
    present = np.zeros(size, np.bool_)
    values = None if recipe.is_pattern else np.empty(size, recipe.out_type.np_type)
    blocks = planner.push_blocks(edges, frontier, threads)
    count = kernels.push(
        *operands, *recipe.codes, flags, complement, present, values, blocks, threads
    )
    return _bitmap(engine, present, values, iso, count), "push", edges


def _pull(
    engine: CpuEngine,
    by_rows: MatrixData,
    u: VectorData,
    recipe: Recipe,
    iso: Array | None,
    mask: MaskData | None,
    threads: int,
) -> tuple[VectorData, int]:
    if recipe.uses_second and u.indices is not None and not is_iso(u.values):
        u = engine.to_bitmap(u)
    wanted = None
    if mask is not None and not mask.complement and _vector(mask).form == "list":
        wanted = region_of(engine, mask).indices
        mask = None
    likely = None
    if recipe.stops_early and not recipe.uses_first and u.form != "full":
        ledger = _ledger(by_rows)
        ledger.pulls += 1
        if planner.hubs_pay(ledger.pulls) or "hubs" in by_rows.cache:
            likely = hubs(by_rows, threads)
    flags, complement = _mask_flags(engine, mask)
    room = by_rows.nrows if wanted is None else wanted.shape[0]
    present = np.empty(room, np.bool_)
    values = None if recipe.is_pattern else np.empty(room, recipe.out_type.np_type)
    count, touched = kernels.pull(
        by_rows.indptr,
        by_rows.indices,
        _filled_rows(engine, by_rows).bits,
        matrix_operand(engine, by_rows, recipe.in_type, recipe.uses_first),
        u.size,
        u.indices,
        u.present,
        as_operand(engine, u.values, recipe.in_type, recipe.uses_second),
        *recipe.codes,
        flags,
        complement,
        wanted,
        likely,
        present,
        values,
        threads,
    )
    w = _bitmap(engine, present, values, iso, count)
    if wanted is not None:
        found = engine.to_list(w)
        w = VectorData(by_rows.nrows, found.values, indices=wanted[found.indices])
    return w, touched


# -- arguments of kernels --------------------------------------------------------------------
def matrix_operand(engine: CpuEngine, A: MatrixData, dtype: DType, used: bool) -> Array:
    """The matrix's values as the kernel wants them; a cast is kept with the matrix."""
    if not used or A.values.dtype == dtype.np_type or is_iso(A.values):
        return as_operand(engine, A.values, dtype, used)
    key = f"values:{dtype}"
    if key not in A.cache:
        A.cache[key] = values_as(engine, A.values, dtype)
    return A.cache[key]


def as_operand(engine: CpuEngine, values: Array, dtype: DType, used: bool) -> Array:
    return values_as(engine, values, dtype) if used else values[:1]


def _mask_flags(engine: CpuEngine, mask: MaskData | None) -> tuple[Array | None, bool]:
    return (None, False) if mask is None else mask_flags(engine, mask)


def _bitmap(
    engine: CpuEngine, present: Array, values: Array | None, iso: Array | None, count: int
) -> VectorData:
    if values is None:
        values = _all(iso, present.shape[0])
    return VectorData(present.shape[0], values, present=present, counted=count)


@dataclass(frozen=True, slots=True)
class _FilledRows:
    """A packed bit a row, set where it holds entries, and how many are set."""

    bits: Array
    count: int

    @property
    def nbytes(self) -> int:
        return int(self.bits.nbytes)


@dataclass(slots=True)
class _Ledger:
    """What is remembered of the products of a matrix, to decide what to derive from it."""

    #: Nanoseconds that its missing transpose has cost.
    regret: float = 0.0
    #: Pulls by its rows that stopped at the first hit.
    pulls: int = 0


def _ledger(A: MatrixData) -> _Ledger:
    known: _Ledger = A.cache.setdefault("ledger", _Ledger())
    return known


def _all(iso: Array | None, count: int) -> Array:
    """As many values of a pattern, all alike: true, where it is not known which."""
    return iso_array(_TRUE if iso is None else iso, count)


def _vector(mask: MaskData) -> VectorData:
    assert isinstance(mask.data, VectorData)
    return mask.data
