"""What an operator is: unary, binary, index-unary, monoid, semiring, and their typed forms.

An operator is a name with a *rule* that says which type its operands are cast to and which type
comes out.  `resolve` applies the rule and returns a typed operator, which is all that a engine
ever sees; the same operator over the same types resolves to the same object, so that engines may
key what they derive from it by identity.  Built-in operators carry no code: each engine
implements them by name.  User-defined ones carry the Python function they were made from (see
`userdefined`).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache
from typing import Any

from spbfs.exceptions import DomainMismatch
from spbfs.operators.descriptions import OwnDoc
from spbfs.operators.dtypes import ALL, BOOL, INT64, DType, lookup_dtype, unify
from spbfs.operators.userdefined import trace

__all__ = [
    "BinaryOp",
    "IndexUnaryOp",
    "Monoid",
    "Semiring",
    "TypedBinary",
    "TypedIndexUnary",
    "TypedMonoid",
    "TypedSemiring",
    "TypedUnary",
    "UnaryOp",
]

#: (dtype of the operands) -> (dtype they are cast to, dtype of the result)
Rule = Callable[[DType], tuple[DType, DType]]


def same(t: DType) -> tuple[DType, DType]:
    return t, t


def comparison(t: DType) -> tuple[DType, DType]:
    return t, BOOL


def boolean(t: DType) -> tuple[DType, DType]:
    return BOOL, BOOL


def positional(t: DType) -> tuple[DType, DType]:
    return t, INT64


def only_boolean(t: DType) -> tuple[DType, DType]:
    if not t.is_bool:
        raise DomainMismatch(f"dtype: monoid.eq is defined for BOOL only, got {t}")
    return t, t


def integral(t: DType) -> tuple[DType, DType]:
    if t.is_float or t.is_bool:
        raise DomainMismatch(f"dtype: {t} has no bitwise operators; expected an integer type")
    return t, t


#: Stands for an argument that was not given.
_NOTHING = object()


class _Named:
    """Operators print and compare by name; what calling one means, operands know (`_called_by`)."""

    kind = ""
    #: operands of a user's function; 0 where there is none
    arity = 0
    #: what it is called on
    expects = "a matrix or vector"
    name: str

    def __init_subclass__(cls) -> None:
        own = cls.__dict__.get("__doc__")
        if not isinstance(own, OwnDoc):
            cls.__doc__ = OwnDoc(own)  # type: ignore[assignment]

    def __post_init__(self) -> None:
        function = getattr(self, "function", None)
        if function is not None and getattr(self, "tree", None) is None:
            object.__setattr__(self, "tree", trace(function, self.arity))

    def __repr__(self) -> str:
        return f"{self.kind}.{self.name}"

    def __getitem__(self, dtype: Any) -> Any:
        """The operator for one type, to which operands are cast: ``binary.plus["INT32"]``."""
        kind = lookup_dtype(dtype)
        rule: Rule = self.rule  # type: ignore[attr-defined]
        if getattr(self, "usual", None) is not None:
            return replace(self, rule=lambda _: rule(kind), usual=None)  # type: ignore[type-var]
        return replace(self, rule=lambda _: rule(kind))  # type: ignore[type-var]

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        for arg in args:
            meaning = getattr(arg, "_called_by", None)
            if meaning is not None:
                return meaning(self, args, kwargs)
        raise DomainMismatch(f"{self!r}: expected {self.expects}, got {args!r}")


@dataclass(frozen=True, eq=False, repr=False)
class UnaryOp(_Named):
    """A function of one value; ``positional`` ones see the position instead."""

    name: str
    rule: Rule = same
    positional: bool = False
    function: Callable[..., Any] | None = None
    #: what `function` was traced to when the operator was made
    tree: Any = None

    kind = "unary"
    arity = 1

    @lru_cache(maxsize=4096)  # noqa: B019 - operators are few, and live as long as their modules
    def resolve(self, dtype: DType) -> TypedUnary:
        return TypedUnary(self, *self.rule(dtype))


@dataclass(frozen=True, eq=False, repr=False)
class BinaryOp(_Named):
    """A function of two values; ``positional`` ones see the positions of the entries instead.

    In a product ``x = A[i, k]``, ``y = B[k, j]``: firsti is i, firstj and secondi are k, secondj
    is j; a vector on the left is a row (i = 0), one on the right a column (j = 0).
    """

    name: str
    rule: Rule = same
    commutes: bool = False
    positional: bool = False
    #: name of the operator with its operands exchanged, where there is one
    flipped: str | None = None
    #: The type that operands are taken as where the user fixed none: a count of pairs must not
    #: wrap in the type of whatever is paired.
    usual: DType | None = None
    function: Callable[..., Any] | None = None
    #: what `function` was traced to when the operator was made
    tree: Any = None

    kind = "binary"
    expects = "x | y, x & y or an operand and a scalar"
    arity = 2

    @lru_cache(maxsize=4096)  # noqa: B019 - operators are few, and live as long as their modules
    def resolve(self, left: DType, right: DType) -> TypedBinary:
        return TypedBinary(self, *self.rule(self.usual or unify(left, right)))


@dataclass(frozen=True, eq=False, repr=False)
class IndexUnaryOp(_Named):
    """A function of (value, row, column, thunk).  A vector's column is 0.

    Operators that compare positions ignore the value; ``value*`` ones compare it with the thunk.
    """

    name: str
    rule: Rule = boolean
    #: whether the value and the thunk are cast to the operand's type (else the thunk is INT64)
    by_value: bool = False
    is_select: bool = True
    function: Callable[..., Any] | None = None
    #: what `function` was traced to when the operator was made
    tree: Any = None

    kind = "indexunary"
    arity = 4

    @lru_cache(maxsize=4096)  # noqa: B019 - operators are few, and live as long as their modules
    def resolve(self, dtype: DType) -> TypedIndexUnary:
        return TypedIndexUnary(self, *self.rule(dtype))


@dataclass(frozen=True, eq=False, repr=False)
class Monoid(_Named):
    """A commutative, associative binary operator with an identity and perhaps a terminal value."""

    name: str
    binaryop: BinaryOp
    rule: Rule = same
    #: dtype -> identity (a Python or NumPy scalar); None for ``any``, which has none
    identity: Callable[[DType], Any] = lambda t: None
    #: dtype -> the value after which no operand can change the result, or None
    terminal: Callable[[DType], Any] = lambda t: None
    #: idempotent and any operand will do: the engine may stop at the first
    is_any: bool = False

    kind = "monoid"
    expects = "x | y, x & y or an operand and a scalar"

    @lru_cache(maxsize=4096)  # noqa: B019 - operators are few, and live as long as their modules
    def resolve(self, dtype: DType) -> TypedMonoid:
        _, out_type = self.rule(dtype)
        return TypedMonoid(self, out_type, self.identity(out_type), self.terminal(out_type))


@dataclass(frozen=True, eq=False, repr=False)
class Semiring(_Named):
    """``monoid`` sums what ``binaryop`` multiplies."""

    name: str
    monoid: Monoid
    binaryop: BinaryOp
    #: the type operands are cast to, where the user fixed one
    fixed: DType | None = None

    kind = "semiring"
    expects = "a product such as A @ B"

    def __call__(self, product: Any = _NOTHING, /, *args: Any, **kwargs: Any) -> Any:
        try:
            multiply = product.multiply  # of ``x @ y``
        except AttributeError:
            multiply = None
        if multiply is not None and not args and not kwargs:
            return multiply(self)
        given = () if product is _NOTHING else (product, *args)
        return super().__call__(*given, **kwargs)

    def __getitem__(self, dtype: Any) -> Semiring:
        """The semiring for one type, to which operands are cast: ``semiring.min_plus[float]``."""
        return replace(self, fixed=lookup_dtype(dtype))

    #: The types that were resolved last, and to what: a loop asks for the same ones.
    last: tuple[Any, Any, Any] = field(default=(None, None, None), init=False)

    def resolve(self, left: DType, right: DType) -> TypedSemiring:
        known_left, known_right, typed = self.last
        if known_left is not left or known_right is not right:
            typed = self._resolved(left, right)
            object.__setattr__(self, "last", (left, right, typed))
        resolved: TypedSemiring = typed
        return resolved

    def _resolved(self, left: DType, right: DType) -> TypedSemiring:
        if self.monoid.rule in (boolean, only_boolean) and self.binaryop.rule is same:
            return self.over(BOOL)
        return self.over(self.fixed or self.binaryop.usual or unify(left, right))

    @lru_cache(maxsize=4096)  # noqa: B019 - operators are few, and live as long as their modules
    def over(self, operand: DType) -> TypedSemiring:
        """The semiring for operands that are cast to one type."""
        multiply = TypedBinary(self.binaryop, *self.binaryop.rule(operand))
        add = self.monoid.resolve(multiply.out_type)
        return TypedSemiring(self, add, multiply)


@dataclass(frozen=True, eq=False)
class TypedUnary:
    """Cast the operand to `in_type`, apply `op`, store as `out_type`."""

    op: UnaryOp
    in_type: DType
    out_type: DType


#: Built-in operators that give x for x and x, whatever the type ...
_IDEMPOTENT = frozenset("first second any min max band bor".split())
#: ... and those that do so for Booleans only: over numbers ``lor`` turns a 2 into a 1.
_IDEMPOTENT_OVER_BOOL = frozenset("plus times lor land".split())


@dataclass(frozen=True, eq=False)
class TypedBinary:
    """Cast both operands to `in_type`, apply `op`, store as `out_type`."""

    op: BinaryOp
    in_type: DType
    out_type: DType

    @property
    def idempotent(self) -> bool:
        """Whether two equal operands are sure to give that value: not of user-defined operators."""
        if self.op.function is not None or self.in_type != self.out_type:
            return False
        name = self.op.name
        return name in _IDEMPOTENT or (self.in_type.is_bool and name in _IDEMPOTENT_OVER_BOOL)


@dataclass(frozen=True, eq=False)
class TypedIndexUnary:
    """Cast the value (and, ``by_value``, the thunk) to `in_type`; the result is `out_type`."""

    op: IndexUnaryOp
    in_type: DType
    out_type: DType


@dataclass(frozen=True, eq=False)
class TypedMonoid:
    """A monoid over one type: operands and result are `dtype`."""

    op: Monoid
    dtype: DType
    identity: Any
    terminal: Any

    @cached_property
    def idempotent(self) -> bool:
        """Whether a sum of equal values is sure to be that value."""
        return TypedBinary(self.op.binaryop, self.dtype, self.dtype).idempotent


@dataclass(frozen=True, eq=False)
class TypedSemiring:
    """Operands cast to ``multiply.in_type``, products cast to ``add.dtype`` and summed there."""

    op: Semiring
    add: TypedMonoid
    multiply: TypedBinary

    @property
    def out_type(self) -> DType:
        return self.add.dtype

    @cached_property
    def by_output(self) -> dict[str, TypedSemiring] | None:
        """Where all values of a product are one: the same product by the name of its type.

        What is written into a BOOL frontier is then made as BOOL, not made and cast.
        """
        multiply = self.multiply.op
        if not (self.add.op.is_any and multiply.name == "pair" and multiply.function is None):
            return None
        return {t.name: self.op.over(t) for t in ALL}
