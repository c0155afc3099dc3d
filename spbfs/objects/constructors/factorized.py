"""Columns of names as numbers, and Labels of all that is in them."""

from __future__ import annotations

import sys
from collections import defaultdict
from collections.abc import Hashable
from functools import partial
from itertools import count
from operator import index
from typing import Any, Literal

import numpy as np

from spbfs.base.wording import brief
from spbfs.exceptions import DomainMismatch, InvalidValue
from spbfs.objects.constructors.arrow_strings import arrow_strings, told_apart
from spbfs.objects.labels import Labels, as_names, each_of, keys_of, looked_up, objects

__all__ = ["factorized"]


def factorized(
    columns: dict[str, Any], order: Literal["met", "sorted"]
) -> tuple[Labels, list[Any]]:
    """Labels of all that is in the columns, and each column as numbers.

    Strings of Arrow's are told apart by pyarrow, those that are objects by pandas where it is
    loaded, and integers are sorted; for others it is one dictionary, asked for every name once and
    without a line of Python for each.

    Raises
    ------
    InvalidValue
        When a name is missing, or `order` is not "met" or "sorted".
    DomainMismatch
        When names are not hashable, or cannot be sorted.
    """
    if order not in ("met", "sorted"):
        raise InvalidValue(f"order: expected 'met' or 'sorted', got {brief(order)}")
    strings = list(map(arrow_strings, columns.values()))
    if all(column is not None for column in strings):
        codes, names = told_apart(strings)
        return _labelled(names, codes, list(map(len, strings)), order)
    arrays = {what: as_names(column) for what, column in columns.items()}
    # To look at every name takes most of the time, as none lies near the next: once will do.
    pandas = sys.modules.get("pandas")
    if pandas is not None and all(map(partial(_are_strings, pandas), arrays.values())):
        codes, names = pandas.factorize(_joined(list(arrays.values())))
        return _labelled(names, codes, _sizes(arrays), order)
    for what, array in arrays.items():
        _check_present(what, array)
    if all(array.dtype.kind in "iu" for array in arrays.values()):
        joined = np.concatenate(list(arrays.values()))
        if joined.dtype.kind in "iu":
            return _of_integers(joined, _sizes(arrays), order)
    # Whoever is looked up for the first time gets the next number.
    numbers: dict[Hashable, int] = defaultdict(count().__next__)
    coded = [_coded(numbers, array, what) for what, array in arrays.items()]
    every = np.concatenate([*coded, np.zeros(0, np.int64)])
    # Of several names with one key the first: what is written to one place last stays.
    first = np.empty(len(numbers), np.int64)
    first[every[::-1]] = np.arange(every.shape[0] - 1, -1, -1)
    names = _joined(list(arrays.values()))[first]
    return _labelled(names, every, _sizes(arrays), order, dict(numbers))


def _coded(numbers: dict[Hashable, int], array: Any, what: str) -> Any:
    try:
        return looked_up(numbers, keys_of(array))
    except TypeError as error:
        raise DomainMismatch(f"{what}: expected hashable names, {brief(error)}") from None


def _are_strings(pandas: Any, array: Any) -> bool:
    """Whether all names are strings, none of them missing."""
    inferred: str = pandas.api.types.infer_dtype(array, skipna=False)
    return array.dtype == object and inferred == "string"


def _sizes(arrays: dict[str, Any]) -> list[int]:
    return [array.shape[0] for array in arrays.values()]


def _of_integers(joined: Any, sizes: list[int], order: str) -> tuple[Labels, list[Any]]:
    """By sorting, which is quicker than to make an object of each."""
    by_name = np.argsort(joined, kind="stable")
    ordered = joined[by_name]
    new = np.ones(ordered.shape[0], bool)
    new[1:] = ordered[1:] != ordered[:-1]
    place = np.cumsum(new) - 1
    # Of equal ones the first that was met is the first in order, too.
    first = by_name[new]
    if order == "met":
        met = np.argsort(first)
        rank = np.empty_like(met)
        rank[met] = np.arange(met.shape[0])
        first, place = first[met], rank[place]
    codes = np.empty_like(by_name)
    codes[by_name] = place
    return _labelled(joined[first], codes, sizes, "met")


def _labelled(
    names: Any,
    every: Any,
    sizes: list[int],
    order: str,
    numbers: dict[Hashable, int] | None = None,
) -> tuple[Labels, list[Any]]:
    """Labels of different names, and the columns of which every name has such a number."""
    if order == "sorted":
        by_name = _sorted(names)
        place = np.empty(len(names), np.int64)
        place[by_name] = np.arange(len(names))
        names, every, numbers = names[by_name], place[every], None
    coded = np.split(np.asarray(every, np.int64), np.cumsum(sizes)[:-1])
    return Labels._of(np.array(names), numbers), coded


def _joined(arrays: list[Any]) -> Any:
    """One array of all, of objects where they are of several types."""
    if len({array.dtype for array in arrays}) > 1:
        arrays = [objects(each_of(array)) for array in arrays]
    return np.concatenate(arrays)


def _sorted(names: Any) -> Any:
    """The places of the names in their order."""
    if names.dtype.kind in "iufM":
        return np.argsort(names, kind="stable")
    try:
        listed = names.tolist()
        return np.array(sorted(range(len(listed)), key=listed.__getitem__), np.int64)
    except TypeError as error:
        raise DomainMismatch(f"order: these names cannot be sorted, {brief(error)}") from None


def _check_present(what: str, array: Any) -> None:
    if array.dtype == object:
        listed = array.tolist()
        if set(map(type, listed)) <= {str, bytes, int, bool, tuple}:
            return
        missing = np.fromiter(map(_is_missing, listed), bool, len(listed))
    elif array.dtype.kind in "fM":
        missing = array != array
    else:
        return
    if missing.any():
        raise InvalidValue(
            f"{what}: expected a name in every row, got none in {index(missing.sum()):,}, the "
            f"first of them row {index(missing.argmax())}; leave such rows out"
        )


def _is_missing(name: Any) -> bool:
    """None, NaN, and what pandas has for them, which is equal to nothing."""
    if name is None or type(name).__name__ in ("NAType", "NaTType"):
        return True
    return isinstance(name, float | np.floating | np.datetime64) and bool(name != name)
