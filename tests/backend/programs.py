"""Random programs in the dialect that this library shares with python-graphblas.

A program is a list of statements, text that means the same in both.  It grows one statement at a
time: python-graphblas runs it first, and what it refuses (an operator without such a type, say) is
taken back.  The values stay such that every result is exact: see `Family`.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from families import FAMILIES

VECTORS = {"u": "n", "v": "n", "w": "n", "p": "n", "x": "m", "y": "m"}
MATRICES = {
    "A": ("n", "n"),
    "B": ("n", "n"),
    "C": ("n", "n"),
    "M": ("n", "n"),
    "R": ("n", "m"),
    "S": ("n", "m"),
    "Q": ("m", "n"),
    "D": ("m", "m"),
}
SELECTS = "tril triu diag offdiag rowle rowgt colle colgt".split()
VALUES = "valueeq valuene valuelt valuele valuegt valuege".split()


def _list(indices: np.ndarray) -> str:
    """Indices as text; python-graphblas takes an empty list for one of floats."""
    return str(indices.tolist()) if len(indices) else "np.zeros(0, dtype=np.int64)"


class Author:
    """Writes statements; it knows the shapes of the variables and nothing of their values."""

    def __init__(self, seed: int) -> None:
        self.rng = np.random.default_rng(seed)
        self.family = FAMILIES[self.pick(FAMILIES)]
        # No dimension of 0: SuiteSparse 9.4 reduces such rows to an identity, not to nothing.
        self.sizes = {"n": self.pick([1, 2, 5, 9, 9, 9]), "m": self.pick([1, 3, 6, 6])}

    def pick(self, items: Any) -> Any:
        items = list(items)
        return items[self.rng.integers(len(items))]

    def coin(self, p: float = 0.5) -> bool:
        return bool(self.rng.random() < p)

    # -- variables -----------------------------------------------------------------------------
    def definition(self, name: str) -> str:
        """``name = Vector.from_coo(...)`` with small exact values, sometimes empty."""
        dtype = self.pick(self.family.dtypes)
        lengths = [self.sizes[s] for s in (VECTORS.get(name, "") or MATRICES[name])]
        cells = int(np.prod(lengths))
        density = self.rng.choice([0.0, 0.15, 0.4, 1.0], p=[0.1, 0.4, 0.4, 0.1])
        where = np.flatnonzero(self.rng.random(cells) < density)
        values = [self.value(dtype) for _ in where]
        if self.coin(0.25) and values:
            values = [values[0]] * len(values)
        coordinates = np.unravel_index(where, lengths)
        indices = ", ".join(f"np.array({c.tolist()}, dtype=np.int64)" for c in coordinates)
        array = f"np.array({values}, dtype=np.{_NUMPY[dtype]})"
        if name in VECTORS:
            return f"{name} = Vector.from_coo({indices}, {array}, {dtype!r}, size={lengths[0]})"
        nrows, ncols = lengths
        return (
            f"{name} = Matrix.from_coo({indices}, {array}, {dtype!r}, nrows={nrows}, ncols={ncols})"
        )

    def value(self, dtype: str) -> str | int | float | bool:
        if dtype == "BOOL":
            return self.coin()
        if dtype.startswith("FP"):
            return int(self.rng.integers(-8, 9)) / 2
        return int(self.rng.integers(0 if dtype.startswith("U") else -6, 7))

    def vec(self, size: str) -> str:
        return str(self.pick([v for v, s in VECTORS.items() if s == size]))

    def mat(self, shape: tuple[str, str]) -> str:
        """A matrix of that shape, or the transpose of one."""
        plain = [a for a, s in MATRICES.items() if s == shape]
        turned = [f"{a}.T" for a, s in MATRICES.items() if s == shape[::-1]]
        return str(self.pick(plain * 3 + turned))

    # -- the left of the arrow -----------------------------------------------------------------
    def mask(self, shape: str | tuple[str, str], kinds: tuple[str, ...] = (".S", ".V")) -> str:
        """A mask, or two combined.

        python-graphblas combines values by ``pair`` of INT64, to which a true 0.5 is false.
        """
        if self.coin(0.15):
            kinds = (".S",) if "FP64" in self.family.dtypes else kinds
            return f"({self.mask(shape, kinds)} {self.pick('&|')} {self.mask(shape, kinds)})"
        if isinstance(shape, str):
            name = self.vec(shape)
        else:
            name = str(self.pick([a for a, s in MATRICES.items() if s == shape]))
        return str(self.pick(["", "~"]) + name + self.pick(kinds))

    def options(self, mask_shape: str | tuple[str, str]) -> str:
        """What stands in the parentheses of the output: mask, accumulator, replace."""
        words = []
        if self.coin(0.6):
            words.append(self.mask(mask_shape))
        if self.coin(0.4):
            words.append(f"binary.{self.pick(self.family.accums)}")
        if words and "binary" not in words[0] and self.coin():
            words.append("replace")
        return f"({', '.join(words)})" if words else ""

    # -- the right -----------------------------------------------------------------------------
    def vector_expression(self, size: str) -> str:
        f = self.family
        a, b = self.vec(size), self.vec(size)
        inner = self.pick(["n", "m"])
        A, q = self.mat((size, inner)), self.vec(inner)
        At = self.mat((inner, size))
        ring = f"semiring.{self.pick(f.semirings)}"
        op, k = f"binary.{self.pick(f.binaries)}", self.pick(f.scalars)
        t = int(self.rng.integers(-3, 4))
        return str(
            self.pick(
                [
                    f"{A}.mxv({q}, {ring})",
                    f"{q}.vxm({At}, {ring})",
                    f"{ring}({A} @ {q})",
                    f"{ring}({q} @ {At})",
                    f"{a}.ewise_add({b}, {op})",
                    f"{a}.ewise_mult({b}, {op})",
                    f"{op}({a} & {b})",
                    f"monoid.{self.pick(f.monoids)}({a} | {b})",
                    f"{a}.ewise_union({b}, {op}, {k}, {self.pick(f.scalars)})",
                    f"{a}.apply(unary.{self.pick(f.unaries)})",
                    f"{a}.apply({op}, right={k})",
                    f"{a}.apply({op}, left={k})",
                    f"{a}.apply(indexunary.rowindex, {t})",
                    self.by_value(a),
                    f"{a}.select('{self.pick(['rowle', 'rowgt'])}', {abs(t)})",
                    f"{a}.select({self.mask(size)})",
                    f"{A}.reduce_rowwise(monoid.{self.pick(f.monoids)})",
                    f"{At}.reduce_columnwise(monoid.{self.pick(f.monoids)})",
                    f"{a}[{self.indices(size, size)}]",
                    f"({a} {self.pick(self.infix())} {b})",
                    f"({a} {self.pick(self.infix())} {k})",
                    f"({a} % {self.pick(f.divisors)})",
                    a,
                ]
            )
        )

    def matrix_expression(self, shape: tuple[str, str]) -> str:
        f = self.family
        A, B = self.mat(shape), self.mat(shape)
        inner = self.pick(["n", "m"])
        L, R = self.mat((shape[0], inner)), self.mat((inner, shape[1]))
        ring = f"semiring.{self.pick(f.semirings)}"
        op, k = f"binary.{self.pick(f.binaries)}", self.pick(f.scalars)
        t, index = int(self.rng.integers(-3, 4)), self.pick(["rowindex", "colindex", "diagindex"])
        rows, cols = self.indices(shape[0], shape[0]), self.indices(shape[1], shape[1])
        return str(
            self.pick(
                [
                    f"{L}.mxm({R}, {ring})",
                    f"{ring}({L} @ {R})",
                    f"{A}.ewise_add({B}, {op})",
                    f"{A}.ewise_mult({B}, {op})",
                    f"{op}({A} & {B})",
                    f"monoid.{self.pick(f.monoids)}({A} | {B})",
                    f"{A}.ewise_union({B}, {op}, {k}, {self.pick(f.scalars)})",
                    f"{A}.apply(unary.{self.pick(f.unaries)})",
                    f"{A}.apply({op}, right={k})",
                    f"{A}.apply({op}, left={k})",
                    f"{A}.apply(indexunary.{index}, {t})",
                    self.by_value(A),
                    f"{A}.select('{self.pick(SELECTS)}', {t})",
                    f"{A}.select({self.mask(shape)})",
                    f"{A}[{rows}, {cols}]",
                    f"({A} {self.pick(self.infix())} {B})",
                    f"({A} {self.pick(self.infix())} {k})",
                    f"({A} % {self.pick(f.divisors)})",
                    f"{self.vec(shape[0])}.outer({self.vec(shape[1])}, {op})",
                    A,
                ]
            )
        )

    def indices(self, size: str, length: str) -> str:
        """An index of `length` positions into a dimension, repeats allowed."""
        have, want = self.sizes[size], self.sizes[length]
        if size == length and self.coin(0.3):
            return self.pick([":", "::-1"]) if have else ":"
        return _list(self.rng.integers(0, have, want)) if have else ":"

    def region(self, size: str) -> str:
        """An index without repeats."""
        have = self.sizes[size]
        count = int(self.rng.integers(0, have + 1))
        order = self.rng.permutation(have)[:count]
        lists = [_list(order), _list(np.sort(order))]
        return str(self.pick([":", "::2", "1:", f":{count}", *lists]))

    def infix(self) -> list[str]:
        """Python's operators; the division of integers would meet floats."""
        plain = ["+", "-", "*", "<", "<=", ">", ">=", "==", "!="]
        return [*plain, "/"] if "FP64" in self.family.dtypes else plain

    def by_value(self, operand: str) -> str:
        """A selection by value.

        The thunk is of the operand's type: where the two unify to another type, python-graphblas
        2025.2 compares wrongly (``select.valuegt(UINT64 vector of fives, 1)`` is empty).
        """
        scalars = self.family.scalars
        if self.family is FAMILIES["casts"]:
            scalars = self.family.divisors  # numbers that every type can be made of
        thunk = f"{operand}.dtype.np_type.type({self.pick(scalars)})"
        return f"select.{self.pick(VALUES)}({operand}, {thunk})"

    # -- statements ----------------------------------------------------------------------------
    def statement(self) -> tuple[str, str]:
        """The name that changes, and the text that changes it."""
        write = self.pick(
            [self.whole_vector] * 4
            + [self.whole_matrix] * 4
            + [
                self.part_of_vector,
                self.part_of_matrix,
                self.part_of_matrix,
                self.row,
                self.element,
            ]
            + [self.scalar_everywhere, self.fresh, self.total, self.in_place]
        )
        result: tuple[str, str] = write()
        return result

    def whole_vector(self) -> tuple[str, str]:
        name = str(self.pick(VECTORS))
        size = VECTORS[name]
        return name, f"{name}{self.options(size)} << {self.vector_expression(size)}"

    def whole_matrix(self) -> tuple[str, str]:
        name = str(self.pick(MATRICES))
        shape = MATRICES[name]
        return name, f"{name}{self.options(shape)} << {self.matrix_expression(shape)}"

    def scalar_everywhere(self) -> tuple[str, str]:
        name = str(self.pick([*VECTORS, *MATRICES]))
        shape = VECTORS.get(name) or MATRICES[name]
        options = self.options(shape)
        target = name + options if options else f"{name}[:]" if name in VECTORS else f"{name}[:, :]"
        return name, f"{target} << {self.pick(self.family.scalars)}"

    def part_of_vector(self) -> tuple[str, str]:
        name = str(self.pick(VECTORS))
        size = VECTORS[name]
        region = self.region(size)
        value = self.pick([self.pick(self.family.scalars), f"{self.vec(size)}[{region}].new()"])
        if self.coin():
            return name, f"{name}{self.options(size)}[{region}] << {value}"
        inner = self.pick(["", f"(part.{self.pick('SV')})", f"(~part.{self.pick('SV')}, replace)"])
        setup = f"part = {self.vec(size)}[{region}].new(); "
        return name, f"{setup if inner else ''}{name}[{region}]{inner} << {value}"

    def part_of_matrix(self) -> tuple[str, str]:
        name = str(self.pick(MATRICES))
        shape = MATRICES[name]
        region = f"{self.region(shape[0])}, {self.region(shape[1])}"
        other = str(self.pick([a for a, s in MATRICES.items() if s == shape]))
        value = self.pick([self.pick(self.family.scalars), f"{other}[{region}].new()"])
        if self.coin():
            return name, f"{name}{self.options(shape)}[{region}] << {value}"
        accum = f"binary.{self.pick(self.family.accums)}"
        inner = self.pick(
            [
                "",
                f"(part.{self.pick('SV')})",
                f"(~part.{self.pick('SV')}, replace)",
                f"(part.{self.pick('SV')}, {accum}, replace)",
                f"({accum})",
            ]
        )
        setup = f"part = {name if self.coin() else other}[{region}].new(); "
        return name, f"{setup if 'part' in inner else ''}{name}[{region}]{inner} << {value}"

    def row(self) -> tuple[str, str]:
        """One row or column of a matrix, extracted or assigned."""
        name = str(self.pick(MATRICES))
        nrows, ncols = MATRICES[name]
        i = int(self.rng.integers(0, max(1, self.sizes[nrows])))
        j = int(self.rng.integers(0, max(1, self.sizes[ncols])))
        u, t = self.vec(nrows), self.vec(ncols)
        k = self.pick(self.family.scalars)
        return self.pick(
            [
                (u, f"{u}{self.options(nrows)} << {name}[:, {j}]"),
                (t, f"{t}{self.options(ncols)} << {name}[{i}, :]"),
                (name, f"{name}[:, {j}] << {u}"),
                (name, f"{name}[{i}, :] << {t}"),
                (name, f"{name}[{i}, :]{self.options(ncols)} << {t}"),
                (name, f"{name}[:, {j}]{self.options(nrows)} << {u}"),
                (name, f"{name}{self.options(ncols)}[{i}, :] << {t}"),
                (name, f"{name}{self.options(nrows)}[:, {j}] << {u}"),
                (name, f"{name}[{i}, :] << {k}"),
                (name, f"{name}[:, {j}]{self.options(nrows)} << {k}"),
            ]
        )

    def element(self) -> tuple[str, str]:
        name = str(self.pick([*VECTORS, *MATRICES]))
        sizes = [self.sizes[s] for s in (VECTORS.get(name, "") or MATRICES[name])]
        at = ", ".join(str(int(self.rng.integers(0, max(1, s)))) for s in sizes)
        k = self.pick(self.family.scalars)
        accum = f"binary.{self.pick(self.family.accums)}"
        return name, str(
            self.pick([f"{name}[{at}] = {k}", f"del {name}[{at}]", f"{name}({accum})[{at}] << {k}"])
        )

    def fresh(self) -> tuple[str, str]:
        """A new object from an expression: its type is the operation's own."""
        if self.coin():
            size = self.pick(["n", "m"])
            masked = f"mask={self.mask(size)}" if self.coin() else ""
            expression = self.vector_expression(size)
            if expression in VECTORS:
                return "fresh", f"fresh = {expression}.dup()"
            return "fresh", f"fresh = ({expression}).new({masked})"
        shape = self.pick([("n", "n"), ("n", "m"), ("m", "n")])
        masked = f"mask={self.mask(shape)}" if self.coin() else ""
        others = [
            f"{self.vec('n')}.diag({int(self.rng.integers(-2, 3))})",
            f"{self.mat(shape)}.dup()",
        ]
        if self.coin(0.1):
            return "fresh", f"fresh = {self.pick(others)}"
        if self.coin(0.1):
            op = f"binary.{self.pick(self.family.binaries)}"
            return "fresh", f"fresh = R.kronecker(Q, {op}).new()"
        expression = self.matrix_expression(shape)
        if expression in MATRICES:
            return "fresh", f"fresh = {expression}.dup()"
        return "fresh", f"fresh = ({expression}).new({masked})"

    def in_place(self) -> tuple[str, str]:
        """``x += y``: the object itself changes, under all of its names."""
        name = str(self.pick([*VECTORS, *MATRICES]))
        other = self.vec(VECTORS[name]) if name in VECTORS else self.mat(MATRICES[name])
        value = self.pick([other, self.pick(self.family.scalars)])
        divide = ["/"] if self.family is FAMILIES["float"] else []
        return (
            name,
            f"same = {name}; {name} {self.pick(['+', '-', '*', *divide])}= {value}; {name} = same",
        )

    def total(self) -> tuple[str, str]:
        monoid = f"monoid.{self.pick(self.family.monoids)}"
        name = self.pick([*VECTORS, *MATRICES])
        reduce = "reduce" if name in VECTORS else "reduce_scalar"
        return "total", f"total = {name}.{reduce}({monoid}).new()"


_NUMPY = {
    "BOOL": "bool_",
    **{f"{s.upper()}INT{b}": f"{s}int{b}" for s in ("u", "") for b in (8, 16, 32, 64)},
    "FP32": "float32",
    "FP64": "float64",
}
