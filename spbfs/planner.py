"""Decisions as pure functions of measured counts: which form, which direction, which kernel."""

from __future__ import annotations

from typing import Literal

__all__ = ["vector_form"]

#: A list at least this dense (entries over size) becomes a bitmap: its int64 indices then take
#: more room than the flags of a bitmap, and dense operations cost less than merges.
BITMAP_DENSITY = 1 / 16
#: A bitmap whose entries are known to be rarer than this becomes a list again.  Far below
#: `BITMAP_DENSITY`, so that a vector near the border does not go back and forth.
LIST_DENSITY = 1 / 256
#: A list that is updated again and again becomes a bitmap once the entries moved by those updates
#: add up to this share of its size: about what the conversion costs (rent no longer than to buy).
UPDATE_BUDGET = 1 / 8


def vector_form(
    size: int, nvals: int, form: Literal["list", "bitmap", "full"], work: int = 0
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
        crowded = nvals >= size * BITMAP_DENSITY or work >= size * UPDATE_BUDGET
        return "bitmap" if crowded and nvals else "list"
    return "list" if nvals < size * LIST_DENSITY else "bitmap"
