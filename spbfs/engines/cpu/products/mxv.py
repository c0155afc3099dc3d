"""Products of a matrix and a vector on the CPU: prepared, planned, launched, finished."""

from __future__ import annotations

from typing import TYPE_CHECKING

from spbfs.base import tracing
from spbfs.base.threads import get_threads
from spbfs.engines.arrays.structure import hypersparse
from spbfs.engines.arrays.vectors.masks import resolve_mask
from spbfs.engines.cpu.graph.transpose import transposed
from spbfs.engines.cpu.native import kernels
from spbfs.engines.cpu.operators.codes import kernel_codes
from spbfs.engines.cpu.products.product import VectorProduct, filled_rows
from spbfs.engines.cpu.products.program_mxv import program_mxv
from spbfs.engines.cpu.products.pull import pull
from spbfs.engines.cpu.products.push import push
from spbfs.engines.direction import Counts, choose_direction
from spbfs.engines.protocol import Hints, MaskData, Operation
from spbfs.engines.specialise import product_key, specialised
from spbfs.planner.products import CPU, SAMPLED_VERTICES, pull_is_sure
from spbfs.storage.data import VectorData
from spbfs.storage.derived import known_transpose, ledger_of
from spbfs.storage.hypersparse import HypersparseMatrix
from spbfs.storage.on_disk import OnDiskMatrix

if TYPE_CHECKING:
    from spbfs.engines.cpu.engine import CpuEngine

__all__ = ["mxv"]


def mxv(
    engine: CpuEngine, operation: Operation, u: VectorData, mask: MaskData | None, hints: Hints
) -> VectorData:
    """``w = A u`` (``A' u`` when transposed), pushed or pulled."""
    A, semiring, transpose, vector_first = operation
    if isinstance(A, HypersparseMatrix):
        return hypersparse.mxv(engine, operation, u, mask, hints)
    # Prepare: each operand is asked once.
    rows = A.ncols if transpose else A.nrows
    admits_some, mask = resolve_mask(mask)
    frontier = u.counted if u.indices is None else u.indices.shape[0]
    if frontier < 0:
        frontier = engine.count(u)
    if frontier == 0 or rows == 0 or not admits_some or not len(A.indices):
        return engine.empty_vector(rows, semiring.out_type)
    key, value = specialised(engine, product_key(semiring, vector_first), A.values, u.values)
    codes = kernel_codes(key)
    if codes is None:
        return program_mxv(engine, operation, u, mask, hints.threads or get_threads())
    if u.present is not None:
        u = engine.choose_form(u, shrink=True)
    threads = hints.threads or get_threads()
    across = known_transpose(A)
    product = VectorProduct(A, across, u, transpose, mask, key, codes, value, frontier, threads)
    # Plan.
    direction = hints.direction
    if direction == "auto":
        direction = plan(engine, product)
    # Launch.
    launch, walks_rows = (push, transpose) if direction == "push" else (pull, not transpose)
    w, kernel, edges = launch(engine, A if walks_rows else across or transposed(A), product)
    # Finish.
    if isinstance(A, OnDiskMatrix):
        A.check_pages()
    if tracing.current() is not None:
        tracing.record(direction=direction, kernel=kernel, frontier=frontier, edges=edges)
    return engine.choose_form(w, shrink=True)


def plan(engine: CpuEngine, p: VectorProduct) -> str:
    """Push or pull; of a list the entries of its rows are counted on the way."""
    A, u, mask, across = p.A, p.u, p.mask, p.across
    if across is None and isinstance(A, OnDiskMatrix):
        return "push" if p.transpose else "pull"  # as its rows lie
    by_frontier, by_rows = (A, across) if p.transpose else (across, A)
    rows = A.ncols if p.transpose else A.nrows
    if u.indices is None and by_rows is not None and pull_is_sure(rows, len(A.indices)):
        return "pull"
    edges, stored = -1, 0
    if by_frontier is None:
        pass
    elif u.indices is not None:
        p.edges = edges = int(kernels.list_edges(by_frontier.indptr, u.indices))
    elif u.present is not None:
        # Of a large bitmap an estimate.
        sample = SAMPLED_VERTICES
        edges = int(kernels.bytes_edges(by_frontier.indptr, u.present, p.frontier, sample))
    else:
        edges = by_frontier.nvals
    if mask is not None:
        listed = mask.data.indices
        stored = mask.data.counted if listed is None else listed.shape[0]
        if stored < 0:
            stored = engine.count(mask.data)
    filled = rows if by_rows is None else filled_rows(by_rows).count
    counts = Counts(p.frontier, edges, filled, stored, listed=u.indices is not None)
    ledger = A.derived.ledger or ledger_of(A)
    return choose_direction(A, across, p.transpose, p.key, mask, counts, ledger, CPU, p.threads)
