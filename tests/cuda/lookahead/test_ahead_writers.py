"""Every method of the protocol that takes a vector, between the statements of loops run ahead of.

Nobody says here which methods write in place: all are called, with all that the types of their
parameters allow, on vectors that a search that runs ahead still has to do with.  The loop then goes
on, and must come to what the reference engine comes to.
"""

from __future__ import annotations

import inspect
import itertools
import sys
import typing
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from gpu import cp

import spbfs as sb
from spbfs import Matrix, Vector
from spbfs.engines import get_engine
from spbfs.engines.cuda.lookahead.history import history_of
from spbfs.engines.cuda.lookahead.vectors import LazyFrontier, LazyVisited
from spbfs.engines.protocol import D, Engine, Hints, Indices, MaskData, Operation
from spbfs.operators.definitions import (
    TypedBinary,
    TypedIndexUnary,
    TypedMonoid,
    TypedUnary,
)
from spbfs.operators.dtypes import FP64, INT64, DType
from spbfs.operators.tables.builtin import BINARY, INDEXUNARY, MONOID, SEMIRING, UNARY
from spbfs.storage.data import MatrixData, VectorData
from tests.unit.house.test_in_place_writers import GIVEN_UP, sources, writers

assert cp
N = 40
#: When the method is called: before what is visited was written under a frontier, between the
#: statements of a loop whose vectors are not materialised, and of one whose vectors are.
MOMENTS = ("start", "lazy", "read")
VECTORS = (VectorData, D, VectorData | MatrixData)
METHODS = {
    name: inspect.signature(method)
    for name, method in inspect.getmembers(Engine, inspect.isfunction)
    if any(t in VECTORS for k, t in typing.get_type_hints(method).items() if k != "return")
}


def entries(data: VectorData, device: str) -> dict[int, Any]:
    return Vector._from_data(data, device).to_dict()


class Loop:
    """A search of the six lines by calls of one engine, stopped at a moment."""

    def __init__(self, device: str, A: Matrix, ring: str, moment: str) -> None:
        self.device, self.A, self.moment = device, A, moment
        self.engine: Any = get_engine(device)
        self.semiring = SEMIRING[ring].resolve(INT64, A.dtype)
        self.depth = 0
        self.q, self.v, self.listed = (self.vector(at, 0) for at in ([0], [], [3, 5, 30]))
        self.dense, self.full = self.vector(range(2, 35), 9), self.vector(range(N), 1)
        if device == "cuda":
            self.listed = self.engine.to_list(self.listed)  # vectors so short are bitmaps else
            # As after a loop of so many steps.
            known = history_of(A._data, self.semiring, True, True)
            known.steps, known.reached_end, known.skip, known.backoff = 20, False, 0, 1
        with sb.lookahead(False):
            self.visit(), self.product(), self.visit()
        self.product()
        for _ in range(0 if moment == "start" else 3):
            self.visit(), self.product()
        if moment == "read":
            self.look()

    def vector(self, at: Any, value: int) -> VectorData:
        return Vector.from_coo(
            list(at), np.full(len(at), value), size=N, dtype=int, device=self.device
        )._data

    def visit(self) -> None:
        front = MaskData(self.q, True)
        self.v = self.engine.assign_scalar_vector(
            self.v, np.int64(self.depth), None, front, None, False
        )
        self.depth += 1

    def product(self) -> None:
        visited = MaskData(self.v, True, True)
        A = self.A._data
        self.q = self.engine.mxv((A, self.semiring, True, True), self.q, visited, Hints())

    def look(self) -> list[dict[int, Any]]:
        return [entries(x, self.device) for x in (self.q, self.v)]

    def pool(self, kind: Any, name: str) -> dict[str, Any]:
        """What there is of a type, by names that are the same for every engine."""
        vectors = {"v": self.v, "q": self.q}
        if name not in GIVEN_UP:
            vectors |= {"listed": self.listed, "dense": self.dense, "full": self.full}
        plus = BINARY["plus"].resolve(INT64, INT64)
        some = self.engine.asarray(np.array([2, 4, 30]))
        pools: dict[Any, dict[str, Any]] = {
            MaskData | None: {
                "none": None,
                "q": MaskData(self.q, True),
                "not q": MaskData(self.q, True, True),
                "not v": MaskData(self.v, True, True),
                "listed": MaskData(self.listed, True),
                "true of dense": MaskData(self.dense, False),
            },
            np.ndarray | None: {"all": None, "some": some},
            Indices: {"all": None, "some": some, "a range": range(2, 31, 7)},
            np.generic: {"7": np.int64(7)},
            np.generic | None: {"none": None, "7": np.int64(7)},
            TypedBinary: {"plus": plus},
            TypedBinary | None: {"none": None, "plus": plus},
            TypedUnary: {"ainv": UNARY["ainv"].resolve(INT64)},
            TypedIndexUnary: {"rowle": INDEXUNARY["rowle"].resolve(INT64)},
            TypedMonoid: {"plus": MONOID["plus"].resolve(INT64)},
            bool: {"false": False, "true": True},
            int: {"0": 0},
            DType: {"FP64": FP64},
            Hints: {"auto": Hints()},
            MatrixData: {"A": self.A._data},
            Operation: {
                f"{ring.op.name}, {transpose}, {first}": (self.A._data, ring, transpose, first)
                for ring in (self.semiring, SEMIRING["plus_plus"].resolve(INT64, INT64))
                for transpose in (False, True)
                for first in (False, True)
            },
        }
        if kind in VECTORS:
            return vectors
        # An array is annotated as anything.
        return pools[np.ndarray | None] if kind in (Any, Any | None) else pools[kind]

    def call(self, name: str, given: dict[str, str]) -> Any:
        hints = typing.get_type_hints(getattr(Engine, name))
        arguments = {k: self.pool(hints[k], k)[label] for k, label in given.items()}
        made = getattr(self.engine, name)(**arguments)
        for k in GIVEN_UP & given.keys():
            # Whoever gives a vector up has the result for it, copied if it may be another's.
            if made is not arguments[k] and not isinstance(made, LazyVisited | LazyFrontier):
                made = self.engine.copy(made)
            setattr(self, given[k], made)
        return made


def calls(name: str, loop: Loop) -> Iterator[dict[str, str]]:
    """Everything that a method may be called with, by the names in pools."""
    hints = typing.get_type_hints(getattr(Engine, name))
    parameters = [p for p in METHODS[name].parameters if p != "self"]
    for labels in itertools.product(*(loop.pool(hints[p], p) for p in parameters)):
        given = dict(zip(parameters, labels, strict=True))
        if given.get("replace") == "true" and given.get("mask") == "none":
            continue
        if "left" in given and (given["left"] == "none") == (given["right"] == "none"):
            continue
        if given.get("indices", "all") != "all" and name == "assign_vector":
            continue  # as long as the region
        yield given


@pytest.fixture(scope="module")
def graphs() -> dict[str, Matrix]:
    rows = np.r_[np.arange(N - 1), 3, 7, 11]
    columns = np.r_[np.arange(1, N), 6, 15, 2]
    return {
        device: Matrix.from_coo(rows, columns, 1, nrows=N, ncols=N, dtype=int, device=device)
        for device in ("cuda", "reference")
    }


@pytest.mark.parametrize("moment", MOMENTS)
@pytest.mark.parametrize("ring", ["any_pair", "min_firstj"])
def test_loops_run_ahead_up_to_that_moment(graphs: Any, ring: str, moment: str) -> None:
    loop = Loop("cuda", graphs["cuda"], ring, moment)
    assert type(loop.q) is LazyFrontier
    assert (type(loop.v) is LazyVisited) == (moment != "start")
    assert loop.q._arrays is None or moment == "read"


def check(graphs: dict[str, Matrix], name: str, ring: str, moment: str) -> set[str]:
    """Call a method with everything; the names of the functions that this ran on CUDA."""
    ran: set[str] = set()

    def note(frame: Any, event: str, _: Any) -> None:
        if event == "call":
            ran.add(frame.f_code.co_name)

    for given in calls(name, Loop("reference", graphs["reference"], ring, moment)):
        found = []
        for device in ("reference", "cuda"):
            loop = Loop(device, graphs[device], ring, moment)
            if device == "cuda":
                sys.setprofile(note)
            try:
                made = loop.call(name, given)
            finally:
                sys.setprofile(None)
            for _ in range(3):
                loop.visit(), loop.product()
            found.append(loop.look())
            if isinstance(made, VectorData) and not GIVEN_UP & given.keys():
                found[-1].append(entries(made, device))
        assert found[0] == found[1], f"{name} with {given}"
    return ran


WRITING = {name for name, signature in METHODS.items() if GIVEN_UP & signature.parameters.keys()}


@pytest.mark.parametrize("moment", MOMENTS)
@pytest.mark.parametrize("name", sorted(METHODS.keys() - WRITING))
def test_methods_that_read(graphs: Any, name: str, moment: str) -> None:
    check(graphs, name, "min_firstj", moment)


@pytest.mark.parametrize("moment", MOMENTS)
@pytest.mark.parametrize("ring", ["any_pair", "min_firstj"])
def test_methods_that_may_write(graphs: Any, ring: str, moment: str) -> None:
    """They must call every writer that the sources show, or this tests less than there is."""
    ran: set[str] = set()
    for name in sorted(WRITING):
        ran |= check(graphs, name, ring, moment)
    good, _ = writers(sources())
    assert good <= ran, good - ran
