"""Operators as programs of the kernels: a step over blocks of values for each thing to be done.

A built-in operator is one step, a user's function or a composed operator one a node of its tree,
with the types that NumPy would compute in.  What has no program (functions that are called for
every element, or that use functions beyond arithmetic) is left to the array engine.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np

from spbfs.engines.cpu.native import kernels
from spbfs.engines.cpu.operators.codes import CODES
from spbfs.engines.specialise import ProductKey
from spbfs.operators.definitions import TypedBinary, TypedSemiring, TypedUnary
from spbfs.operators.dtypes import DType, lookup_dtype
from spbfs.operators.traced.symbols import Node
from spbfs.operators.traced.ufuncs import cast_type

__all__ = ["Programs", "built_in_programs", "program_of", "programs_of", "unary_program_of"]

_NUMPY = {code: lookup_dtype(name).np_type for name, code in CODES.items()}

#: Ufuncs by the operator that does the same to operands of the type that NumPy computes in.
_UFUNCS = {
    "add": "plus",
    "subtract": "minus",
    "multiply": "times",
    "true_divide": "truediv",
    "divide": "truediv",
    "floor_divide": "floordiv",
    "remainder": "mod",
    "mod": "mod",
    "negative": "ainv",
    "positive": "identity",
    "absolute": "abs",
    "fabs": "abs",
    "sqrt": "sqrt",
    "hypot": "hypot",
    "fmod": "fmod",
    "copysign": "copysign",
    "minimum": "minimum",
    "maximum": "maximum",
    "fmin": "min",
    "fmax": "max",
    "equal": "eq",
    "not_equal": "ne",
    "less": "lt",
    "less_equal": "le",
    "greater": "gt",
    "greater_equal": "ge",
    "logical_and": "land",
    "logical_or": "lor",
    "logical_xor": "lxor",
    "logical_not": "lnot",
    "bitwise_and": "band",
    "bitwise_or": "bor",
    "bitwise_xor": "bxor",
    "invert": "bnot",
}
#: Functions of C, of floats alone.
_OF_C = frozenset({"erf", "erfc", "tgamma", "lgamma"})
#: Over BOOL these are others.
_OVER_BOOL = {
    "band": "land",
    "bor": "lor",
    "bxor": "lxor",
    "bnot": "lnot",
    "minimum": "land",
    "maximum": "lor",
    "abs": "identity",
}
#: Steps of a program at most; what is longer is a program of another kind.
_MOST_STEPS = 64


class _NoProgram(Exception):
    """Something in an operator that kernels do not know."""


@lru_cache(maxsize=1024)
def program_of(op: TypedBinary, out: DType | None = None) -> Any:
    """The program of an operator over values of its `in_type`, or None where it has none.

    Parameters
    ----------
    op : TypedBinary
    out : DType, optional
        Of the results, which are cast to it; by default the operator's.
    """
    builder = _Builder(op.in_type)
    try:
        if op.op.positional:
            return None
        if op.op.function is None:
            at = builder.step(op.op.name, 0, 1)
        elif op.op.tree is None:
            return None
        else:
            at = builder.node(op.op.tree)
        at = builder.cast(at, op.out_type.np_type)
        at = builder.cast(at, (out or op.out_type).np_type)
        return builder.ending_with(at)
    except _NoProgram:
        return None


@lru_cache(maxsize=1024)
def unary_program_of(op: TypedUnary) -> Any:
    """The program of a function of the user's, or a composed one, or None where it has none.

    Its second operand is not read.
    """
    if op.op.tree is None:
        return None
    builder = _Builder(op.in_type)
    try:
        return builder.ending_with(builder.cast(builder.node(op.op.tree), op.out_type.np_type))
    except _NoProgram:
        return None


class Programs(NamedTuple):
    """Of a semiring: what multiplies, and what sums.

    A monoid that is built in has a name, by which kernels know it, and may do without a program.
    """

    multiply: Any
    add: Any
    monoid: str


@lru_cache(maxsize=1024)
def built_in_programs(key: ProductKey) -> Programs | None:
    """Those of a product of built-in operators, which multiplies the matrix's value first."""
    builder = _Builder(key.multiply.in_type)
    try:
        at = builder.cast(builder.step(key.name, 0, 1), key.add.dtype.np_type)
        return Programs(builder.ending_with(at), None, key.add.op.name)
    except _NoProgram:
        return None


@lru_cache(maxsize=1024)
def programs_of(semiring: TypedSemiring) -> Programs | None:
    """The programs of a product, or None where one of the operators has none."""
    multiply = program_of(semiring.multiply, semiring.out_type)
    if multiply is None or semiring.add.op.is_any:
        return None if multiply is None else Programs(multiply, None, "any")
    over = semiring.add.binaryop
    add = program_of(over)
    same = over.in_type == over.out_type == semiring.out_type
    name = "" if over.op.function is not None else over.op.name
    return Programs(multiply, add, name) if same and add is not None else None


class _Builder:
    """Puts steps together; a register is known by its number, what Python has by itself."""

    def __init__(self, in_type: DType) -> None:
        self.program = kernels.Program(CODES[in_type.name])
        self.known: dict[int, Any] = {}
        self.last = 1
        self.steps = 0

    def type_of(self, at: int) -> np.dtype[Any]:
        return _NUMPY[self.program.type_of(at)]

    def step(self, name: str, *operands: int) -> int:
        self.steps += 1
        at = self.program.step(name, list(operands))
        if at < 0 or self.steps > _MOST_STEPS:
            raise _NoProgram
        self.last = at
        return int(at)

    def cast(self, at: int, dtype: np.dtype[Any]) -> int:
        if self.type_of(at) == dtype:
            return at
        if dtype == np.float16:
            raise _NoProgram
        self.last = int(self.program.cast(at, CODES[lookup_dtype(dtype).name]))
        return self.last

    def constant(self, value: Any, dtype: np.dtype[Any]) -> int:
        made = np.zeros(8, np.uint8)
        try:
            one = np.array([value]).astype(dtype)
        except OverflowError:
            raise _NoProgram from None
        if dtype == np.float16 or (dtype.kind in "iu" and int(one[0]) != value):
            raise _NoProgram
        made[: dtype.itemsize] = one.view(np.uint8)
        bits = int(made.view(np.uint64)[0])
        return int(self.program.constant(CODES[lookup_dtype(dtype).name], bits))

    def ending_with(self, at: int) -> Any:
        """The program, whose last step makes what is in register `at`."""
        if at != self.last:
            self.step("identity", at)
        return self.program

    # -- trees -------------------------------------------------------------------------------------
    def node(self, node: Node) -> int:
        """The register of what a node gives, never a number of Python's."""
        found = self.value(node)
        return self.register(found, np.asarray(found).dtype) if _is_number(found) else found.at

    def register(self, value: Any, dtype: np.dtype[Any]) -> int:
        """What a node gave, as a register of a type."""
        return self.constant(value, dtype) if _is_number(value) else self.cast(value.at, dtype)

    def value(self, node: Node) -> Any:
        """A `_Register`, or a number that NumPy gives the type of the other operand."""
        if node.op == "const":
            return node.value
        if node.op == "arg":
            return _Register(node.value)
        if id(node) not in self.known:
            self.known[id(node)] = _Register(self.made(node))
        return self.known[id(node)]

    def made(self, node: Node) -> int:
        operands = [self.value(a) for a in node.args]
        if node.op == "cast":
            return self.cast_like(node.value, operands[0])
        if node.op == "where":
            return self.where(*operands)
        if node.op == "power":
            return self.power(*operands)
        if node.op == "square":
            return self.ufunc("multiply", *operands, *operands)
        if node.op in _OF_C:
            return self.of_c(node.op, operands[0])
        return self.ufunc(node.op, *operands)

    def of_c(self, name: str, x: Any) -> int:
        """A function of C, in the type of a float, of other numbers in FP64."""
        dtype = np.dtype(np.float64) if _is_number(x) else self.type_of(x.at)
        return self.step(
            name, self.register(x, dtype if dtype.kind == "f" else np.dtype(np.float64))
        )

    def ufunc(self, name: str, *operands: Any) -> int:
        if name not in _UFUNCS:
            raise _NoProgram
        if name in ("negative", "subtract") and all(
            isinstance(x, bool | np.bool_) or (not _is_number(x) and self.is_bool(x))
            for x in operands
        ):
            # Of truth values NumPy has neither.
            operands = tuple(_Register(self.register(x, np.dtype(np.int64))) for x in operands)
        types = self.loop(name, operands)
        at = [self.register(x, t) for x, t in zip(operands, types, strict=True)]
        made = _UFUNCS[name]
        if types[0].kind == "b":
            made = _OVER_BOOL.get(made, made)
        return self.step(made, *at)

    def is_bool(self, x: Any) -> bool:
        return bool(self.type_of(x.at) == np.bool_)

    def loop(self, name: str, operands: tuple[Any, ...]) -> tuple[np.dtype[Any], ...]:
        """The types that NumPy computes a ufunc in."""
        given = tuple(_kind_of(x) if _is_number(x) else self.type_of(x.at) for x in operands)
        try:
            types = getattr(np, name).resolve_dtypes((*given, None))
        except (TypeError, ValueError, OverflowError):
            raise _NoProgram from None
        if np.float16 in types:
            raise _NoProgram
        return tuple(types[:-1])

    def cast_like(self, to: str, x: Any) -> int:
        at = self.register(x, np.asarray(x).dtype) if _is_number(x) else x.at
        return self.cast(at, cast_type(to, self.type_of(at)))

    def where(self, condition: Any, chosen: Any, other: Any) -> int:
        if _is_number(condition):
            raise _NoProgram
        truth = self.cast(condition.at, np.dtype(np.bool_))
        # Numbers give way to the type of the other one, as in every ufunc.
        given = [x if _is_number(x) else np.empty(1, self.type_of(x.at)) for x in (chosen, other)]
        dtype = np.result_type(*given)
        if dtype == np.float16:
            raise _NoProgram
        return self.step("where", truth, self.register(chosen, dtype), self.register(other, dtype))

    def power(self, base: Any, exponent: Any) -> int:
        """A square, the one power that is a multiplication whatever the type."""
        if not _is_number(exponent) or exponent != 2 or _is_number(base) or self.is_bool(base):
            raise _NoProgram
        dtype = self.loop("power", (base, exponent))[0]
        at = self.register(base, dtype)
        return self.step("times", at, at)


class _Register:
    """What is computed, told from a number."""

    __slots__ = ("at",)

    def __init__(self, at: int) -> None:
        self.at = at


def _is_number(x: Any) -> bool:
    return not isinstance(x, _Register)


def _kind_of(x: Any) -> Any:
    """How NumPy sees a number in a function: Python's have no type, its own have theirs."""
    if isinstance(x, np.generic):
        return x.dtype
    return np.dtype(np.bool_) if isinstance(x, bool) else type(x)
