"""In which form a vector or matrix is kept, by how many entries it has."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

__all__ = [
    "CPU_FORMS",
    "CUDA_FORMS",
    "Forms",
    "few_places",
    "is_hypersparse",
    "outer_by_entries",
    "vector_form",
]


@dataclass(frozen=True, slots=True)
class Forms:
    """When a vector changes form, as shares of its size."""

    #: A list at least this dense (entries over size) becomes a bitmap.
    bitmap_density: float
    #: A bitmap whose entries are known to be rarer than this becomes a list again.  Far below
    #: `bitmap_density`, so that a vector near the border does not go back and forth.
    list_density: float
    #: A list that is updated again and again becomes a bitmap once the entries moved by those
    #: updates add up to this share, so that no more is paid in rent than it costs to buy.
    update_budget: float


#: Of 2^20 elements, FP64, on one core of a 2-core AMD EPYC (Zen 4), 2026-11-21.  Adding two lists
#: of k entries takes k * 30-40 ns, multiplying them k * 15-25 ns; adding two bitmaps takes 1-3 ms
#: and multiplying them 0.8 ms: they are even at 1/10 and 1/28.  Moving an entry of a list takes
#: 2.6 ns, converting one 0.3-0.4 ms.
CPU_FORMS = Forms(bitmap_density=1 / 16, list_density=1 / 256, update_budget=1 / 8)
#: A pass over a bitmap is one launch and merging lists a dozen, so the first update decides, and
#: nothing goes back.
CUDA_FORMS = Forms(bitmap_density=1 / 64, list_density=0.0, update_budget=2.0**-60)


def vector_form(
    size: int,
    nvals: int,
    form: Literal["list", "bitmap", "full"],
    work: int = 0,
    forms: Forms = CPU_FORMS,
) -> Literal["list", "bitmap", "full"]:
    """The form in which a vector of `nvals` entries should be kept.

    Parameters
    ----------
    size, nvals : int
        Length and number of stored entries; `nvals` may be -1 for a bitmap not counted.
    form : {"list", "bitmap", "full"}
        The form it has now.
    work : int
        Entries moved so far by updates of the list.
    forms : Forms, optional
        Of the machine.

    Examples
    --------
    >>> vector_form(1000, 10, "list"), vector_form(1000, 500, "list")
    ('list', 'bitmap')
    >>> vector_form(1000, 10, "list", work=200), vector_form(1000, 1000, "bitmap")
    ('bitmap', 'full')
    """
    if nvals < 0 or form == "full" or size == 0:
        return form
    if nvals == size:
        return "full"
    if form == "list":
        crowded = nvals >= size * forms.bitmap_density or work >= size * forms.update_budget
        return "bitmap" if crowded and nvals else "list"
    return "list" if nvals < size * forms.list_density else "bitmap"


#: Entries up to which a matrix is built by one sort of NumPy's: buckets are SciPy's, whose objects
#: take 250 us to make.  One core of an AMD EPYC (Zen 4), 2026-11-22: 256 entries 33 instead of
#: 320 us, 4,096 430 and 520, 8,192 880 and 470.
SORTED_ENTRIES = 1 << 12


#: Rows or columns from which on a matrix may be hypersparse: below, offsets of all rows take at
#: most 128 MiB, and nothing is gained by doing without.
HYPERSPARSE_SIDE = 1 << 24
#: Rows or columns for each entry from which on it is: offsets then take four times the memory of
#: the entries, and so do the arrays over all rows or columns that operations need.
HYPERSPARSE_RATIO = 16


def few_places(nvals: int, nrows: int) -> int:
    """How many entries a statement may look at, to write into a matrix of so many one by one.

    Going through a matrix takes 60 us, 7 ns an entry and some an offset, going through entries one
    by one 0.5 us each (an Intel Xeon, one thread, 2026-11-27).

    Examples
    --------
    >>> few_places(100, 34), few_places(400_000, 100_000)
    (66, 7876)
    """
    return 64 + (nvals + nrows) // 64


def is_hypersparse(nrows: int, ncols: int, nvals: int) -> bool:
    """Whether rows and columns that have entries are listed, rather than offsets kept of all.

    Parameters
    ----------
    nrows, ncols, nvals : int
        Of a matrix; or the longest sides and the entries of all that an operation reads.

    Examples
    --------
    >>> is_hypersparse(2**40, 2**40, 5), is_hypersparse(3, 2**40, 5)
    (True, True)
    >>> is_hypersparse(1000, 1000, 5), is_hypersparse(2**30, 2**30, 2**28)
    (False, False)
    """
    side = max(nrows, ncols)
    return side > HYPERSPARSE_SIDE and side > HYPERSPARSE_RATIO * nvals


#: Pairs of entries up to which an outer product is built of them whatever its rows.  One core of an
#: Intel Xeon (Sapphire Rapids), FP64, 2026-11-27, by pairs and by a Kronecker product of a column
#: and a row: 16 pairs in 100,000 rows 74 us and 2.8 ms, 90,000 there 7 and 10 ms; 10,000 pairs in
#: 1,000 rows 111 and 100 us, a million there 33 and 1.1 ms.
OUTER_PAIRS = 1 << 12


def outer_by_entries(nrows: int, pairs: int) -> bool:
    """Whether an outer product is built of its entries, each with its row and column.

    Examples
    --------
    >>> outer_by_entries(100_000, 16), outer_by_entries(1000, 1_000_000)
    (True, False)
    """
    return pairs <= max(OUTER_PAIRS, nrows)
