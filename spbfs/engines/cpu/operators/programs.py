"""Operators as programs of the kernels: a step over blocks of values for each thing to be done.

A built-in operator is one step, a user's function or a composed operator one a node of its tree,
in which every cast is written out (`traced.lowering`).  What has no program (functions that are
called for every element, or that use functions beyond arithmetic) is left to the array engine.
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
from spbfs.operators.traced.ufuncs import FUNCTIONS_OF_C

__all__ = ["Programs", "built_in_programs", "program_of", "programs_of", "unary_program_of"]

_NUMPY = {code: lookup_dtype(name).np_type for name, code in CODES.items()}

#: Ufuncs by the operator that does the same to operands of one type.
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
        elif op.tree is None:
            return None
        else:
            at = builder.node(op.tree)
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
    if op.tree is None:
        return None
    builder = _Builder(op.in_type)
    try:
        return builder.ending_with(builder.cast(builder.node(op.tree), op.out_type.np_type))
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
    """Puts steps together; a register is known by its number."""

    def __init__(self, in_type: DType) -> None:
        self.program = kernels.Program(CODES[in_type.name])
        self.known: dict[int, int] = {}
        self.last: int | None = None  # the register of the last step
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
        self.last = int(self.program.cast(at, CODES[lookup_dtype(dtype).name]))
        return self.last

    def constant(self, value: np.generic) -> int:
        made = np.zeros(8, np.uint8)
        made[: value.dtype.itemsize] = np.array([value]).view(np.uint8)
        bits = int(made.view(np.uint64)[0])
        return int(self.program.constant(CODES[lookup_dtype(value.dtype).name], bits))

    def ending_with(self, at: int) -> Any:
        """The program, whose last step makes what is in register `at`."""
        if at != self.last:
            self.step("identity", at)
        return self.program

    # -- trees -------------------------------------------------------------------------------------
    def node(self, node: Node) -> int:
        """The register of what a node gives."""
        if node.op == "arg":
            return int(node.value)
        if id(node) not in self.known:
            self.known[id(node)] = self.made(node)
        return self.known[id(node)]

    def made(self, node: Node) -> int:
        if node.op == "const":
            return self.constant(node.value)
        operands = [self.node(a) for a in node.args]
        # A step has the type of its operands; the condition of a choice is another thing.
        if len({self.type_of(a) for a in operands[node.op == "where" :]}) > 1:
            raise _NoProgram
        if node.op == "cast":
            return self.cast(operands[0], np.dtype(node.value))
        if node.op == "square":
            return self.step("times", *operands, *operands)
        if node.op == "where" or node.op in FUNCTIONS_OF_C:
            return self.step(node.op, *operands)
        if node.op not in _UFUNCS:
            raise _NoProgram
        name = _UFUNCS[node.op]
        if self.type_of(operands[0]) == np.bool_:
            name = _OVER_BOOL.get(name, name)
        return self.step(name, *operands)
