"""Vectors whose values are vertices say what these are called."""

from __future__ import annotations

import copy
import pickle
from typing import Any

import pytest

import spbfs as sb
from spbfs.exceptions import DomainMismatch, InvalidValue, SpbfsError

NAMES = ["ann", "bob", "eve", "zoe"]


def graph() -> sb.Matrix:
    """Edges both ways between ann and bob, and from eve to zoe."""
    A = sb.Matrix.from_coo([0, 1, 2], [1, 0, 3], 1, nrows=4, ncols=4)
    A.labels = NAMES
    return A


def test_values_that_are_vertices_have_names() -> None:
    A = graph()
    parts = {"ann": "ann", "bob": "ann", "eve": "eve", "zoe": "eve"}
    of_vertices: dict[str, Any] = {
        "components": sb.components(A),
        "composed": sb.components(A, method="composed"),
        "label_propagation": sb.label_propagation(A),
        "louvain": sb.louvain(A).communities,
    }
    for name, vector in of_vertices.items():
        assert vector.to_pandas().to_dict() == parts, name
        assert vector.value_labels is A.labels
    assert sb.strong_components(A).to_pandas().to_dict() == parts | {"zoe": "zoe"}
    tree = {"eve": "eve", "zoe": "eve"}
    trees = [sb.bfs(A, "eve"), sb.sssp(A, "eve"), sb.widest_path(A, "eve"), sb.bfs_order(A, "eve")]
    for found in [*trees, sb.BFSPlan(A).run("eve"), pickle.loads(pickle.dumps(trees[0]))]:
        assert found.parents.to_pandas().to_dict() == tree
        assert found.parents.to_dict() == {2: 2, 3: 2}, "the values are numbers all the same"
    for numbers in (sb.bfs(A, "eve").levels, sb.colouring(A), sb.core_numbers(A)):
        assert numbers.value_labels is None
    A.labels = None
    assert sb.components(A).value_labels is sb.bfs(A, 0).parents.value_labels is None
    assert sb.components(A).to_pandas().to_dict() == {0: 0, 1: 0, 2: 2, 3: 2}


def test_who_keeps_them() -> None:
    v = sb.components(graph())
    q = sb.Vector.from_coo([3, 1], True, size=4)
    kept = [
        v.dup(),
        v.new(),
        v.new(mask=q.S),
        v.new("INT32"),
        v.to("reference"),
        v.select(">", 1).new(),
        v.select(q.S).new(),
        v[[3, 1]].new(),
        v[:].new().dup().select("<", 4).new(),
        pickle.loads(pickle.dumps(v)),
        copy.deepcopy(v),
    ]
    for vector in kept:
        assert vector.value_labels == v.value_labels
    assert v[[3, 1]].new().to_pandas().to_dict() == {0: "eve", 1: "ann"}
    assert v.new(mask=q.S).to_pandas().to_dict() == {"bob": "ann", "zoe": "eve"}
    others = [
        (v + 1).new(),
        v.apply("ainv").new(),
        v.ewise_add(v, "plus").new(),
        v.new(float),
        v.new(bool),
        sb.semiring.plus_times(v @ graph()).new(),
    ]
    assert [vector.value_labels for vector in others] == [None] * len(others)
    assert [vector.labels for vector in others[:5]] == [v.labels] * 5


def test_a_type_too_small_for_the_vertices_ends_them() -> None:
    """300 vertices are no values of UINT8, in which that before the last is 42."""
    A = sb.generate.path(300)
    A.labels = [f"v{k}" for k in range(300)]
    parents = sb.bfs(A, "v0").parents
    assert parents.new("INT16").to_pandas()["v299"] == "v298"
    small = parents.new("UINT8")
    assert small.value_labels is None and small.to_pandas()["v299"] == 298 - 256


@pytest.mark.parametrize(
    "write",
    [
        lambda v: v << 0,
        lambda v: v << v + 1,
        lambda v: v(mask=v.V) << 7,
        lambda v: v("plus") << v,
        lambda v: v.__setitem__(0, 5),
        lambda v: v.__setitem__([0, 1], 5),
        lambda v: v[1:]("plus") << 5,
        lambda v: v.__iadd__(v),
        lambda v: v.update(3),
        lambda v: v.resize(2),
        lambda v: v.build([0], [1], clear=True),
    ],
)
def test_what_is_written_ends_them(write: Any) -> None:
    v = sb.components(graph())
    write(v)
    assert v.value_labels is None
    if v.size == 4 and v.nvals == 4:
        assert not set(v.to_pandas()) & set(NAMES)


@pytest.mark.parametrize(
    "write",
    [
        lambda v: v << sb.Vector(int, 5),
        lambda v: v << "ann",
        lambda v: v << 2**70,
        lambda v: v("plus") << "ann",
        lambda v: v(sb.Vector(bool, 9).S) << 3,
        lambda v: v.__setitem__([0, 1], sb.Vector(int, 5)),
        lambda v: v.__setitem__(9, 0),
        lambda v: v.build([9], [1], clear=True),
    ],
)
def test_what_is_refused_leaves_them(write: Any) -> None:
    v = sb.components(graph())
    with pytest.raises(SpbfsError):
        write(v)
    assert v.value_labels is not None


def test_names_of_values_are_shown() -> None:
    v = sb.components(graph())
    assert str(v).splitlines()[1:] == ["ann  bob  eve  zoe", "ann  ann  eve  eve"]
    assert v._repr_html_().count("ann") == 3
    far = sb.Vector.from_coo([0, 1], [1, 99])
    far.value_labels = ["a" * 50, "b" * 50]
    assert "bbbbbbbbbbb…" in str(far) and "99" in str(far)


def test_which_vectors_may_have_them() -> None:
    v = sb.Vector.from_coo([1], [2], size=3)
    v.value_labels = ["ann", "bob", "eve", "zoe"]
    assert v.to_pandas().to_dict() == {1: "eve"}
    v.value_labels = None
    assert v.to_pandas().to_dict() == {1: 2}
    with pytest.raises(InvalidValue, match="each once"):
        v.value_labels = ["ann", "ann"]
    for dtype in (float, bool):
        with pytest.raises(DomainMismatch, match="value_labels"):
            sb.Vector(dtype, 2).value_labels = NAMES
