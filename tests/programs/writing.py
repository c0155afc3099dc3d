"""Statements as text that means the same in python-graphblas and here.

The variables of a program, by shape: a vector of ``n`` is u, v or w, a matrix ``nm`` is R, S ...
`W`, `Z` and their like in `TARGETS` are written to and have the type of the cell; those in `BOOLS`
are BOOL; ``p`` and ``pp`` are as long as the lists and slices that `Writer.part` writes: 2.
"""

from __future__ import annotations

from random import Random
from typing import Any

from tests.programs.tables import (
    BINARIES,
    CASTS,
    COMPANIONS,
    FAR,
    MONOIDS,
    NUMPY,
    SEMIRINGS,
    TYPES,
    UNARIES,
    kind_of,
)

OPERANDS = {
    "n": ("u", "v"),
    "m": ("x", "y"),
    "p": ("g", "h"),
    "nn": ("A", "B"),
    "nm": ("R", "S"),
    "mn": ("Q", "O"),
    "pp": ("G", "H"),
}
TARGETS = {"n": "w", "m": "z", "nn": "C", "nm": "T"}
BOOLS = {"n": "bn", "m": "bm", "p": "bp", "nn": "bnn", "nm": "bnm", "pp": "bpp"}
SELECTS = "tril triu diag offdiag rowle rowgt colle colgt".split()
VALUES = "valueeq valuene valuelt valuele valuegt valuege".split()


class Writer:
    """Writes the statement of a cell; it knows shapes and types and nothing of values."""

    def __init__(self, seed: int, dtype: str) -> None:
        self.random = Random(f"{seed} {dtype}")
        self.dtype, self.kind = dtype, kind_of(dtype)
        self.sizes = {"n": self.pick((2, 4, 5)), "m": 3, "p": 2}
        self.types = dict.fromkeys(TARGETS.values(), dtype)
        self.types |= dict.fromkeys(BOOLS.values(), "BOOL")
        #: Whether integers meet floats: all numbers are then small, so that any sum is exact.
        self.casts = seed // len(TYPES) % 2 == 1
        companions = (dtype, *CASTS) if self.casts else COMPANIONS[dtype]
        for names in OPERANDS.values():
            self.types |= {name: self.pick(companions) for name in names}
        self.shapes = {
            name: shape
            for table in (OPERANDS, {s: (x,) for s, x in (*TARGETS.items(),)}, _each(BOOLS))
            for shape, names in table.items()
            for name in names
        }
        #: of the statement at hand
        self.mask, self.accum, self.replace = "", "", False

    def pick(self, items: Any) -> Any:
        return items[int(self.random.random() * len(items))]

    # -- variables -----------------------------------------------------------------------------
    def value(self, dtype: str) -> Any:
        draw = self.random.randrange
        if dtype == "BOOL":
            return draw(2) == 1
        if dtype.startswith("FP"):
            return draw(-8, 9) / 2
        if draw(12) == 0 and not self.casts:
            bits = int(dtype.lstrip("UINT")) - (dtype[0] == "I")
            return self.pick(((1 << bits) - 1, 0 if dtype[0] == "U" else -(1 << bits)))
        return draw(0 if dtype[0] == "U" else -6, 7)

    def entries(self, name: str) -> tuple[list[list[int]], list[Any], list[int]]:
        """Coordinates, values and lengths of a variable: some are empty, some of one value."""
        lengths = [self.sizes[s] for s in self.shapes[name]]
        cells = [(i,) for i in range(lengths[0])]
        if len(lengths) == 2:
            cells = [(i, j) for (i,) in cells for j in range(lengths[1])]
        density = self.pick((0.0, 0.3, 0.5, 0.5, 0.7, 1.0))
        cells = [cell for cell in cells if self.random.random() < density]
        dtype = self.types[name]
        values = [self.value(dtype) for _ in cells]
        if values and self.random.random() < 0.2:
            values = values[:1] * len(values)
        return [list(c) for c in zip(*cells, strict=True)] or [[] for _ in lengths], values, lengths

    def one(self, shape: str) -> str:
        """An operand of that shape; a matrix is sometimes the transpose of one."""
        if shape in ("nn", "mn", "nm") and self.random.random() < 0.25:
            return f"{self.pick(OPERANDS[shape[::-1]])}.T"
        choice = OPERANDS[shape]
        if shape in TARGETS and self.random.random() < 0.25:
            return TARGETS[shape]
        return str(self.pick(choice))

    def number(self, dtype: str | None = None) -> str:
        """A number, of the cell's type, so that no other type comes of it."""
        if dtype is None:
            if self.casts and self.random.random() < 0.5:
                return str(self.pick(FAR))
            dtype = self.dtype
        return f"np.{NUMPY[dtype]}({self.value(dtype)!r})"

    # -- the left of the arrow -----------------------------------------------------------------
    def options(self, shape: str) -> str:
        """The parentheses of an output of that shape: mask, accumulator and replace of the cell."""
        words = [self.mask_of(shape)] if self.mask else []
        if self.accum:
            words.append(self.pick((f"binary.{self.accum}", f"'{self.accum}'")))
        self.random.shuffle(words)
        if self.replace:
            words.append("replace")
        return f"({', '.join(words)})" if words else ""

    def mask_of(self, shape: str) -> str:
        one, other = OPERANDS[shape]
        if self.mask in ("and", "or"):
            # python-graphblas combines values by ``pair`` of INT64, to which a true 0.5 is false.
            kinds = "S" if self.casts or self.kind == "f" else "SV"
            left, right = f"{one}.{self.pick(kinds)}", f"~{other}.{self.pick(kinds)}"
            if self.random.random() < 0.5:
                right = BOOLS[shape]
            return f"({left} {'&' if self.mask == 'and' else '|'} {right})"
        if self.mask == "bool":
            return BOOLS[shape]
        if self.mask == "test":
            number = self.number(self.types[one])
            return self.pick((f"({one} > {number})", f"({one} != {number}).V"))
        return f"{self.mask.rstrip('SV')}{self.pick((one, other))}.{self.mask[-1]}"

    def part(self, size: str) -> str:
        """Two indices; of those that repeat, the last counts."""
        n = self.sizes[size]
        i, j = self.random.randrange(n), self.random.randrange(n)
        low = self.random.randrange(n - 1)
        return str(
            self.pick(
                (
                    f"[{i}, {j}]",
                    f"[{i - n}, {j}]",
                    f"np.array([{j}, {i}])",
                    f"{low}:{low + 2}",
                    f"{low + 1}:{low - 1 if low else None}:-1",
                )
            )
        )

    def index(self, size: str) -> int:
        return self.random.randrange(-self.sizes[size], self.sizes[size])

    def any_indices(self, size: str) -> str:
        """As many as the size, in any order, repeated or not."""
        n = self.sizes[size]
        return str(self.pick((":", "::-1", str([self.random.randrange(n) for _ in range(n)]))))

    def is_read_uncast(self, statement: str, names: tuple[str, ...]) -> bool:
        """Whether SuiteSparse 9.4.5 answers with what lies in memory: adding to a full vector by
        the semiring's own monoid it does not cast what is multiplied (UINT16 read as INT32)."""
        types = {self.types[name] for name in names if name in self.types}
        return bool(self.accum) and f"semiring.{self.accum}_" in statement and len(types) > 1

    # -- operators -----------------------------------------------------------------------------
    @property
    def op(self) -> str:
        return f"binary.{self.pick(BINARIES[self.kind])}"

    @property
    def ring(self) -> str:
        return f"semiring.{self.pick(SEMIRINGS[self.kind])}"

    @property
    def monoid(self) -> str:
        return f"monoid.{self.pick(MONOIDS[self.kind])}"

    @property
    def unary(self) -> str:
        return f"unary.{self.pick(UNARIES[self.kind])}"

    def by_value(self, operand: str) -> str:
        """Of the operand's type: elsewhere python-graphblas compares wrongly."""
        k = self.number(self.types[operand.removesuffix(".T")])
        return f"{operand}.select('{self.pick(VALUES)}', {k})"


def _each(table: dict[str, str]) -> dict[str, tuple[str, ...]]:
    return {shape: (name,) for shape, name in table.items()}
