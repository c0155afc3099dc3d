"""Operators made of others: monoids, which sum, and semirings, which sum products."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from types import FunctionType
from typing import Any

from spbfs.base.wording import brief
from spbfs.exceptions import DomainMismatch
from spbfs.operators.dtypes import BOOL, DType, lookup_dtype, scalar_dtype, unify
from spbfs.operators.kinds.functions import BinaryOp
from spbfs.operators.kinds.operator import Operator, called
from spbfs.operators.kinds.typed import TypedMonoid, TypedSemiring
from spbfs.operators.names import registry
from spbfs.operators.rules import Rule, boolean, only_boolean, same

__all__ = ["Monoid", "Semiring", "semiring_of"]


@dataclass(eq=False, repr=False)
class Monoid(Operator):
    """A commutative, associative binary operator with an identity and perhaps a terminal value."""

    name: str
    binaryop: BinaryOp
    rule: Rule = same
    #: dtype -> identity (a Python or NumPy scalar)
    identity: Callable[[DType], Any] = lambda t: t.np_type.type(0).item()
    #: dtype -> the value after which no operand can change the result, or None
    terminal: Callable[[DType], Any] = lambda t: None
    #: any operand will do: the engine may stop at the first
    is_any: bool = False
    #: whether ``op(x, x)`` is x for all x
    is_idempotent: bool = False
    anonymous: bool = False
    #: what a user gave as the identity
    given: Any = None

    kind = "monoid"
    expects = "x | y, x & y or an operand and a scalar"
    defined_by = ("binaryop", "identity")
    is_commutative = True

    def _make(self, t: DType) -> TypedMonoid:
        _, out = self.rule(t)
        return TypedMonoid(self, out, self.identity(out), self.terminal(out))

    @property
    def identities(self) -> dict[DType, Any]:
        """The identity for every type."""
        return {t: self.typed(t).identity for t in self.types}

    @property
    def commutes_to(self) -> Monoid:
        """Itself: operands of every monoid may be exchanged."""
        return self

    @classmethod
    def _is_parameterized(cls, definition: tuple[Any, ...]) -> bool:
        return isinstance(definition[0], BinaryOp.parameterized)

    @classmethod
    def _build(cls, name: str | None, *definition: Any, **options: Any) -> Monoid:
        binaryop, identity = definition
        if isinstance(binaryop, str):
            binaryop = registry.find("binary", binaryop)
        elif isinstance(binaryop, FunctionType):
            binaryop = BinaryOp._build(None, binaryop, anonymous=True)
        if not isinstance(binaryop, BinaryOp):
            raise DomainMismatch(f"binaryop: a monoid is made of a BinaryOp, got {binaryop!r}")
        terminal = options.pop("terminal", None)
        for argument, value in (("identity", identity), ("terminal", terminal)):
            for number in value.values() if isinstance(value, Mapping) else (value,):
                if number is not None:
                    scalar_dtype(number, argument)
        identities = None
        if isinstance(identity, Mapping):
            identities = {lookup_dtype(t): value for t, value in identity.items()}
            for t in identities:
                if binaryop.typed(t).out_type != t:
                    raise DomainMismatch(f"identity: {binaryop!r} of {t} does not give {t}")

        def rule(t: DType) -> tuple[DType, DType]:
            if binaryop.typed(t).out_type != t or not (identities is None or t in identities):
                raise DomainMismatch(f"expected a type that {binaryop!r} gives, too")
            return t, t

        is_any = binaryop.name == "any" and binaryop.function is None
        made = cls(
            name or binaryop.name,
            binaryop,
            rule,
            lambda t: identity if identities is None else identities[t],
            lambda t: terminal,
            is_any,
            given=identity,
            **options,
        )
        if binaryop.monoid is None:
            binaryop.__dict__["_monoid"] = made
        return made

    def _definition(self) -> tuple[Any, ...]:
        return self.binaryop, self.given, self.name


#: The position that a product ``x y`` gives when it is computed as ``(y' x')'``.
_FLIPPED_IN_PRODUCTS = {
    "firsti": "secondj",
    "firstj": "secondi",
    "secondi": "firstj",
    "secondj": "firsti",
}
#: Multiplications whose results logical monoids take the truth of.
_OF_TRUTH = frozenset("first second pair any land lor lxor".split())
#: Stands for an argument that was not given.
_NOTHING = object()


@dataclass(eq=False, repr=False)
class Semiring(Operator):
    """``monoid`` sums what ``binaryop`` multiplies."""

    name: str
    monoid: Monoid
    binaryop: BinaryOp
    #: what operands are cast to, where that is not what the multiplication says
    rule: Rule | None = None
    anonymous: bool = False
    #: Types that it is defined for, but not one of `types`: so it is in python-graphblas.
    unlisted: tuple[DType, ...] = ()
    #: The types that were resolved last, and to what: a loop asks for the same ones.
    last: tuple[Any, Any] = field(default=(None, None), init=False)

    kind = "semiring"
    expects = "a product such as A @ B"
    defined_by = ("monoid", "binaryop")

    def __call__(self, product: Any = _NOTHING, /, *args: Any, **kwargs: Any) -> Any:
        try:
            multiply = product.multiply  # of ``x @ y``
        except AttributeError:
            multiply = None
        if multiply is not None and not args and not kwargs:
            return multiply(self)
        given = () if product is _NOTHING else (product, *args)
        return called(self, given, kwargs)

    def resolve(self, *operands: DType) -> TypedSemiring:
        known, typed = self.last
        if known != operands:
            typed = self._resolved(*operands)
            self.last = (operands, typed)
        resolved: TypedSemiring = typed
        return resolved

    def _resolved(self, left: DType, right: DType) -> TypedSemiring:
        usual = None if self._over_booleans else self.binaryop.usual
        made: TypedSemiring = self.typed(usual or unify(left, right))
        return made

    @cached_property
    def types(self) -> dict[DType, DType]:
        """As of every operator, without `unlisted`."""
        return {t: out for t, out in super().types.items() if t not in self.unlisted}

    @cached_property
    def _over_booleans(self) -> bool:
        """Whether operands are taken as BOOL because what sums them is a logical operator."""
        logical = self.monoid.rule in (boolean, only_boolean)
        return logical and self.binaryop.name in _OF_TRUTH and self.binaryop.function is None

    def _make(self, t: DType) -> TypedSemiring:
        if self.rule is not None:
            t, _ = self.rule(t)
        multiply = self.binaryop.typed(BOOL if self._over_booleans else t)
        add = self.monoid.typed(multiply.out_type)
        return TypedSemiring(self, add, multiply)

    def over(self, operand: DType) -> TypedSemiring:
        """The semiring for operands that are cast to one type.

        Parameters
        ----------
        operand : DType
        """
        made: TypedSemiring = self.typed(operand)
        return made

    @property
    def is_positional(self) -> bool:
        return self.binaryop.is_positional

    @property
    def commutes_to(self) -> Any:
        """What gives the same for operands exchanged, where there is something."""
        name = _FLIPPED_IN_PRODUCTS.get(self.binaryop.name)
        other = self.binaryop.commutes_to if name is None else registry.find("binary", name)
        if other is self.binaryop:
            return self
        return None if other is None else semiring_of(self.monoid, other)

    @property
    def is_commutative(self) -> bool:
        """Whether operands may be exchanged."""
        return self.binaryop.is_commutative

    @classmethod
    def _is_parameterized(cls, definition: tuple[Any, ...]) -> bool:
        monoid, binaryop = definition
        return isinstance(monoid, Monoid.parameterized) or isinstance(
            binaryop, BinaryOp.parameterized
        )

    @classmethod
    def _build(cls, name: str | None, *definition: Any, **options: Any) -> Semiring:
        monoid, binaryop = definition
        if isinstance(monoid, str):
            monoid = registry.find("monoid", monoid)
        if isinstance(binaryop, str):
            binaryop = registry.find("binary", binaryop)
        elif isinstance(binaryop, FunctionType):
            binaryop = BinaryOp._build(None, binaryop, anonymous=True)
        if not isinstance(monoid, Monoid):
            hint = ""
            if isinstance(monoid, FunctionType):
                hint = "; monoid.register_anonymous(function, identity) makes one of a function"
            elif isinstance(monoid, BinaryOp):
                hint = "; monoid.register_anonymous(operator, identity) makes one of an operator"
            raise DomainMismatch(
                f"monoid: a semiring is made of a Monoid, got {brief(monoid)}{hint}"
            )
        if not isinstance(binaryop, BinaryOp):
            raise DomainMismatch(f"binaryop: a semiring is made of a BinaryOp, got {binaryop!r}")
        own = f"{monoid.name}_{binaryop.name}".replace(".", "_")
        return cls(name or own, monoid, binaryop, **options)

    def _definition(self) -> tuple[Any, ...]:
        return self.monoid, self.binaryop, self.name


def semiring_of(monoid: Monoid, binaryop: BinaryOp) -> Semiring:
    """The semiring of two operators: the one that is kept, or a new one, kept if they are.

    Parameters
    ----------
    monoid : Monoid
    binaryop : BinaryOp
    """
    if monoid.anonymous or binaryop.anonymous:
        return Semiring._build(None, monoid, binaryop, anonymous=True)
    path = (monoid.name.rpartition(".")[0] or binaryop.name.rpartition(".")[0]).strip(".")
    name = "_".join(op.name.rpartition(".")[2] for op in (monoid, binaryop))
    name = f"{path}.{name}" if path else name
    found = registry.find("semiring", name)
    if found is None:
        found = Semiring.register_new(name, monoid, binaryop)
    if (found.monoid, found.binaryop) == (monoid, binaryop):
        kept: Semiring = found
        return kept
    return Semiring._build(None, monoid, binaryop, anonymous=True)
