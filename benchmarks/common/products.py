"""Products that are measured on both devices: which, of what operands, and their table."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import scipy.sparse as sp

import spbfs as sb
from benchmarks.common.report import method_lines

GRAPHS = ("kron20", "uniform16", "road")
#: One row of a result in so many is admitted by the mask of masked products.
ADMITTED = 10

METHOD = {
    "operands": (
        "the graph with integers 1 to 255 for values, or its pattern alone, and a vector that has "
        "every element, or a random half of them; masks admit random rows, one in ten"
    ),
    "statement": "y << semiring(A @ x) into a fresh y, `y(mask.S) << ...` where masked",
}


@dataclass(frozen=True)
class Case:
    """A product ``y << semiring(A @ x)``."""

    semiring: str
    dtype: str
    #: Whether the matrix has values of its own; else it is a pattern.
    valued: bool = True
    masked: bool = False
    #: Whether the vector has half of its elements.
    half: bool = False

    @property
    def name(self) -> str:
        told = {"pattern": not self.valued, "masked": self.masked, "half a vector": self.half}
        return ", ".join(
            [f"{self.semiring} {self.dtype}", *(w for w, is_so in told.items() if is_so)]
        )

    @property
    def is_scipy(self) -> bool:
        """Whether it is what SciPy and CuPy have a product for."""
        whole = not (self.masked or self.half)
        return whole and self.semiring in ("plus_times", "plus_second")


CASES = [
    *(Case(s, t) for s in ("plus_times", "min_plus") for t in ("FP32", "FP64", "INT32", "INT64")),
    Case("plus_second", "FP32", valued=False),
    Case("plus_second", "FP64", valued=False),
    Case("min_second", "INT64", valued=False),
    *(Case(s, "FP32", masked=True) for s in ("plus_times", "min_plus")),
    *(Case(s, "FP64", half=True) for s in ("plus_times", "min_plus")),
    *(Case(s, t) for s in ("max_times", "max_min", "plus_minus") for t in ("FP64", "INT32")),
]


@dataclass(frozen=True)
class Operands:
    """What a case multiplies, for SciPy and its like, and which rows the mask admits."""

    matrix: sp.csr_array
    vector: np.ndarray[Any, Any]
    admitted: np.ndarray[Any, Any]

    @classmethod
    def of(cls, case: Case, pattern: sp.csr_array) -> Operands:
        rng = np.random.default_rng(1)
        n, dtype = pattern.shape[0], sb.dtypes.lookup_dtype(case.dtype).np_type
        high = 256 if case.valued else 2
        values = rng.integers(1, high, pattern.nnz).astype(dtype)
        matrix = sp.csr_array((values, pattern.indices, pattern.indptr), pattern.shape)
        return cls(matrix, rng.integers(1, 9, n).astype(dtype), rng.choice(n, n // ADMITTED, False))


def statement(case: Case, given: Operands, gb: Any, matrix: Any, **where: Any) -> Callable[[], Any]:
    """The product as a program of spbfs, or of python-graphblas for `gb`."""
    n = given.vector.shape[0]
    semiring = getattr(gb.semiring, case.semiring)
    there = np.flatnonzero(np.random.default_rng(2).random(n) < 0.5) if case.half else np.arange(n)
    x = gb.Vector.from_coo(there, given.vector[there], size=n, **where)
    mask = gb.Vector.from_coo(np.sort(given.admitted), True, size=n, **where)

    def run() -> Any:
        y = gb.Vector(case.dtype, n, **where)
        if case.masked:
            y(mask.S) << semiring(matrix @ x)
        else:
            y << semiring(matrix @ x)
        return y

    return run


def ours(case: Case, given: Operands, device: str) -> Callable[[], Any]:
    """The product by spbfs."""
    S = given.matrix
    values = S.data if case.valued else S.data[:1][0]
    A = sb.Matrix.from_csr(S.indptr, S.indices, values, nrows=S.shape[0], ncols=S.shape[1])
    return statement(case, given, sb, A.to(device), device=device)


def markdown(report: dict[str, Any]) -> str:
    """One table a graph: a row a case, milliseconds of every side, and ours over each other's."""
    gpu = f"{report['device']}; its host " if "device" in report else ""
    lines = [f"# Products, {report['date']}", "", f"Machine: {gpu}{report['machine']}."]
    lines += ["Versions: " + ", ".join(f"{k} {v}" for k, v in report["versions"].items()) + "."]
    lines += [*method_lines(report), ""]
    for graph in report["graphs"]:
        sides = list(graph["cases"][0]["milliseconds"])
        lines += [
            f"## {graph['title']}: {graph['vertices']:,} vertices, {graph['entries']:,} entries"
        ]
        lines += ["", "| product | " + " | ".join(sides) + " |", "|---|" + "--:|" * len(sides)]
        for case in graph["cases"]:
            cells = ["" if ms is None else f"{ms:.2f}" for ms in case["milliseconds"].values()]
            lines.append(f"| `{case['name']}` | " + " | ".join(cells) + " |")
        lines.append("")
    return "\n".join(lines)
