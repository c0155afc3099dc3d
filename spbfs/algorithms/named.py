"""Algorithms over a matrix with labels: vertices go in by their names, labels come out again.

A door of its own, which `spbfs` puts before every algorithm, and `spbfs.verify` before every check:
those know numbers alone.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import wraps
from inspect import signature
from typing import Any

import numpy as np

from spbfs.base.wording import brief
from spbfs.exceptions import (
    DimensionMismatch,
    DomainMismatch,
    InvalidValue,
    SpbfsError,
    UnknownLabel,
    VertexError,
)
from spbfs.objects.labels import Labels, call_by_name
from spbfs.objects.placement.gpu_arrays import at_host, on_gpu
from spbfs.objects.stored_object import StoredObject
from spbfs.objects.vector import Vector

__all__ = ["by_name", "labelled", "labels_of", "named", "numbers"]

#: Arguments that are vertices, one or several.
VERTICES = {"source", "sources", "target", "targets", "vertices", "vertex", "seeds", "roots"}
#: And those that are pairs of vertices.
PAIRS = {"pairs"}
#: And those that are values of vertices, which a mapping has by name.
VALUES = {"beta", "personalization", "start"}
#: Algorithms, and parts of results, whose values are vertices: these have names, too.
VALUED = {"communities", "components", "label_propagation", "parents", "strong_components"}
#: Arrays of vertices that are parts of results, which have names instead.
ARRAYS = {"odd_cycle", "vertices"}


def named(function: Callable[..., Any], home: str) -> Callable[..., Any]:
    """The function, whose first argument may have labels, as a module has it under its name."""
    parameters = list(signature(function).parameters)
    taken = VERTICES | PAIRS | VALUES
    places = [i for i, name in enumerate(parameters) if name in taken]

    @wraps(function)
    def call(*args: Any, **kwargs: Any) -> Any:
        labels = labels_of(args[0] if args else kwargs.get(parameters[0]))
        if labels is None:
            return function(*args, **kwargs)
        given = list(args)
        for i in places:
            if i < len(given):
                given[i] = numbers(given[i], labels, parameters[i])
        for name in taken & kwargs.keys():
            kwargs[name] = numbers(kwargs[name], labels, name)
        try:
            result = function(*given, **kwargs)
        except VertexError as error:
            call_by_name(error, labels)
            raise
        # What there is a number a pair of is not by vertices.
        of_pairs = any(kwargs.get(name) is not None for name in PAIRS) or any(
            given[i] is not None for i in places if i < len(given) and parameters[i] in PAIRS
        )
        return result if of_pairs else labelled(result, labels, function.__name__)

    # Where pickle looks for it: other processes call what was called here.
    call.__module__ = home
    return call


def labels_of(A: Any) -> Labels | None:
    """What the vertices of a graph are called, where it is a matrix that says so."""
    labels = getattr(A, "labels", None)
    return labels if isinstance(labels, Labels) else None


def numbers(named: Any, labels: Labels, what: str) -> Any:
    """A vertex or several by their numbers; integers are numbers where no vertex is called one.

    Raises
    ------
    UnknownLabel
        When no vertex is called so.
    """
    try:
        if what in VALUES:
            return _valued(named, labels, what)
        if what not in PAIRS or named is None:
            return _numbers(named, labels)
        if isinstance(named, str | bytes):
            raise DomainMismatch(f"labels: expected pairs of names, got {brief(named)}")
        return [_numbers(list(pair), labels) for pair in at_host(named)]
    except TypeError as error:
        # Ours say what was expected; what else there is comes from going through what is no list.
        if not isinstance(error, SpbfsError):
            raise DomainMismatch(f"{what}: expected names, got {brief(named)}") from None
        raise type(error)(_said_of(what, error)) from None
    except (DimensionMismatch, UnknownLabel) as error:
        raise type(error)(_said_of(what, error)) from None


def _said_of(what: str, error: SpbfsError) -> str:
    """What the error says of `labels` or `names`, said of the argument that they were."""
    subject, _, rest = str(error).partition(": ")
    return f"{what}: {rest if subject in ('labels', 'names') else error}"


def _numbers(named: Any, labels: Labels) -> Any:
    if isinstance(named, Iterator):
        named = list(named)
    if named is None or (_by_number(named, labels) and _integers(named)):
        return named
    if on_gpu(named):  # where no name is looked up
        return _numbers(at_host(named), labels)
    if isinstance(named, str | bytes) or named in labels or not hasattr(named, "__iter__"):
        return labels[named]
    return labels.numbers(named)


def _by_number(named: Any, labels: Labels) -> bool:
    """Whether integers, one or several, are numbers of vertices."""
    is_name = labels.collections and isinstance(named, tuple | frozenset)
    return not labels.integers and not is_name


def by_name(values: Any) -> bool:
    """Whether they are a mapping, as a dictionary or a pandas Series is."""
    return hasattr(values, "keys") and hasattr(values, "items") and not hasattr(values, "columns")


def _valued(values: Any, labels: Labels, what: str) -> Any:
    """Values of vertices by their numbers where they were by name; others as they are."""
    if not by_name(values):
        return values
    named, of_each = [], []
    for name, value in values.items():
        named.append(name)
        of_each.append(value)
    made = dict(zip(np.asarray(_numbers(named, labels)).tolist(), of_each, strict=True))
    if len(made) < len(named):
        raise InvalidValue(f"{what}: expected every vertex once")
    return made


def _integers(given: Any) -> bool:
    """Whether it is an integer, or nothing but integers."""
    if hasattr(given, "dtype"):
        if not hasattr(given.dtype, "kind"):  # a column of a data frame whose types are its own
            given = np.asarray(given)
        return given.dtype.kind in "iu"
    several = given if isinstance(given, list | tuple | set | frozenset | range) else [given]
    # To NumPy a time between two dates is an integer.
    none = bool | np.timedelta64
    return all(isinstance(v, int | np.integer) and not isinstance(v, none) for v in several)


def labelled(result: Any, labels: Labels, what: str = "") -> Any:
    """What an algorithm returns, or a part of it: its vectors and matrices with the labels."""
    if isinstance(result, tuple):
        fields = getattr(result, "_fields", ("",) * len(result))
        for name, part in zip(fields, result, strict=True):
            labelled(part, labels, name)
        named = {name: labels.names(getattr(result, name)) for name in ARRAYS.intersection(fields)}
        return result._replace(**named) if named else result  # type: ignore[attr-defined]
    if isinstance(result, StoredObject):
        if set(result.shape) == {len(labels)}:
            result.labels = labels
        if what in VALUED and isinstance(result, Vector):
            result.value_labels = labels
    elif hasattr(result, "labelled"):
        result.labelled(labels)
    return result
