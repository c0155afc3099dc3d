"""What an operator is: unary, binary, index-unary, selecting, monoid, semiring.

An operator is a name with a *rule* that says which type its operands are cast to and which type
comes out.  `resolve` applies the rule and returns a typed operator (see `kinds.typed`), which is
all that an engine ever sees.  Built-in operators carry no code: each engine implements them by
name.  Composed and user-defined ones carry the Python function they were made from (see `traced`).
"""

from __future__ import annotations

from spbfs.operators.kinds.algebra import Monoid, Semiring, semiring_of
from spbfs.operators.kinds.functions import BinaryOp, IndexUnaryOp, SelectOp, UnaryOp
from spbfs.operators.kinds.operator import Operator
from spbfs.operators.kinds.typed import (
    TypedBinary,
    TypedIndexUnary,
    TypedMonoid,
    TypedSemiring,
    TypedUnary,
)

__all__ = [
    "BinaryOp",
    "IndexUnaryOp",
    "Monoid",
    "Operator",
    "SelectOp",
    "Semiring",
    "TypedBinary",
    "TypedIndexUnary",
    "TypedMonoid",
    "TypedSemiring",
    "TypedUnary",
    "UnaryOp",
    "semiring_of",
]
