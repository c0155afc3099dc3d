"""Objects of users' subclasses are copied whole, by every protocol of pickle, as all others are."""

from __future__ import annotations

import copy
import pickle
from typing import Any

import pytest

import spbfs as sb
from spbfs import Matrix, Scalar, Vector

PROTOCOLS = range(pickle.HIGHEST_PROTOCOL + 1)


class Graph(Matrix):
    pass


class Marked(Vector):
    __slots__ = ("__hidden", "mark", "never")

    def __init__(self, *args: Any, must: int) -> None:
        super().__init__(*args)
        self.__hidden = must

    def hidden(self) -> int:
        return self.__hidden


class Price(Scalar):
    __slots__ = ("__dict__", "unit")


def made() -> tuple[Graph, Marked, Price]:
    A, v, s = Graph(float, 3, 3), Marked(int, 3, must=4), Price(float)
    A[0, 1], v[2] = 1.5, 5
    s << 2.5
    A.source, v.mark, s.unit, s.day = ["file"], "m", "EUR", 3  # type: ignore[attr-defined]
    return A, v, s


@pytest.mark.parametrize(
    "again",
    [
        *(lambda x, p=p: pickle.loads(pickle.dumps(x, p)) for p in PROTOCOLS),
        copy.copy,
        copy.deepcopy,
    ],
    ids=[*map(str, PROTOCOLS), "copy", "deepcopy"],
)
def test_what_a_subclass_adds_is_kept(again: Any) -> None:
    A, v, s = made()
    B, w, t = map(again, (A, v, s))
    assert type(B) is Graph and B.isequal(A) and B.source == ["file"]
    assert (B.source is A.source) is (again is copy.copy)  # type: ignore[attr-defined]
    assert type(w) is Marked and w.isequal(v) and (w.mark, w.hidden()) == ("m", 4)
    assert not hasattr(w, "never")
    assert type(t) is Price and (t.value, t.unit, t.day) == (2.5, "EUR", 3)


def test_what_is_computed_or_elsewhere_is_plain() -> None:
    A, v, _ = made()
    for x, kind in ((A, Matrix), (v, Vector)):
        for found in (x.to("reference"), x.dup(), x.dup(clear=True), (x + x).new(), x.gather()):
            assert type(found) is kind or found is x
        assert x.to("cpu") is x and x.to("reference").isequal(x.dup().to("reference"))


class Opened(Vector):
    """What it has opened stays behind, and is opened again."""

    def __getstate__(self) -> Any:
        return {"path": self.path}  # type: ignore[attr-defined]

    def __setstate__(self, state: Any) -> None:
        self.path = state["path"]
        self.handle = f"handle of {self.path}"


class Counted(Matrix):
    def __getstate__(self) -> Any:
        return {**super().__getstate__(), "copies": self.copies + 1}


class Unit(Scalar):
    __slots__ = ("unit",)

    def __getstate__(self) -> Any:
        return (self.unit,)

    def __setstate__(self, state: Any) -> None:
        (self.unit,) = state


@pytest.mark.parametrize(
    "again",
    [*(lambda x, p=p: pickle.loads(pickle.dumps(x, p)) for p in PROTOCOLS), copy.copy],
    ids=[*map(str, PROTOCOLS), "copy"],
)
def test_a_subclass_says_what_its_state_is(again: Any) -> None:
    v, A, s = Opened(int, 3), Counted(float, 2, 2), Unit(int)
    v[1], v.path, v.handle = 5, "a.txt", lambda: None  # type: ignore[assignment]
    A[0, 1], A.copies, A.source = 2.5, 0, "file"  # type: ignore[attr-defined]
    s << 3
    s.unit = "EUR"
    w, B, t = map(again, (v, A, s))
    assert type(w) is Opened and w.to_dict() == {1: 5}
    assert vars(w) == {"path": "a.txt", "handle": "handle of a.txt"}
    assert type(B) is Counted and B.isequal(A) and vars(B) == {"copies": 1, "source": "file"}
    assert type(t) is Unit and (t.value, t.unit) == (3, "EUR")


def of_every_kind() -> dict[str, Any]:
    A = Matrix.from_coo([0, 1, 2], [1, 2, 0], [1.0, 2.0, 3.0])
    named = Matrix.from_coo([0, 1], [1, 0], True)
    named.labels = ["ann", "bob"]
    v = Vector.from_dense([1.0, 2.0, 3.0])
    far = 2**40
    return {
        "matrix": A,
        "named": named,
        "hypersparse": Matrix.from_coo([far - 1], [5], [1], nrows=far, ncols=far),
        "vector": v,
        "scalar": Scalar.from_value(3),
        "view": A.T,
        "mask": ~v.S,
        "sum": v + v,
        "product": A @ v,
        "element": A[0, 1],
        "labels": named.labels,
        "dtype": A.dtype,
        "bfs": sb.bfs(A, 0),
        "bfs_many": sb.bfs_many(A, [0, 1]),
        "sssp": sb.sssp(A, 0),
        "bfs_dag": sb.bfs_dag(A, 0),
        "bfs_order": sb.bfs_order(A, 0),
        "bipartite": sb.bipartite(A),
        "hits": sb.hits(A),
        "louvain": sb.louvain(named),
        "shortest_path": sb.shortest_path(A, 0, 2),
        "plan": sb.BFSPlan(A),
        "operator": sb.semiring.min_plus,
        "energy": sb.Energy(),
    }


@pytest.mark.parametrize("name", of_every_kind())
@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_every_protocol_writes_every_kind(name: str, protocol: int) -> None:
    original = of_every_kind()[name]
    other = pickle.loads(pickle.dumps(original, protocol))
    assert type(other) is type(original)
    if isinstance(original, Matrix | Vector):
        assert other.isequal(original, check_dtype=True)
    elif name in ("view", "mask", "sum", "product"):
        assert other.new().isequal(original.new())
