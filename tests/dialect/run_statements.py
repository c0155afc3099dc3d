"""Runs statements that come as JSON and says what each did: ``run_statements.py < in > out``.

Whichever `graphblas` is on the path runs them.  In: documents with their statements.  Out: for
each statement what it named afterwards, or the error it ended in.
"""

from __future__ import annotations

import ast
import contextlib
import io
import json
import random
import signal
import sys
from typing import Any

from digests import digest

#: Seconds that one statement may take.
LIMIT = 20
#: What examples of a line or two, out of their context, take for granted.
SETTING = (
    "from graphblas import Matrix, Scalar, Vector, replace",
    "from graphblas import binary, dtypes, monoid, semiring, unary",
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
    "row_index, col_index, rows, cols = 0, 1, [0, 1], [1, 2]",
)


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


def main() -> None:
    signal.signal(signal.SIGALRM, _ends)
    results = {}
    for document, statements in json.load(sys.stdin).items():
        import graphblas as gb
        import numpy as np

        names: dict[str, Any] = {"__name__": "__main__", "gb": gb, "np": np}
        for statement in SETTING:
            exec(statement, names)
        outcomes = results[document] = []
        for statement in statements:
            signal.alarm(LIMIT)
            random.seed(1)
            np.random.seed(1)  # noqa: NPY002 - what layouts of graphs draw from
            try:
                with contextlib.redirect_stdout(io.StringIO()):
                    outcomes.append({"value": run(statement, names)})
            except Exception as error:
                outcomes.append({"error": f"{type(error).__name__}: {error}"[:200]})
            finally:
                signal.alarm(0)
    json.dump(results, sys.stdout)


if __name__ == "__main__":
    main()
