"""Every operation as the statement that it is: a function of a `Writer`, by name.

``{}`` stands where the options of the cell go.  A name ends in what is written: a vector (``v``), a
matrix (``m``), a part of one, a row or column, one element.
"""

from __future__ import annotations

from collections.abc import Callable

from tests.programs.writing import SELECTS, Writer

__all__ = ["OPERATIONS", "target_of"]

Statement = Callable[[Writer], str]


def whole(shape: str, target: str, expression: Statement) -> Statement:
    """An expression into all of a target, under a mask of its shape."""
    return lambda a: f"{target}{a.options(shape)} << {expression(a)}"


def vector(expression: Statement) -> Statement:
    return whole("n", "w", expression)


def matrix(expression: Statement) -> Statement:
    return whole("nm", "T", expression)


def square(expression: Statement) -> Statement:
    return whole("nn", "C", expression)


_WHOLE: dict[str, Statement] = {
    "mxv v": vector(lambda a: f"{a.one('nm')}.mxv({a.one('m')}, {a.ring})"),
    "vxm v": vector(lambda a: f"{a.ring}({a.one('m')} @ {a.one('mn')})"),
    "mxm m": matrix(lambda a: f"{a.ring}({a.one('nn')} @ {a.one('nm')})"),
    "mxm square m": square(lambda a: f"{a.one('nm')}.mxm({a.one('mn')}, {a.ring})"),
    "ewise_add v": vector(lambda a: f"{a.one('n')}.ewise_add({a.one('n')}, {a.op})"),
    "ewise_add m": matrix(lambda a: f"{a.monoid}({a.one('nm')} | {a.one('nm')})"),
    "ewise_mult v": vector(lambda a: f"{a.op}({a.one('n')} & {a.one('n')})"),
    "ewise_mult m": square(lambda a: f"{a.one('nn')}.ewise_mult({a.one('nn')}, {a.op})"),
    "ewise_union v": vector(
        lambda a: f"{a.one('n')}.ewise_union({a.one('n')}, {a.op}, {a.number()}, {a.number()})"
    ),
    "ewise_union m": matrix(
        lambda a: f"{a.one('nm')}.ewise_union({a.one('nm')}, {a.op}, {a.number()}, {a.number()})"
    ),
    "infix v": vector(lambda a: f"{a.one('n')} {a.pick('+-*')} {a.one('n')}"),
    "infix m": matrix(lambda a: f"{a.one('nm')} {a.pick('+-*')} {a.one('nm')}"),
    "compare v": vector(lambda a: f"({a.one('n')} {a.pick(('<', '==', '!='))} {a.one('n')})"),
    "apply v": vector(lambda a: f"{a.one('n')}.apply({a.unary})"),
    "apply m": square(lambda a: f"{a.unary}({a.one('nn')})"),
    "apply right v": vector(lambda a: f"{a.one('n')}.apply({a.op}, right={a.number()})"),
    "apply left m": matrix(lambda a: f"{a.one('nm')}.apply({a.op}, left={a.number()})"),
    "apply index v": vector(lambda a: f"{a.one('n')}.apply('rowindex', {a.index('n')})"),
    "apply index m": square(
        lambda a: f"{a.one('nn')}.apply(indexunary.{a.pick(('colindex', 'diagindex'))}, 1)"
    ),
    "select value v": vector(lambda a: a.by_value(a.one("n"))),
    "select value m": matrix(lambda a: a.by_value(a.one("nm"))),
    "select place v": vector(lambda a: f"{a.one('n')}.select('{a.pick(('rowle', 'rowgt'))}', 1)"),
    "select place m": square(
        lambda a: f"{a.one('nn')}.select('{a.pick(SELECTS)}', {a.index('n')})"
    ),
    "select mask v": vector(lambda a: f"{a.one('n')}.select(~v.{a.pick('SV')})"),
    "select mask m": square(lambda a: f"{a.one('nn')}.select({a.pick(('bnn', 'B.S'))})"),
    "reduce rowwise v": vector(lambda a: f"{a.one('nm')}.reduce_rowwise({a.monoid})"),
    "reduce columnwise v": vector(lambda a: f"{a.one('mn')}.reduce_columnwise({a.monoid})"),
    "extract v": vector(lambda a: f"{a.one('n')}[{a.any_indices('n')}]"),
    "extract row v": vector(lambda a: f"{a.one('mn')}[{a.index('m')}, {a.any_indices('n')}]"),
    "extract column v": vector(lambda a: f"{a.one('nm')}[{a.any_indices('n')}, {a.index('m')}]"),
    "extract m": square(lambda a: f"{a.one('nn')}[{a.any_indices('n')}, {a.any_indices('n')}]"),
    "transpose m": matrix(lambda a: f"{a.pick(('Q', 'O'))}.T"),
    "kronecker m": square(lambda a: f"{a.one('nn')}.kronecker(One, {a.op})"),
    "outer m": matrix(lambda a: f"{a.one('n')}.outer({a.one('m')}, {a.op})"),
    "copy v": vector(lambda a: a.one("n")),
    "copy m": square(lambda a: a.one("nn")),
    "number v": lambda a: f"w{a.options('n') or '[:]'} << {a.number()}",
    "number m": lambda a: f"T{a.options('nm') or '[...]'} << {a.number()}",
    "empty v": vector(lambda a: "empty"),
    "empty m": matrix(lambda a: "empty"),
}


def _values(a: Writer, stored: str, dense: str) -> str:
    """What is written into a part: an object, an array, a number, or nothing, which deletes."""
    return str(a.pick((stored, stored, a.number(), a.number(), dense, "empty")))


def _list(a: Writer) -> str:
    return f"[{a.number()}, {a.number()}]"


def _line(a: Writer) -> str:
    return _values(a, f"{a.one('p')}", _list(a))


def _block(a: Writer) -> str:
    return _values(a, f"{a.one('pp')}", f"[{_list(a)}, {_list(a)}]")


_PARTS: dict[str, Statement] = {
    "assign part v": lambda a: f"w{a.options('n')}[{a.part('n')}] << {_line(a)}",
    "subassign part v": lambda a: f"w[{a.part('n')}]{a.options('p')} << {_line(a)}",
    "assign all v": lambda a: f"w{a.options('n')}[{a.any_indices('n')}] << {a.one('n')}",
    "subassign all v": lambda a: f"w[{a.any_indices('n')}]{a.options('n')} << {a.one('n')}",
    "assign part m": (lambda a: f"T{a.options('nm')}[{a.part('n')}, {a.part('m')}] << {_block(a)}"),
    "subassign part m": (
        lambda a: f"T[{a.part('n')}, {a.part('m')}]{a.options('pp')} << {_block(a)}"
    ),
    "assign row m": lambda a: f"T{a.options('m')}[{a.index('n')}, {a.part('m')}] << {_line(a)}",
    "assign column m": lambda a: f"T{a.options('n')}[{a.part('n')}, {a.index('m')}] << {_line(a)}",
    "assign whole row m": lambda a: f"T{a.options('m')}[{a.index('n')}, :] << {a.one('m')}",
    "subassign row m": lambda a: f"T[{a.index('n')}, {a.part('m')}]{a.options('p')} << {_line(a)}",
    "subassign column m": (
        lambda a: f"T[{a.part('n')}, {a.index('m')}]{a.options('p')} << {_line(a)}"
    ),
    "assign row under a matrix m": (
        lambda a: f"T{a.options('nm')}[{a.index('n')}, {a.part('m')}] << {_line(a)}"
    ),
    "element v": lambda a: f"w{a.options('n')}[{a.index('n')}] << {a.pick((a.number(), 'empty'))}",
    "element m": lambda a: f"T{a.options('nm')}[{a.index('n')}, {a.index('m')}] << {a.number()}",
}

OPERATIONS: dict[str, Statement] = {**_WHOLE, **_PARTS}


def target_of(statement: str) -> str:
    """The variable that a statement writes."""
    return statement[0]
