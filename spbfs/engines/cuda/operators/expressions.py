"""User-defined operators as CUDA C++: one expression a tree, typed as NumPy would type it."""

from __future__ import annotations

from typing import Any

import numpy as np

from spbfs.engines.cuda.operators.literals import C_TYPE, literal
from spbfs.operators.dtypes import BOOL, INT64, DType, lookup_dtype
from spbfs.operators.traced.symbols import Node
from spbfs.operators.traced.ufuncs import cast_type
from spbfs.operators.traced.userdefined import foregone

__all__ = ["expression"]

#: Functors of the kernels' headers, over the type of NumPy's loop.
_FUNCTORS = {
    "add": "Plus",
    "subtract": "Minus",
    "multiply": "Times",
    "true_divide": "CDiv",
    "divide": "CDiv",
    "floor_divide": "FloorDiv",
    "remainder": "Modulo",
    "mod": "Modulo",
    "fmod": "Fmod",
    "hypot": "Hypot",
    "arctan2": "Atan2",
    "copysign": "CopySign",
    "fmin": "Min",
    "fmax": "Max",
    "equal": "Eq",
    "not_equal": "Ne",
    "less": "Lt",
    "less_equal": "Le",
    "greater": "Gt",
    "greater_equal": "Ge",
    "logical_and": "Land",
    "logical_or": "Lor",
    "logical_xor": "Lxor",
    "bitwise_and": "Band",
    "bitwise_or": "Bor",
    "bitwise_xor": "Bxor",
}
#: C's own functions; NumPy names inverses differently.
_FUNCTIONS = {
    name: name
    for name in "sqrt cbrt exp exp2 expm1 log log2 log10 log1p sin cos tan sinh cosh tanh floor "
    "ceil trunc rint fabs isnan isinf isfinite".split()
} | {f"arc{name}": f"a{name}" for name in "sin cos tan sinh cosh tanh".split()}
#: Written out, over operands {0}, {1} of type {T}.
_FORMULAS = {
    "positive": "{0}",
    "negative": "Minus<{T}>{{}}(0, {0})",
    "square": "Times<{T}>{{}}({0}, {0})",
    "logical_not": "!({0})",
    "invert": "!({0})",
    "minimum": "({1} < {0} || {1} != {1} ? {1} : {0})",
    "maximum": "({1} > {0} || {1} != {1} ? {1} : {0})",
    "left_shift": "shifted_left<{T}>({0}, {1})",
    "right_shift": "shifted_right<{T}>({0}, {1})",
}
_FLOATING_FORMULAS = {
    "negative": "-({0})",
    "absolute": "fabs({0})",
    "power": "pow({0}, {1})",
    "sign": "({0} != {0} ? {0} : ({0} > 0) - ({0} < 0))",
}
_INTEGER_FORMULAS = {
    "absolute": "({0} < 0 ? Minus<{T}>{{}}(0, {0}) : {0})",
    "sign": "(({0} > 0) - ({0} < 0))",
    "invert": "~({0})",
}
_BOOLEAN = {"bitwise_and": "Land", "bitwise_or": "Lor", "bitwise_xor": "Lxor"}

#: An expression and its type; a Python number has none until it meets something that has.
Typed = tuple[Any, DType | None]


class _Unwritten(Exception):
    """The tree has something that is left to CuPy."""


def expression(tree: Node, args: list[tuple[str, DType]]) -> str | None:
    """A tree over typed C++ expressions as one; None where it cannot be written."""
    try:
        text, dtype = _write(tree, args)
        return text if dtype is not None else _constant(text, _type_of(text))
    except (_Unwritten, TypeError, OverflowError):
        return None


def _type_of(value: Any) -> DType:
    return lookup_dtype(np.asarray(value).dtype)


def _constant(value: Any, dtype: DType) -> str:
    return literal(np.asarray(value).astype(dtype.np_type), dtype)


def _write(node: Node, args: list[tuple[str, DType]]) -> Typed:
    if node.op == "arg":
        return args[node.value]
    if node.op == "const":
        weak = isinstance(node.value, int | float) and not isinstance(node.value, bool)
        if weak:
            return node.value, None
        dtype = _type_of(node.value)
        return _constant(node.value, dtype), dtype
    operands = [_write(a, args) for a in node.args]
    if node.op == "cast":
        return _cast_like(node.value, *operands[0])
    if node.op == "where":
        return _choice(*operands)
    if node.op in ("negative", "subtract") and all(t is BOOL for _, t in operands):
        operands = [(_cast(x, INT64), INT64) for x, _ in operands]
    return _apply(node.op, operands)


def _cast(operand: Any, dtype: DType, known: DType | None = BOOL) -> str:
    if known is None:
        return _constant(operand, dtype)
    return f"static_cast<{C_TYPE[dtype.name]}>({operand})"


def _cast_like(to: str, operand: Any, known: DType | None) -> Typed:
    """As Python's ``int`` and ``float`` make it, or another type; floats beyond it saturate."""
    dtype = known or _type_of(operand)
    wanted = lookup_dtype(cast_type(to, dtype.np_type))
    return f"cast_to<{C_TYPE[wanted.name]}>({_cast(operand, dtype, known)})", wanted


def _choice(condition: Typed, chosen: Typed, other: Typed) -> Typed:
    test = _cast(condition[0], BOOL, condition[1])
    samples = [x if t is None else np.ones(1, t.np_type) for x, t in (chosen, other)]
    dtype = lookup_dtype(np.where(np.ones(1, np.bool_), *samples).dtype)
    left, right = (_cast(x, dtype, t) for x, t in (chosen, other))
    return f"({test} ? {left} : {right})", dtype


def _apply(name: str, operands: list[Typed]) -> Typed:
    """A ufunc in the types of the loop that NumPy would pick."""
    verdict = foregone(name, *(x if t is None else t.np_type for x, t in operands))
    if verdict is not None:
        return _constant(verdict, BOOL), BOOL
    given = [type(x) if t is None else t.np_type for x, t in operands]
    ufunc = getattr(np, name, None)  # C has functions that NumPy does not
    loop = ufunc.resolve_dtypes((*given, None)) if isinstance(ufunc, np.ufunc) else ()
    if not loop or np.float16 in loop:
        raise _Unwritten
    inputs = [lookup_dtype(t) for t in loop[:-1]]
    texts = [_cast(x, want, t) for (x, t), want in zip(operands, inputs, strict=True)]
    first = inputs[0]
    text = _spelled(name, first, texts)
    if text is None or any(t is not first for t in inputs):
        raise _Unwritten
    out = lookup_dtype(loop[-1])
    return f"static_cast<{C_TYPE[out.name]}>({text})", out


def _spelled(name: str, dtype: DType, texts: list[str]) -> str | None:
    c = C_TYPE[dtype.name]
    functor = (_BOOLEAN if dtype.is_bool else {}).get(name) or _FUNCTORS.get(name)
    if name == "fmod" and not dtype.is_float:
        functor = None
    if functor is not None:
        return f"{functor}<{c}>{{}}({', '.join(texts)})"
    special = _FLOATING_FORMULAS if dtype.is_float else {} if dtype.is_bool else _INTEGER_FORMULAS
    formula = special.get(name) or _FORMULAS.get(name)
    if formula is not None:
        return formula.format(*texts, T=c)
    if name in _FUNCTIONS and dtype.is_float:
        return f"{_FUNCTIONS[name]}({texts[0]})"
    return None
