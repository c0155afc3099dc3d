"""How much of python-graphblas's dialect holds: ``python -m tests.dialect CHECKOUT``.

Prints the counts of its own tests, of the statements of its documentation and of the calls of
graphblas-algorithms, and what fails.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from tests.dialect import algorithms, statements, suite


def main() -> int:
    parser = argparse.ArgumentParser(prog="tests.dialect", description=__doc__)
    parser.add_argument("checkout", type=Path, help="a checkout of python-graphblas, tag 2025.2.0")
    parser.add_argument(
        "--algorithms", type=Path, help="one of graphblas-algorithms; beside the other by default"
    )
    arguments = parser.parse_args()
    beside = arguments.checkout.resolve().parent
    found = [beside / name for name in ("graphblas-algorithms", "ga")]
    calls = arguments.algorithms or next((path for path in found if path.is_dir()), None)
    counts = suite.count(arguments.checkout)
    print(
        f"tests: {counts.passed} of {counts.applicable} that apply pass "
        f"({counts.collected} in all, {counts.internal} about SuiteSparse, "
        f"{counts.skipped} that it skips)"
    )
    for name in counts.failed:
        print(f"  {name}")
    documented = list(statements.compare(arguments.checkout))
    right = sum(outcome == "equal" for _, _, outcome in documented)
    print(f"statements of the documentation: {right} of {len(documented)} are equal")
    for document, statement, outcome in documented:
        if outcome != "equal":
            print(f"  {document}: {statement.splitlines()[0]:.70}  [{outcome:.100}]")
    if calls is None:
        print("graphblas-algorithms: no checkout; name one by --algorithms")
        return 0
    results = list(algorithms.compare(calls))
    print(f"calls of graphblas-algorithms: {sum(r for _, r, _ in results)} of {len(results)} right")
    for judge in ("NetworkX", "python-graphblas"):
        print(f"  {sum(r and how == judge for _, r, how in results)} as {judge}")
    for name, is_right, why in results:
        if not is_right:
            print(f"  {name}: {why:.120}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
