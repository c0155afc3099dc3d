"""No message has a matrix's entries in it, whatever is put in the place of whatever argument."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp

import spbfs as sb
from spbfs.base.wording import brief
from spbfs.exceptions import DomainMismatch

#: An entry that nothing else says.
SECRET = 987654
MATRIX = sb.Matrix.from_coo([0, 1, 2], [1, 2, 0], SECRET)
HOLDERS: dict[str, Any] = {
    "matrix": MATRIX,
    "transposed": MATRIX.T,
    "vector": sb.Vector.from_coo([0, 1, 2], SECRET),
    "SciPy": sp.csr_array(np.full((3, 3), SECRET)),
    "array": np.full((3, 3), SECRET),
    "objects": np.full((2, 2), SECRET, object),
    "frame": pd.DataFrame({"source": [SECRET] * 3, "b": [SECRET] * 3}),
    "column": pd.Series([SECRET + 0.5] * 3),
    "matrices": [MATRIX, MATRIX],
    "table": {"a": MATRIX},
    "pair": (MATRIX, 1),
    "long": [SECRET] * 100_000,
    "long text": "x" * 100_000,
}
A = sb.generate.path(4)
v = sb.Vector.from_coo([0], True, size=4)
#: Calls that work, by the arguments that are replaced one by one.
CALLS: dict[str, tuple[Callable[..., Any], dict[str, Any]]] = {
    "bfs": (sb.bfs, {"A": A, "source": 0}),
    "bfs_many": (sb.bfs_many, {"A": A, "sources": [0]}),
    "levels": (sb.levels, {"A": A, "source": 0}),
    "levels_many": (sb.levels_many, {"A": A, "sources": [0]}),
    "distances": (sb.distances, {"A": A}),
    "closeness": (sb.closeness, {"A": A}),
    "betweenness": (sb.betweenness, {"A": A}),
    "khop_sizes": (sb.khop_sizes, {"A": A, "k": 1}),
    "index": (sb.KHopIndex, {"A": A, "k": 1}),
    "eccentricity": (sb.eccentricity, {"A": A}),
    "diameter_bounds": (sb.diameter_bounds, {"A": A}),
    "verify": (sb.verify.bfs_tree, {"A": A, "source": 0, "parents": None, "levels": [0, 1, 2, 3]}),
    "read": (sb.read, {"path": "no-such-file.txt"}),
    "write": (sb.write, {"path": "no/such/file.txt", "A": A}),
    "from_coo": (sb.Matrix.from_coo, {"rows": [0], "columns": [1]}),
    "from_edgelist": (sb.Matrix.from_edgelist, {"edges": [(0, 1)]}),
    "from_csr": (sb.Matrix.from_csr, {"indptr": [0, 1], "indices": [0]}),
    "from_dense": (sb.Matrix.from_dense, {"values": [[1]]}),
    "vector": (sb.Vector.from_coo, {"indices": [0]}),
    "Matrix": (sb.Matrix, {}),
    "set_threads": (sb.set_threads, {"threads": 1}),
    "mxm": (A.mxm, {"other": A}),
    "apply": (A.apply, {"op": "abs"}),
    "select": (A.select, {"op": "tril"}),
    "ewise_add": (A.ewise_add, {"other": A}),
    "reduce": (A.reduce_rowwise, {"op": "plus"}),
    "item": (lambda index: A[index], {"index": (0, 0)}),
    "element": (lambda index: v[index], {"index": 0}),
    "semiring": (lambda product: sb.semiring.plus_times(product), {"product": A @ A}),
    "binary": (lambda operands: sb.binary.plus(operands), {"operands": A | A}),
    "unary": (lambda operand: sb.unary.abs(operand), {"operand": A}),
    "call": (lambda mask: A.dup()(mask), {"mask": A.S}),
    "to": (A.to, {"device": "cpu"}),
    **{f"generate.{name}": (getattr(sb.generate, name), {}) for name in sb.generate.__all__},
}


def replaced(name: str) -> Iterator[tuple[str, str, dict[str, Any]]]:
    function, given = CALLS[name]
    parameters = inspect.signature(function).parameters.values()
    named = [p for p in parameters if p.kind not in (p.VAR_POSITIONAL, p.VAR_KEYWORD)]
    for parameter in named:
        for what, holder in HOLDERS.items():
            if parameter.name in ("path", "out", "checkpoint") and what == "long text":
                continue  # the name of a file is told whole
            yield parameter.name, what, given | {parameter.name: holder}


@pytest.mark.parametrize("name", CALLS)
def test_no_message_has_entries(name: str) -> None:
    function, _ = CALLS[name]
    positional = {
        p.name
        for p in inspect.signature(function).parameters.values()
        if p.kind is p.POSITIONAL_ONLY
    }
    for parameter, what, arguments in replaced(name):
        first = [arguments.pop(p) for p in list(arguments) if p in positional]
        try:
            function(*first, **arguments)
        except Exception as error:
            said = str(error)
            # The one value that is at fault may be named, a position by two numbers.
            assert said.count(str(SECRET)) <= 2, (parameter, what, said[:500])
            assert len(said) < 1000 and "\n" not in said, (parameter, what, said[:500])


def test_values_are_told() -> None:
    assert brief(MATRIX) == "Matrix of shape (3, 3)"
    assert brief((MATRIX, 1)) == "(Matrix of shape (3, 3), 1)"
    assert brief((1,)) == "(1,)" and brief([]) == "[]" and brief(None) == "None"
    assert brief({1, 2}) == "set of 2 items" and brief({"a": 1}) == "dict of 1 entries"
    assert brief(np.int64(3)) == "np.int64(3)" and brief(int) == "<class 'int'>"
    assert brief("x" * 100).endswith("...") and len(brief("x" * 100)) < 90
    assert brief(sb.Scalar.from_value(5)).startswith("Scalar(5")
    assert brief(np.array(1j)) == "array(0.+1.j)"
    assert (
        brief(ValueError("x" * 10000)).startswith("xxx") and len(brief(ValueError("x" * 999))) < 250
    )


@pytest.mark.parametrize("array", [np.array([7]), np.arange(1000), np.zeros((1, 1)), np.zeros(0)])
def test_an_array_is_no_number(array: np.ndarray) -> None:
    v = sb.Vector.from_dense([1, 2, 3])
    A = MATRIX.dup()
    calls: list[Callable[[], Any]] = [
        lambda: A.__setitem__((0, 0), array),
        lambda: v.__setitem__(0, array),
        lambda: v.apply("plus", right=array).new(),
        lambda: v.select(">", array).new(),
        lambda: v.ewise_union(v, "plus", array, 0).new(),
        lambda: sb.Scalar.from_value(array),
    ]
    for call in calls:
        with pytest.raises(DomainMismatch, match="expected a number"):
            call()
    assert A.isequal(MATRIX) and v.to_coo()[1].tolist() == [1, 2, 3]
