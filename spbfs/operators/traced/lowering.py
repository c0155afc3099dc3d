"""A tree over operands of given types, with every cast in it written out.

What comes out leaves an engine nothing to choose: all operands of a node have the type of one of
NumPy's loops, and every constant has its type.  A user's function is computed as Numba would:
Python's operators take integers as 64 bits, signed unless both operands are unsigned, and numbers
in the function are INT64 and FP64; NumPy's functions, called by their names, keep the types that
NumPy's promotion gives.  In a built-in operator (`composed`) all are NumPy's functions, and a
number in it has the type of the other operand.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from spbfs.operators import casts
from spbfs.operators.traced.standins import COMPARISONS, OPERATORS, UFUNCS
from spbfs.operators.traced.symbols import Node
from spbfs.operators.traced.ufuncs import FUNCTIONS_OF_C, cast_type

__all__ = ["Lowered", "lowered"]

#: A node, and the type of what it gives; that of a number in a built-in operator is Python's.
Lowered = tuple[Node, Any]

_BOOL, _INT8, _INT64, _UINT64, _FP32, _FP64 = map(np.dtype, "? b q Q f d".split())

#: What is compared with what, seen from the other operand.
_MIRRORED = {
    "equal": "equal",
    "not_equal": "not_equal",
    "less": "greater",
    "greater": "less",
    "less_equal": "greater_equal",
    "greater_equal": "less_equal",
}
_COMPARISONS = frozenset(COMPARISONS.values())
_LOGICAL = frozenset("logical_and logical_or logical_xor logical_not".split())
#: Integers stay what they are.
_ROUNDING = frozenset("floor ceil trunc".split())


def lowered(tree: Node, dtypes: tuple[np.dtype[Any], ...], *, widen: bool) -> Lowered:
    """The tree and the type of its result.

    Parameters
    ----------
    tree : Node
    dtypes : tuple of numpy.dtype
        Of the arguments.
    widen : bool
        Whether it is a user's function.

    Raises
    ------
    TypeError, OverflowError
        It has no meaning for these types.

    Examples
    --------
    >>> from spbfs.operators.traced.symbols import trace
    >>> tree = trace(lambda x: x + 1000, 1)
    >>> lowered(tree, (np.dtype("int8"),), widen=True)[1]
    dtype('int64')
    """
    found = (_Widening if widen else _Lowering)(dtypes).of(tree)
    dtype = _type_of(found)
    return put(found, dtype), dtype


def put(operand: Lowered, dtype: np.dtype[Any]) -> Node:
    """The node of an operand as another type; a number is converted here and now.

    Raises
    ------
    OverflowError
        A number of Python's is beyond the type.
    """
    node, known = operand
    # NumPy would find Python's `int` equal to its own.
    if isinstance(known, np.dtype) and known == dtype:
        return node
    if node.op != "const":
        return Node("cast", (node,), dtype.name)
    weak = not isinstance(node.value, np.generic)
    given = np.array(node.value, dtype) if weak else np.asarray(node.value)
    return Node("const", value=casts.cast(np, given, dtype)[()])


def _type_of(operand: Lowered) -> np.dtype[Any]:
    known = operand[1]
    return known if isinstance(known, np.dtype) else np.asarray(operand[0].value).dtype


def _single(dtype: Any) -> Any:
    """NumPy's half precision is no type of GraphBLAS."""
    return _FP32 if dtype == np.float16 else dtype


class _Lowering:
    """Of one tree; what is in it twice is lowered once."""

    def __init__(self, dtypes: tuple[np.dtype[Any], ...]) -> None:
        self._dtypes = dtypes
        self._known: dict[int, Lowered] = {}
        self._put: dict[tuple[int, np.dtype[Any]], tuple[Node, Node]] = {}

    def of(self, node: Node) -> Lowered:
        if node.op == "arg":
            return node, self._dtypes[node.value]
        if node.op == "const":
            return self.constant(node)
        if id(node) not in self._known:
            operands = [self.of(a) for a in node.args]
            if node.op == "cast":
                made = self.cast(node.value, operands[0])
            elif node.op == "where":
                made = self.choice(*operands)
            else:
                made = self.applied(node.op, operands)
            self._known[id(node)] = made
        return self._known[id(node)]

    # -- what differs between a user's function and a built-in operator ----------------------------
    def constant(self, node: Node) -> Lowered:
        value = node.value
        if isinstance(value, bool):
            return node, _BOOL
        return node, value.dtype if isinstance(value, np.generic) else type(value)

    def applied(self, name: str, operands: list[Lowered]) -> Lowered:
        return self.function(OPERATORS.get(name, name), operands)

    def common(self, chosen: Lowered, other: Lowered) -> np.dtype[Any]:
        """The type of a choice."""
        operands = (chosen, other)
        samples = [t if isinstance(t, np.dtype) else x.value for x, t in operands]
        return np.result_type(*samples)

    def put(self, operand: Lowered, dtype: np.dtype[Any]) -> Node:
        """As `put`; what is cast twice is cast once."""
        node = operand[0]
        key = (id(node), dtype)
        if key not in self._put:
            self._put[key] = node, put(operand, dtype)  # which keeps the number of `node` its own
        return self._put[key][1]

    # -- what they share ---------------------------------------------------------------------------
    def cast(self, to: str, operand: Lowered) -> Lowered:
        dtype = _type_of(operand)
        wanted = cast_type(to, dtype)
        return self.put((self.put(operand, dtype), dtype), wanted), wanted

    def choice(self, condition: Lowered, chosen: Lowered, other: Lowered) -> Lowered:
        dtype = _single(self.common(chosen, other))
        left, right = self.put(chosen, dtype), self.put(other, dtype)
        test = self.put(condition, _BOOL)
        if test.op == "const":
            return (left if test.value else right), dtype
        return Node("where", (test, left, right)), dtype

    def loop(self, name: str, operands: list[Lowered]) -> Lowered:
        """A function in the types of the loop that NumPy would pick."""
        ufunc, given = getattr(np, name), [t for _, t in operands]
        try:
            types = ufunc.resolve_dtypes((*given, None))
        except TypeError:
            if set(given) != {_BOOL}:
                raise
            types = ufunc.resolve_dtypes((*(_INT8 for _ in given), None))
        inputs = [_single(t) for t in types[:-1]]
        nodes = tuple(self.put(x, t) for x, t in zip(operands, inputs, strict=True))
        return Node(name, nodes), _single(types[-1])

    def function(self, name: str, operands: list[Lowered]) -> Lowered:
        types = [_type_of(x) for x in operands]
        if name in FUNCTIONS_OF_C:
            dtype = types[0] if types[0].kind == "f" else _FP64
            return Node(name, (self.put(operands[0], dtype),)), dtype
        if name in ("frexpx", "frexpe"):
            return Node(name, (self.put(operands[0], types[0]),)), types[0]
        if name in _LOGICAL:
            return Node(name, tuple(self.put(x, _BOOL) for x in operands)), _BOOL
        if name in _ROUNDING and types[0].kind != "f":
            return operands[0]
        if name in ("power", "wrapped_power"):
            return self.power(*operands)
        if name == "square":
            made = self.loop("multiply", [*operands, *operands])
            return Node("square", made[0].args[:1]), made[1]
        if name not in UFUNCS:
            raise TypeError(f"there is no function {name}")
        return self.loop(name, operands)

    def power(self, base: Lowered, exponent: Lowered) -> Lowered:
        """Integers to a negative power are cut to one; a square is a product."""
        node, dtype = self.loop("power", [base, exponent])
        base_node, exponent_node = node.args
        if exponent_node.op == "const" and exponent_node.value == 2 and dtype.kind != "b":
            return Node("square", (base_node,)), dtype
        return Node("power" if dtype.kind == "f" else "wrapped_power", node.args), dtype


class _Widening(_Lowering):
    """As Numba computes."""

    def of(self, node: Node) -> Lowered:
        if node.op in _COMPARISONS and any(map(_is_beyond, node.args)):
            return self.foregone(node.op, *node.args)
        return super().of(node)

    def constant(self, node: Node) -> Lowered:
        value = node.value
        if isinstance(value, np.generic):
            return node, value.dtype
        dtype = _FP64
        if isinstance(value, bool):
            dtype = _BOOL
        elif isinstance(value, int):
            dtype = _UINT64 if value >= 1 << 63 else _INT64
        else:
            value = float(value)
        return Node("const", value=np.array(value, dtype)[()]), dtype

    def common(self, chosen: Lowered, other: Lowered) -> np.dtype[Any]:
        types = chosen[1], other[1]
        # Numba takes these two as FP64, which does not hold them; as INT64 no bit is lost.
        return _INT64 if _is_mixed(*types) else np.promote_types(*types)

    def applied(self, name: str, operands: list[Lowered]) -> Lowered:
        if name in _COMPARISONS:
            return self.comparison(name, *operands)
        if name in OPERATORS:
            return self.operator(name, operands)
        if name in UFUNCS and name not in _LOGICAL:
            operands = self.named(name, operands)
        return self.function(name, operands)

    # -- Python's operators ------------------------------------------------------------------------
    def operator(self, sign: str, operands: list[Lowered]) -> Lowered:
        name, types = OPERATORS[sign], [t for _, t in operands]
        if sign == "abs":
            dtype = _INT8 if types[0].kind == "b" else types[0]
        elif sign in "&|^~" and all(t.kind == "b" for t in types):
            dtype = _BOOL
        elif sign in ("neg", "~") and types[0].kind in "iu":
            # Numba has these in the operand's own type, and widens what comes of it.
            found, dtype = self.function(name, operands), _wide(types)
            return self.put(found, dtype), dtype
        elif sign in ("<<", ">>") and types[1].kind != "f":
            dtype = _wide(types[:1])
        elif sign == "**" and types[0] == _FP32 and types[1].kind != "f":
            dtype = _FP32
        else:
            dtype = _wide(types)
        if sign in ("//", "%") and dtype == _INT64 and self.stays_unsigned(*operands):
            # As INT64 large numbers would be negative; what is left of them fits it.
            made = self.loop(name, [(self.put(x, _UINT64), _UINT64) for x in operands])
            return Node("cast", (made[0],), _INT64.name), _INT64
        if sign == "/" and dtype.kind != "f":
            dtype = _FP64
        return self.function(name, [(self.put(x, dtype), dtype) for x in operands])

    def stays_unsigned(self, x: Lowered, y: Lowered) -> bool:
        return x[1] == _UINT64 and y[0].op == "const" and bool(y[0].value >= 0)

    # -- NumPy's functions -------------------------------------------------------------------------
    def named(self, name: str, operands: list[Lowered]) -> list[Lowered]:
        """Operands as NumPy sees them: of FP32 and integers none becomes FP64."""
        types = [t for _, t in operands]
        if _FP32 in types and _FP64 not in types and name != "ldexp":
            return [(self.put(x, _FP32), _FP32) for x in operands]
        if _UINT64 in types:
            operands = [
                (self.put(x, _UINT64), _UINT64) if _is_positive(x) and x[1].kind == "i" else x
                for x in operands
            ]
        return operands

    # -- comparisons -------------------------------------------------------------------------------
    def comparison(self, name: str, x: Lowered, y: Lowered) -> Lowered:
        """Of any two integers as of numbers, which no type of 64 bits holds both of."""
        if not _is_mixed(x[1], y[1]):
            return self.loop(name, [x, y])
        if x[1] == _UINT64:
            return self.comparison(_MIRRORED[name], y, x)
        x = self.put(x, _INT64), _INT64
        nought = Node("const", value=np.int64(0))
        below = self.loop("less", [x, (nought, _INT64)])
        same_sign = self.loop(name, [(self.put(x, _UINT64), _UINT64), y])
        says = Node("const", value=np.bool_(name in ("less", "less_equal", "not_equal")))
        if x[0].op == "const":
            return (says, _BOOL) if x[0].value < 0 else same_sign
        return self.choice(below, (says, _BOOL), same_sign)

    def foregone(self, name: str, *nodes: Node) -> Lowered:
        """What is said of all values where a number is beyond 64 bits."""
        x, y = (Node("const", value=float(a.value)) if _is_beyond(a) else a for a in nodes)
        # No integer is as large, and to a float it is what it is as one.
        return self.comparison(name, self.of(x), self.of(y))


def _is_mixed(*types: np.dtype[Any]) -> bool:
    """Whether one is UINT64 and the other signed: no type of integers holds both."""
    return _UINT64 in types and any(t.kind == "i" for t in types)


def _is_beyond(node: Node) -> bool:
    """Whether it is a number that has no type."""
    value = node.value
    return node.op == "const" and type(value) is int and not -(1 << 63) <= value < 1 << 64


def _is_positive(operand: Lowered) -> bool:
    return operand[0].op == "const" and bool(operand[0].value >= 0)


def _wide(types: list[np.dtype[Any]]) -> np.dtype[Any]:
    """The type in which Python's operators are computed."""
    if any(t.kind == "f" for t in types):
        return np.promote_types(types[0], types[-1])
    return _UINT64 if all(t.kind == "u" for t in types) else _INT64
