"""What each operator computes, in a line: ``help(sb.binary.plus)`` is about it."""

from __future__ import annotations

import inspect
from typing import Any

__all__ = ["DESCRIPTIONS", "OwnDoc", "describe"]

#: Kind and name of an operator -> what it gives.
DESCRIPTIONS: dict[str, dict[str, str]] = {
    "unary": {
        "identity": "x itself",
        "ainv": "-x, the additive inverse",
        "minv": "1 / x, the multiplicative inverse",
        "abs": "the absolute value of x",
        "one": "1, whatever x is",
        "lnot": "whether x is zero",
        "bnot": "x with every bit turned over",
        "sqrt": "the square root of x",
        "cbrt": "the cube root of x",
        "exp": "e to the power of x",
        "exp2": "2 to the power of x",
        "expm1": "e to the power of x, minus 1, exact near zero",
        "log": "the natural logarithm of x",
        "log2": "the logarithm of x to base 2",
        "log10": "the logarithm of x to base 10",
        "log1p": "the natural logarithm of 1 + x, exact near zero",
        "ceil": "the least integer not below x",
        "floor": "the greatest integer not above x",
        "round": "the integer nearest to x, halves to the even one",
        "trunc": "x without its fraction",
        "signum": "the sign of x: -1, 0 or 1",
        "isnan": "whether x is not a number",
        "isinf": "whether x is infinite",
        "isfinite": "whether x is neither infinite nor NaN",
        "positioni": "the row of the entry (of a vector its index), not its value",
        "positionj": "the column of the entry, not its value",
        **{
            name: f"the {words} of x"
            for name, words in {
                "sin": "sine",
                "cos": "cosine",
                "tan": "tangent",
                "asin": "inverse sine",
                "acos": "inverse cosine",
                "atan": "inverse tangent",
                "sinh": "hyperbolic sine",
                "cosh": "hyperbolic cosine",
                "tanh": "hyperbolic tangent",
                "asinh": "inverse hyperbolic sine",
                "acosh": "inverse hyperbolic cosine",
                "atanh": "inverse hyperbolic tangent",
            }.items()
        },
    },
    "binary": {
        "plus": "x + y",
        "times": "x * y",
        "minus": "x - y",
        "rminus": "y - x",
        "min": "the less of x and y",
        "max": "the greater of x and y",
        "any": "x or y, whichever is at hand: products may stop at the first",
        "pair": "1, whatever x and y are: products count",
        "first": "x",
        "second": "y",
        "land": "whether both x and y are true",
        "lor": "whether x or y is true",
        "lxor": "whether one of x and y is true and the other is not",
        "lxnor": "whether both or neither of x and y are true",
        "pow": "x to the power of y",
        "rpow": "y to the power of x",
        "truediv": "x / y as Python divides, in floating point",
        "rtruediv": "y / x as Python divides, in floating point",
        "floordiv": "x // y, the quotient rounded down",
        "rfloordiv": "y // x, the quotient rounded down",
        "cdiv": "x / y as C divides: of integers, rounded towards zero",
        "rdiv": "y / x as C divides: of integers, rounded towards zero",
        "mod": "x % y as Python has it: the remainder of the quotient rounded down",
        "fmod": "the remainder of x / y rounded towards zero, with the sign of x",
        "remainder": "the remainder of x / y rounded to the nearest (IEEE 754)",
        "hypot": "the square root of x * x + y * y",
        "atan2": "the angle of the point (y, x), in radians",
        "copysign": "x with the sign of y",
        "eq": "whether x == y",
        "ne": "whether x != y",
        "lt": "whether x < y",
        "gt": "whether x > y",
        "le": "whether x <= y",
        "ge": "whether x >= y",
        "iseq": "x == y, as 1 or 0 of their type",
        "isne": "x != y, as 1 or 0 of their type",
        "islt": "x < y, as 1 or 0 of their type",
        "isgt": "x > y, as 1 or 0 of their type",
        "isle": "x <= y, as 1 or 0 of their type",
        "isge": "x >= y, as 1 or 0 of their type",
        "band": "x & y, bit by bit",
        "bor": "x | y, bit by bit",
        "bxor": "x ^ y, bit by bit",
        "bxnor": "~(x ^ y), bit by bit",
        "firsti": "the row of x, not its value",
        "firstj": "the column of x, not its value",
        "secondi": "the row of y, not its value",
        "secondj": "the column of y, not its value",
    },
    "indexunary": {
        "tril": "whether the entry is on or below diagonal `thunk`",
        "triu": "whether the entry is on or above diagonal `thunk`",
        "diag": "whether the entry is on diagonal `thunk`",
        "offdiag": "whether the entry is off diagonal `thunk`",
        "rowle": "whether the row is at most `thunk`",
        "rowgt": "whether the row is greater than `thunk`",
        "colle": "whether the column is at most `thunk`",
        "colgt": "whether the column is greater than `thunk`",
        "indexle": "whether the index is at most `thunk`",
        "indexgt": "whether the index is greater than `thunk`",
        "valueeq": "whether the value is `thunk`",
        "valuene": "whether the value is not `thunk`",
        "valuelt": "whether the value is less than `thunk`",
        "valuele": "whether the value is at most `thunk`",
        "valuegt": "whether the value is greater than `thunk`",
        "valuege": "whether the value is at least `thunk`",
        "rowindex": "the row, plus `thunk`",
        "colindex": "the column, plus `thunk`",
        "index": "the index, plus `thunk`",
        "diagindex": "the number of the diagonal, column - row, plus `thunk`",
    },
}


def describe(operator: Any) -> str:
    """What ``help(operator)`` says."""
    kind, name = operator.kind, operator.name
    lines = [f"{kind}.{name}: {_what(operator)}."]
    if getattr(operator, "flipped", None) == name:
        lines.append("It commutes.")
    elif getattr(operator, "flipped", None):
        lines.append(f"With its operands exchanged it is {kind}.{operator.flipped}.")
    function = getattr(operator, "function", None)
    if function is not None:
        lines.append(f"Made of the Python function {getattr(function, '__name__', function)!s}.")
        if own := inspect.getdoc(function):
            lines += ["", own]
    lines += ["", _USE[kind].format(name=name)]
    return "\n".join(lines)


_USE = {
    "unary": "Use: A.apply(unary.{name}), or unary.{name}(A).",
    "binary": "Use: binary.{name}(A | B) over the union of entries, binary.{name}(A & B) where\n"
    "both have one; as accumulator, C(binary.{name}) << ...; A.apply(binary.{name}, right=2).",
    "indexunary": "Use: A.apply(indexunary.{name}, thunk); those that give truth also select:\n"
    "A.select(...) with the same name keeps the entries for which it is true.",
    "select": "Use: A.select(select.{name}, thunk), or select.{name}(A, thunk).",
    "monoid": "Use: A.reduce_rowwise(monoid.{name}), A.ewise_add(B, monoid.{name}).",
    "semiring": "Use: semiring.{name}(A @ B), or A.mxm(B, semiring.{name}).",
}


def _what(operator: Any) -> str:
    """One line: from the table, or from the parts."""
    kind, name = operator.kind, operator.name
    if kind == "semiring":
        monoid, binary = operator.monoid, operator.binaryop
        return (
            f"entry (i, j) of a product A @ B is {_of(monoid)} over k of {_of(binary)}, "
            "with x = A[i, k] and y = B[k, j]"
        )
    if kind == "monoid":
        return f"values are combined by {_of(operator.binaryop)}, in any order"
    table = DESCRIPTIONS.get("indexunary" if kind == "select" else kind, {})
    if name in table:
        return table[name]
    of = {"unary": "x", "binary": "x and y"}.get(kind, "an entry's value, position and thunk")
    return f"a function of {of}"


def _of(part: Any) -> str:
    """A part of another operator: its name and meaning."""
    if part.kind == "monoid":
        return f"the {part.name} (monoid.{part.name})"
    return f"{_what(part)} (binary.{part.name})"


class OwnDoc:
    """A class's `__doc__`, and of its instances what describes each of them."""

    def __init__(self, of_class: str | None) -> None:
        self._of_class = of_class

    def __get__(self, instance: Any, owner: type | None = None) -> str | None:
        return self._of_class if instance is None else describe(instance)
