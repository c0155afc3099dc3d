"""What people call the vertices of a graph, which the engines know by numbers."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Iterable, Iterator
from itertools import count
from operator import index
from typing import Any, Literal

import numpy as np

from spbfs.base.wording import brief
from spbfs.exceptions import (
    DimensionMismatch,
    DomainMismatch,
    IndexOutOfBound,
    InvalidValue,
    UnknownLabel,
)

__all__ = ["Labels", "factorized"]

#: What a name of one of these types is looked up by is the name.
_OWN_KEYS = {str, int, float, bool, bytes, tuple}


class Labels:
    """Names of the vertices 0, 1, 2, ..., both ways: strings, dates, numbers, anything hashable.

    A Matrix that was made of names has them as its `labels`; algorithms then take vertices by their
    names, and what they return turns into a table of names by `to_pandas`.

    Parameters
    ----------
    names : array_like or iterable
        The name of every vertex, each another one.

    Raises
    ------
    InvalidValue
        When a name occurs twice.
    DomainMismatch
        When one is not hashable.

    Examples
    --------
    >>> import spbfs as sb
    >>> labels = sb.Labels(["bob", "alice", "carol"])
    >>> labels["alice"], labels.numbers(["carol", "bob"]).tolist(), labels.names([1, 2]).tolist()
    (1, [2, 0], ['alice', 'carol'])
    """

    __slots__ = ("_names", "_numbers", "integers")

    def __init__(self, names: Any) -> None:
        array = _as_names(names)
        try:
            keys = _keys(array)
            numbers: dict[Hashable, int] = dict(zip(keys, range(len(keys)), strict=True))
        except TypeError as error:
            raise DomainMismatch(f"names: expected hashable ones, {error}") from None
        if len(numbers) < array.shape[0]:
            raise InvalidValue("names: expected each once, but one occurs twice")
        self._set(array, numbers)

    @classmethod
    def _of(cls, array: Any, numbers: dict[Hashable, int]) -> Labels:
        """Of names whose numbers are known by their keys."""
        made = cls.__new__(cls)
        made._set(array, numbers)
        return made

    def _set(self, array: Any, numbers: dict[Hashable, int]) -> None:
        array.flags.writeable = False
        self._names, self._numbers = array, numbers
        #: Whether a vertex is called by an integer; where none is, vertices go by number, too.
        self.integers = any(issubclass(kind, int) for kind in set(map(type, numbers)))

    def __len__(self) -> int:
        return int(self._names.shape[0])

    def __iter__(self) -> Iterator[Any]:
        return iter(_each(self._names))

    def __contains__(self, name: Any) -> bool:
        try:
            return _key(name) in self._numbers
        except TypeError:
            return False

    def __getitem__(self, name: Hashable) -> int:
        """The number of the vertex of this name."""
        try:
            return self._numbers[_key(name)]
        except KeyError:
            raise UnknownLabel(f"labels: no vertex is called {brief(name)}") from None
        except TypeError:
            raise DomainMismatch(f"labels: expected a name, got {brief(name)}") from None

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Labels) and list(self._numbers) == list(other._numbers)

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        some = ", ".join(map(repr, _each(self._names[:4])))
        return f"<Labels of {len(self)}: {some}{', ...' if len(self) > 4 else ''}>"

    def __reduce__(self) -> Any:
        return Labels, (self._names,)

    def numbers(self, names: Any) -> Any:
        """The vertices of these names.

        Parameters
        ----------
        names : iterable
            Names, perhaps repeated.

        Returns
        -------
        numpy.ndarray of int64

        Raises
        ------
        UnknownLabel
            When no vertex has one of the names.
        """
        array = _as_names(names)
        try:
            return _looked_up(self._numbers, _keys(array))
        except (KeyError, TypeError):
            # One of them is none: which one says the error.
            return np.array([self[name] for name in _each(array)], np.int64)

    def names(self, vertices: Any = None) -> Any:
        """What vertices are called.

        Parameters
        ----------
        vertices : array_like of int, optional
            Numbers from 0; all of them by default, in their order.

        Returns
        -------
        numpy.ndarray
            Of the type of the names, objects where that is none of NumPy's.

        Raises
        ------
        IndexOutOfBound
            When a number is that of no vertex.
        """
        if vertices is None:
            return self._names.copy()
        numbers = np.asarray(vertices)
        if numbers.size and not 0 <= int(numbers.min()) <= int(numbers.max()) < len(self):
            raise IndexOutOfBound(f"vertices: expected 0 to {len(self) - 1}, got {brief(vertices)}")
        return self._names[numbers.astype(np.int64)]


def _as_names(names: Any) -> Any:
    """An array of names, one dimension; a tuple is a name."""
    if isinstance(names, Labels):
        return names._names.copy()
    if not isinstance(names, str | bytes) and hasattr(names, "to_numpy"):
        names = names.to_numpy()
    if isinstance(names, np.ndarray):
        if names.ndim != 1:
            raise DimensionMismatch(f"names: expected one dimension, got shape {names.shape}")
        return names.astype(object) if names.dtype.kind in "USTV" else names.copy()
    if isinstance(names, str | bytes) or not isinstance(names, Iterable):
        raise DomainMismatch(f"names: expected several, got {brief(names)}")
    return _objects(list(names))


def _objects(names: list[Any]) -> Any:
    made = np.empty(len(names), object)
    made[:] = names
    return made


def _each(array: Any) -> list[Any]:
    """The names of an array one by one; NumPy makes numbers of its dates' lists."""
    return list(array) if array.dtype.kind in "mM" else array.tolist()


def _key(name: Any) -> Hashable:
    """What a name is looked up by: those of NumPy, pandas and Python are the same."""
    if hasattr(name, "isoformat") and getattr(name, "tzinfo", None) is None:
        name = np.datetime64(getattr(name, "to_datetime64", lambda: name)())
    if isinstance(name, np.datetime64):
        return name.astype("M8[ns]")
    return name.item() if isinstance(name, np.generic) else name


def _keys(array: Any) -> list[Any]:
    """What the names of an array are looked up by; mostly the names, of which none is looked at."""
    if array.dtype.kind == "M":
        return list(array.astype("M8[ns]"))
    listed = _each(array)
    return listed if set(map(type, listed)) <= _OWN_KEYS else list(map(_key, listed))


def _looked_up(numbers: dict[Hashable, int], keys: list[Any]) -> Any:
    return np.fromiter(map(numbers.__getitem__, keys), np.int64, len(keys))


def factorized(
    columns: dict[str, Any], order: Literal["met", "sorted"]
) -> tuple[Labels, list[Any]]:
    """Labels of all that is in the columns, and each column as numbers.

    One dictionary, asked for every name once and without a line of Python for each.

    Raises
    ------
    InvalidValue
        When a name is missing, or `order` is not "met" or "sorted".
    DomainMismatch
        When names are not hashable, or cannot be sorted.
    """
    if order not in ("met", "sorted"):
        raise InvalidValue(f"order: expected 'met' or 'sorted', got {brief(order)}")
    arrays = {what: _as_names(column) for what, column in columns.items()}
    for what, array in arrays.items():
        _check_present(what, array)
    keys = [_keys(array) for array in arrays.values()]
    # Whoever is looked up for the first time gets the next number.
    numbers: dict[Hashable, int] = defaultdict(count().__next__)
    try:
        coded = [_looked_up(numbers, each) for each in keys]
    except TypeError as error:
        raise DomainMismatch(f"names: expected hashable ones, {error}") from None
    every = np.concatenate(coded)
    # Of several names with one key the first: what is written to one place last stays.
    first = np.empty(len(numbers), np.int64)
    first[every[::-1]] = np.arange(every.shape[0] - 1, -1, -1)
    names = _joined(list(arrays.values()))[first]
    if order == "sorted":
        by_name = _sorted(names)
        place = np.empty(len(names), np.int64)
        place[by_name] = np.arange(len(names))
        names, coded = names[by_name], [place[codes] for codes in coded]
        return Labels(names), coded
    return Labels._of(names, dict(numbers)), coded


def _joined(arrays: list[Any]) -> Any:
    """One array of all, of objects where they are of several types."""
    if len({array.dtype for array in arrays}) > 1:
        arrays = [_objects(_each(array)) for array in arrays]
    return np.concatenate(arrays)


def _sorted(names: Any) -> Any:
    """The places of the names in their order."""
    if names.dtype.kind in "iufM":
        return np.argsort(names, kind="stable")
    try:
        listed = names.tolist()
        return np.array(sorted(range(len(listed)), key=listed.__getitem__), np.int64)
    except TypeError as error:
        raise DomainMismatch(f"order: these names cannot be sorted, {error}") from None


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
