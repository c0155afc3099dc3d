"""Objects and results can be referred to weakly, as keys of caches are."""

from __future__ import annotations

import inspect
import weakref
from typing import Any

import pytest

import spbfs as sb

CLASSES = {name: kind for name in sb.__all__ if inspect.isclass(kind := getattr(sb, name))}
CLASSES["DType"] = sb.dtypes.DType
#: Python has weak references to no tuple, nor to objects of its subclasses.
TUPLES = {name for name, kind in CLASSES.items() if issubclass(kind, tuple)}


@pytest.mark.parametrize("name", sorted(CLASSES.keys() - TUPLES))
def test_objects_of_public_classes_can_be_referred_to_weakly(name: str) -> None:
    assert CLASSES[name].__weakrefoffset__ > 0


def test_what_unpacks_is_a_tuple() -> None:
    assert {
        "BFSDag",
        "BFSOrder",
        "Bipartition",
        "Communities",
        "HITS",
        "ShortestPath",
    } == TUPLES


def test_a_reference_ends_with_its_object() -> None:
    def made() -> list[Any]:
        A = sb.generate.path(4)
        return [sb.sssp(A, 0), sb.bfs_many(A, [0]), sb.Labels(["a"]), sb.Energy()]

    kept = made()
    references = [weakref.ref(x) for x in kept]
    assert all(r() is x for r, x in zip(references, kept, strict=True))
    kept.clear()
    assert [r() for r in references] == [None] * 4
