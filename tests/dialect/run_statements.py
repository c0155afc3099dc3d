"""Runs statements that come as JSON and says what each did: ``run_statements.py < in > out``.

Whichever `graphblas` is on the path runs them.  In: documents with their statements, and whether
these are run one after the other or each among the names of some forms.  Out: for each statement
what it named afterwards, or the error it ended in, once or for every form.
"""

from __future__ import annotations

import ast
import contextlib
import io
import json
import multiprocessing
import random
import signal
import sys
from typing import Any

import numpy as np
from digests import digest

#: Seconds that one statement may take.
LIMIT = 20
#: What examples of a line or two, out of their context, take for granted.
SETTING = (
    "from graphblas import Matrix, Scalar, Vector, replace",
    "from graphblas import agg, binary, dtypes, monoid, op, select, semiring, unary",
    "A = Matrix.from_coo([0, 0, 1, 2], [1, 2, 0, 2], [1, 2, 3, 4])",
    "B = Matrix.from_coo([0, 1, 1, 2], [0, 1, 2, 0], [5, 6, 7, 8])",
    "C = Matrix(int, 3, 3)",
    "M = A.dup()",
    "m = Matrix.from_coo([0, 1], [1, 0], True, nrows=3, ncols=3)",
    "mask = m",
    "v = Vector.from_coo([0, 2], [3, 4], size=3)",
    "w = Vector(int, 3)",
    "u = Vector.from_coo([1, 2], [5, 6], size=3)",
    "s = Scalar.from_value(7)",
    "cur_min = Scalar.from_value(1)",
    "row_index, col_index, rows, cols = 0, 1, [0, 1, 2], [1, 2, 0]",
)
#: What forms (``w(mask, accum) << v.vxm(B, semiring)``) stand for: about matrices, then vectors.
#: A statement that fails where it stands is run among the first of these that it fits.
_OPERATORS = (
    "accum, binaryop, unaryop = binary.plus, binary.times, unary.ainv",
    "semiring, op = semiring.min_plus, monoid.plus",
)
FORMS = (
    (
        *_OPERATORS,
        "mask, self, mask1, mask2 = m.V, A.S, A.S, B.S",
        "import networkx as nx, scipy.sparse",
        "m, g = scipy.sparse.csr_array([[0, 1], [2, 0]]), nx.path_graph(4)",
        "val, expr, result, nrows, ncols = C, A.T, A, 3, 3",
        "row_indices, col_indices, values = 0, 1, 2",
    ),
    (
        *_OPERATORS,
        "mask = Vector.from_coo([0, 2], True).S",
        "m = np.array([1.5, 2.5])",
    ),
    (*_OPERATORS, "mask, B = m.V, Matrix.from_coo([0], [0], [2])"),
    (
        "m = np.array([[1, 0], [0, 2]])",
        "A = A.dup(bool)",
        "v = Vector.from_dense([1, 2])",
        "cur_min = Vector.from_coo([0], [1], size=3)",
    ),
)


def setting(*more: str) -> dict[str, Any]:
    import graphblas as gb
    import numpy as np

    names: dict[str, Any] = {"__name__": "__main__", "gb": gb, "np": np}
    for statement in (*SETTING, *more):
        exec(statement, names)
    return names


def run(statement: str, names: dict[str, Any]) -> Any:
    """What a statement's names stand for after it; its own value, where it is an expression."""
    tree = ast.parse(statement)
    last = tree.body[0]
    value = None
    if isinstance(last, ast.Expr):
        value = eval(compile(ast.Expression(last.value), "statement", "eval"), names)
    else:
        exec(compile(tree, "statement", "exec"), names)
    used = {n.id for n in ast.walk(tree) if isinstance(n, ast.Name) and n.id in names}
    return [digest(value), {name: digest(names[name]) for name in sorted(used)}]


def _ends(*_: Any) -> None:
    raise TimeoutError(f"longer than {LIMIT} s")


def outcome(statement: str, names: dict[str, Any]) -> dict[str, Any]:
    signal.alarm(LIMIT)
    random.seed(1)
    np.random.seed(1)  # noqa: NPY002 - what layouts of graphs draw from
    try:
        with contextlib.redirect_stdout(io.StringIO()):
            return {"value": run(statement, names)}
    except Exception as error:
        return {"error": f"{type(error).__name__}: {error}"[:200]}
    finally:
        signal.alarm(0)


def run_document(statements: list[str]) -> list[list[dict[str, Any]]]:
    """The outcome of each statement, after those before it."""
    signal.signal(signal.SIGALRM, _ends)
    names = setting()
    return [[outcome(text, names)] for text in statements]


def run_forms(statements: list[str]) -> list[list[dict[str, Any]]]:
    """The outcomes of each statement among the names of each form."""
    signal.signal(signal.SIGALRM, _ends)
    return [[outcome(text, setting(*form)) for form in FORMS] for text in statements]


def main() -> None:
    given = json.load(sys.stdin)
    runner = {"documents": run_document, "forms": run_forms}[given["as"]]
    # Each in a process of its own, since operators that one registers would stay.
    with multiprocessing.get_context("fork").Pool(1, maxtasksperchild=1) as pool:
        found = pool.map(runner, given["texts"].values(), chunksize=1)
    json.dump(dict(zip(given["texts"], found, strict=True)), sys.stdout)


if __name__ == "__main__":
    main()
