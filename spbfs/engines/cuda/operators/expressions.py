"""User-defined operators as CUDA C++: one expression a tree, in which every cast is written out."""

from __future__ import annotations

import numpy as np

from spbfs.engines.cuda.operators.literals import C_TYPE, literal
from spbfs.operators.dtypes import DType, lookup_dtype
from spbfs.operators.traced.symbols import Node

__all__ = ["expression"]

#: Functors of the kernels' headers, over the type of the operands.
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

#: Characters of an expression at most.  What is used twice is written twice, so that ``x * x`` in
#: a loop doubles the text every time; compilers take minutes over megabytes of it.
_MOST_CHARACTERS = 100_000

#: An expression and its type.
Typed = tuple[str, DType]


class _Unwritten(Exception):
    """The tree has something that is left to CuPy."""


def expression(tree: Node, args: list[Typed]) -> str | None:
    """A tree over typed C++ expressions as one; None where it cannot be written.

    Parameters
    ----------
    tree : Node
        Over the types of `args` (see `traced.lowering`).
    args : list of (str, DType)
    """
    try:
        return _write(tree, args)[0]
    except _Unwritten:
        return None


def _write(node: Node, args: list[Typed]) -> Typed:
    written = _written(node, args)
    if len(written[0]) > _MOST_CHARACTERS:
        raise _Unwritten
    return written


def _written(node: Node, args: list[Typed]) -> Typed:
    if node.op == "arg":
        return args[node.value]
    if node.op == "const":
        dtype = lookup_dtype(node.value.dtype)
        return literal(node.value, dtype), dtype
    operands = [_write(a, args) for a in node.args]
    texts = [text for text, _ in operands]
    if node.op == "cast":
        wanted = lookup_dtype(node.value)
        return f"cast_to<{C_TYPE[wanted.name]}>({texts[0]})", wanted
    if node.op == "where":
        return f"({texts[0]} ? {texts[1]} : {texts[2]})", operands[1][1]
    first = operands[0][1]
    ufunc = getattr(np, node.op, None)  # C has functions that NumPy does not
    text = _spelled(node.op, first, texts)
    if text is None or not isinstance(ufunc, np.ufunc) or any(t is not first for _, t in operands):
        raise _Unwritten
    out = lookup_dtype(ufunc.resolve_dtypes((*(t.np_type for _, t in operands), None))[-1])
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
