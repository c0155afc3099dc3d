"""What people call the vertices of a graph, which the engines know by numbers."""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from typing import Any

import numpy as np

from spbfs.base.html import facts_and_table, size
from spbfs.base.wording import brief
from spbfs.exceptions import (
    DimensionMismatch,
    DomainMismatch,
    IndexOutOfBound,
    InvalidValue,
    UnknownLabel,
    VertexError,
)
from spbfs.objects.checks import as_array

__all__ = ["Labels", "as_names", "call_by_name", "each_of", "keys_of", "looked_up", "objects"]

#: Names that a notebook shows; the rest is counted.
_LISTED = 10
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

    __slots__ = ("__weakref__", "_known", "_names", "collections", "integers")

    def __init__(self, names: Any) -> None:
        array = as_names(names, own=True)
        if array.dtype.kind in "iu":
            ordered = np.sort(array)
            twice = ordered[1:] == ordered[:-1]
            if twice.any():
                raise _occurs_twice(array, ordered[:-1][twice][0].item())
            self._set(array, None)
            return
        try:
            keys = keys_of(array)
            numbers: dict[Hashable, int] = dict(zip(keys, range(len(keys)), strict=True))
        except TypeError as error:
            raise DomainMismatch(f"names: expected hashable ones, {brief(error)}") from None
        if len(numbers) < array.shape[0]:
            # The dictionary has of every name the last vertex.
            twice = next(key for vertex, key in enumerate(keys) if numbers[key] != vertex)
            raise _occurs_twice(keys, twice)
        self._set(array, numbers)

    @classmethod
    def _of(cls, array: Any, numbers: dict[Hashable, int] | None = None) -> Labels:
        """Of names each of which is another one; numbers by their keys, where these are known."""
        made = cls.__new__(cls)
        made._set(array, numbers)
        return made

    def _set(self, array: Any, numbers: dict[Hashable, int] | None) -> None:
        array.flags.writeable = False
        self._names, self._known = array, numbers
        #: Whether a vertex is called by an integer; where none is, vertices go by number, too.
        self.integers = array.shape[0] > 0 and array.dtype.kind in "iub"
        #: Whether one is called by a tuple or a set, which is then no list of several's numbers.
        self.collections = False
        if array.dtype == object:
            kinds = set(map(type, array.tolist() if numbers is None else numbers))
            self.integers = any(issubclass(kind, int) for kind in kinds)
            self.collections = any(issubclass(kind, tuple | frozenset) for kind in kinds)

    @property
    def _numbers(self) -> dict[Hashable, int]:
        """The vertices by the keys of their names, made when somebody first looks one up."""
        if self._known is None:
            self._known = dict(zip(keys_of(self._names), range(len(self)), strict=True))
        return self._known

    def __len__(self) -> int:
        return int(self._names.shape[0])

    def __iter__(self) -> Iterator[Any]:
        return iter(each_of(self._names))

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
            raise UnknownLabel(
                f"labels: no vertex is called {brief(name)}{self._alike(name)}"
            ) from None
        except TypeError:
            raise DomainMismatch(f"labels: expected a name, got {brief(name)}") from None

    def _alike(self, name: Any) -> str:
        """The end of a message: a name that differs by its type or by blanks alone."""
        alike: list[Any] = []
        if isinstance(name, str):
            text = name.strip()
            is_number = text.isascii() and text.isdigit() and len(text) < 19
            alike = [text, int(text)] if is_number else [text]
        elif isinstance(name, int | np.integer) and abs(int(name)) < 2**63:
            alike = [str(name)]
        found = next((other for other in alike if other in self), None)
        return "" if found is None else f", but one is called {brief(found)}"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Labels) and list(self._numbers) == list(other._numbers)

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        some = ", ".join(map(repr, each_of(self._names[:4])))
        return f"<Labels of {len(self)}: {some}{', ...' if len(self) > 4 else ''}>"

    def _repr_html_(self) -> str:
        kinds = {type(name).__name__ for name in each_of(self._names[:_LISTED])}
        kind = ", ".join(sorted(kinds)) if self._names.dtype == object else str(self._names.dtype)
        facts = [
            ("names", f"{len(self):,}"),
            ("format", kind),
            ("device", "cpu"),
            ("bytes", size(self._names.nbytes)),
        ]
        rows = [[f"{v:,}", str(name)] for v, name in enumerate(each_of(self._names[:_LISTED]))]
        if len(self) > _LISTED:
            rows.append([f"... {len(self) - _LISTED:,} more", ""])
        return facts_and_table("Labels", facts, ["vertex", "name"], rows)

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
        array = as_names(names)
        try:
            return looked_up(self._numbers, keys_of(array))
        except (KeyError, TypeError):
            # One of them is none: which one says the error.
            return np.array([self[name] for name in each_of(array)], np.int64)

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
        DomainMismatch
            When there are others than integers.
        """
        if vertices is None:
            return self._names.copy()
        numbers = as_array(vertices, "vertices")
        if numbers.size and numbers.dtype.kind not in "iu":
            raise DomainMismatch(f"vertices: expected integers, got {brief(vertices)}")
        if numbers.size and not 0 <= int(numbers.min()) <= int(numbers.max()) < len(self):
            raise IndexOutOfBound(f"vertices: expected 0 to {len(self) - 1}, got {brief(vertices)}")
        return self._names[numbers.astype(np.int64)]


def _occurs_twice(names: Any, name: Any) -> InvalidValue:
    """Of a list of names, or of what they are looked up by."""
    first, second, *_ = np.flatnonzero([each == name for each in names]).tolist()
    return InvalidValue(
        f"names: expected each once, but {brief(name)} is that of vertex {first} and of {second}"
    )


def as_names(names: Any, *, own: bool = False) -> Any:
    """An array of names, one dimension; a tuple is a name.  With `own` it is nobody else's."""
    if isinstance(names, Labels):
        names = names._names
    if not isinstance(names, str | bytes) and hasattr(names, "to_numpy"):
        names = np.asarray(names)
    if isinstance(names, np.ndarray):
        if names.ndim != 1:
            raise DimensionMismatch(f"names: expected one dimension, got shape {names.shape}")
        if names.dtype.kind in "USTV":
            return names.astype(object)
        return names.copy() if own else names
    try:
        listed = None if isinstance(names, str | bytes) else list(names)
    except TypeError:
        listed = None
    if listed is None:
        raise DomainMismatch(f"names: expected several, got {brief(names)}")
    # Dates of NumPy's in one unit are an array of them, which Arrow and pandas take as dates.
    if set(map(type, listed)) == {np.datetime64} and len({name.dtype for name in listed}) == 1:
        return np.array(listed)
    return objects(listed)


def objects(names: list[Any]) -> Any:
    made = np.empty(len(names), object)
    made[:] = names
    return made


def each_of(array: Any) -> list[Any]:
    """The names of an array one by one; NumPy makes numbers of its dates' lists."""
    return list(array) if array.dtype.kind in "mM" else array.tolist()


def call_by_name(error: VertexError, labels: Labels) -> None:
    """The vertices of an error by their names; what is no vertex stays a number."""
    message, *vertices = error.args
    known = [v for v in vertices if isinstance(v, int) and 0 <= v < len(labels)]
    names = dict(zip(known, each_of(labels.names(known)), strict=True))
    error.args = (message, *(names.get(v, v) for v in vertices))


def _key(name: Any) -> Hashable:
    """What a name is looked up by: those of NumPy, pandas and Python are the same."""
    # A time of day has no year.
    dated = hasattr(name, "isoformat") and hasattr(name, "year")
    if dated and getattr(name, "tzinfo", None) is None:
        name = np.datetime64(getattr(name, "to_datetime64", lambda: name)())
    if isinstance(name, np.datetime64):
        return name.astype("M8[ns]")
    return name.item() if isinstance(name, np.generic) else name


def keys_of(array: Any) -> list[Any]:
    """What the names of an array are looked up by; mostly the names, of which none is looked at."""
    if array.dtype.kind == "M":
        return list(array.astype("M8[ns]"))
    listed = each_of(array)
    return listed if set(map(type, listed)) <= _OWN_KEYS else list(map(_key, listed))


def looked_up(numbers: dict[Hashable, int], keys: list[Any]) -> Any:
    return np.fromiter(map(numbers.__getitem__, keys), np.int64, len(keys))
