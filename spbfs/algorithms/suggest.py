"""Where a graph is better kept for searches."""

from __future__ import annotations

import os
from typing import Any, Literal

from spbfs.algorithms.bfs.arguments import square
from spbfs.engines import get_engine
from spbfs.exceptions import BackendUnavailable
from spbfs.io.rates import rates_from
from spbfs.planner.adaptive import expected_seconds
from spbfs.planner.many import skewed
from spbfs.planner.rates import current
from spbfs.planner.search_cuda import DEEP_LONGEST, DEEP_MEAN
from spbfs.storage.hypersparse import HypersparseMatrix

__all__ = ["suggest_device"]


def suggest_device(
    A: Any, *, rates: str | os.PathLike[str] | None = None
) -> Literal["cpu", "cuda"]:
    """Where a search of a graph takes less: on the CPU, or on the GPU where there is one.

    A search of a small graph is over before a GPU has begun.  What a search takes on either is
    estimated from the number of vertices, entries and the longest row, by the rates in use.

    Parameters
    ----------
    A : Matrix, or anything that `Matrix.from_scipy` takes
        Square, on any device; it stays there.
    rates : str or os.PathLike, optional
        A rates file to go by; default: the rates in use, see `set_rates`.

    Returns
    -------
    {"cpu", "cuda"}
        "cpu" where there is no GPU that works.

    Raises
    ------
    DimensionMismatch, DomainMismatch
        When A is no graph.
    FormatError, InvalidValue, FileError
        As of `set_rates`, for a file.

    Examples
    --------
    >>> import spbfs as sb
    >>> sb.suggest_device(sb.generate.path(34))
    'cpu'
    """
    matrix = square(A)
    used = current() if rates is None else rates_from(rates)
    try:
        get_engine("cuda")
    except BackendUnavailable:
        return "cpu"
    data = matrix._ready()
    if isinstance(data, HypersparseMatrix):
        data = data.compact  # searches of it are made there
    n, entries = int(data.nrows), int(data.nvals)
    longest = _longest_row(data)
    deep = longest <= DEEP_LONGEST and entries <= DEEP_MEAN * n
    took = expected_seconds(used, n, entries, skewed=skewed(n, entries, longest), deep=deep)
    return "cuda" if took["cuda"] < took["cpu"] else "cpu"


def _longest_row(data: Any) -> int:
    indptr = data.indptr
    return int((indptr[1:] - indptr[:-1]).max()) if indptr.shape[0] > 1 else 0
