"""What is known of a matrix's rows on the GPU."""

from __future__ import annotations

from spbfs.engines.cuda.runtime.counting import count_true
from spbfs.storage.data import MatrixData
from spbfs.storage.derived import RowFacts, keeping

__all__ = ["row_facts"]


def row_facts(A: MatrixData) -> RowFacts:
    """The longest row of a matrix with entries, and how many rows have some; kept with it."""
    import cupy

    derived = A.derived
    if derived.row_facts is None:
        lengths = cupy.diff(A.indptr)
        made = RowFacts(int(lengths.max()), count_true(lengths > 0))
        with keeping:
            if derived.row_facts is None:
                derived.row_facts = made
    return derived.row_facts
