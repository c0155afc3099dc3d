"""Operators whose function takes parameters of its own: ``binary.isclose(rel_tol=1e-5)``."""

from __future__ import annotations

import inspect
from functools import lru_cache
from typing import Any, ClassVar

from spbfs.exceptions import DomainMismatch, InvalidValue
from spbfs.operators.kinds.algebra import Monoid, Semiring
from spbfs.operators.kinds.functions import BinaryOp, IndexUnaryOp, SelectOp, UnaryOp
from spbfs.operators.kinds.operator import operator_named

__all__ = [
    "ParameterizedBinaryOp",
    "ParameterizedIndexUnaryOp",
    "ParameterizedMonoid",
    "ParameterizedSelectOp",
    "ParameterizedSemiring",
    "ParameterizedUdf",
    "ParameterizedUnaryOp",
]


class ParameterizedUdf:
    """What a call with parameters makes an operator of; used as it is, with their defaults."""

    #: The class of what it makes.
    makes: ClassVar[Any] = None
    is_positional = False

    def __init__(self, name: str | None, func: Any, *, anonymous: bool = False) -> None:
        if not callable(func):
            raise DomainMismatch(
                f"func: expected a function that returns a function of numbers, got {func!r}"
            )
        self.func = func
        self.orig_func = func
        self.name = name or getattr(func, "__name__", "<anonymous>")
        self.anonymous = anonymous
        self.__signature__ = inspect.signature(func)
        self._start()

    def _start(self) -> None:
        #: The same parameters make the same operator.
        self._made_once = lru_cache(maxsize=1024)(self._made)

    @property
    def kind(self) -> str:
        """That of what it makes."""
        kind: str = self.makes.kind
        return kind

    def _function(self, *args: Any, **kwargs: Any) -> Any:
        try:
            self.__signature__.bind(*args, **kwargs)
        except TypeError as error:
            raise DomainMismatch(f"{self!r}: {error}") from None
        return self.func(*args, **kwargs)

    def _made(self, *args: Any, **kwargs: Any) -> Any:
        return self.makes.register_anonymous(self._function(*args, **kwargs), self.name)

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        try:
            made = self._made_once(*args, **kwargs)
        except TypeError as error:
            if "unhashable" not in str(error):
                raise
            made = self._made(*args, **kwargs)
        made.made_from = (self, args, kwargs)
        return made

    def __repr__(self) -> str:
        return f"{self.kind}.{self.name}"

    def _definition(self) -> tuple[Any, ...]:
        return (self.func,)

    def __reduce__(self) -> tuple[Any, ...]:
        if self.anonymous:
            return _again, (type(self), self.name, self._definition())
        return operator_named, (self.kind, self.name)


def _again(cls: Any, name: str, definition: tuple[Any, ...]) -> Any:
    return cls(name, *definition, anonymous=True)


class ParameterizedUnaryOp(ParameterizedUdf):
    """A unary operator with parameters."""

    makes = UnaryOp


class ParameterizedIndexUnaryOp(ParameterizedUdf):
    """An index-unary operator with parameters."""

    makes = IndexUnaryOp


class ParameterizedSelectOp(ParameterizedUdf):
    """A selection with parameters."""

    makes = SelectOp


class ParameterizedBinaryOp(ParameterizedUdf):
    """A binary operator with parameters."""

    makes = BinaryOp
    #: The parameterized monoid that sums by it.
    monoid: Any = None
    #: Whether operands may be exchanged, whatever the parameters.
    is_commutative = False

    @property
    def commutes_to(self) -> Any:
        """Itself where operands may be exchanged."""
        return self if self.is_commutative else None

    def _made(self, *args: Any, **kwargs: Any) -> Any:
        made = super()._made(*args, **kwargs)
        made.flipped = made.name if self.is_commutative else None
        return made

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        made = super().__call__(*args, **kwargs)
        if self.monoid is not None and "_monoid" not in made.__dict__:
            made.__dict__["_monoid"] = None  # asked for below
            try:
                self.monoid(*args, **kwargs)
            except Exception:
                made.__dict__.pop("_monoid", None)
        return made


class ParameterizedMonoid(ParameterizedUdf):
    """A monoid over a binary operator with parameters, which its identity may take, too."""

    makes = Monoid
    is_commutative = True

    def __init__(
        self,
        name: str | None,
        binaryop: Any,
        identity: Any,
        *,
        is_idempotent: bool = False,
        anonymous: bool = False,
    ) -> None:
        if not isinstance(binaryop, ParameterizedBinaryOp):
            raise DomainMismatch(f"binaryop: expected a parameterized BinaryOp, got {binaryop!r}")
        if callable(identity) and inspect.signature(identity) != binaryop.__signature__:
            raise InvalidValue(
                "identity: expected the parameters of the binary operator, "
                f"{binaryop.__signature__}, got {inspect.signature(identity)}"
            )
        self.binaryop, self.identity, self.is_idempotent = binaryop, identity, is_idempotent
        self.name, self.anonymous = name or binaryop.name, anonymous
        self.__signature__ = binaryop.__signature__
        self._start()
        binaryop.monoid = self
        binaryop._start()  # what it makes from now on has a monoid

    def _made(self, *args: Any, **kwargs: Any) -> Any:
        identity = self.identity(*args, **kwargs) if callable(self.identity) else self.identity
        binaryop = self.binaryop(*args, **kwargs)
        made = Monoid.register_anonymous(
            binaryop, identity, self.name, is_idempotent=self.is_idempotent
        )
        binaryop.__dict__["_monoid"] = made
        return made

    @property
    def commutes_to(self) -> Any:
        """Itself: operands of every monoid may be exchanged."""
        return self

    def _definition(self) -> tuple[Any, ...]:
        return self.binaryop, self.identity


class ParameterizedSemiring(ParameterizedUdf):
    """A semiring of which the monoid, the multiplication or both take parameters."""

    makes = Semiring

    def __init__(
        self, name: str | None, monoid: Any, binaryop: Any, *, anonymous: bool = False
    ) -> None:
        if not isinstance(monoid, Monoid | ParameterizedMonoid):
            raise DomainMismatch(f"monoid: expected a Monoid, parameterized or not, got {monoid!r}")
        if not isinstance(binaryop, BinaryOp | ParameterizedBinaryOp):
            raise DomainMismatch(
                f"binaryop: expected a BinaryOp, parameterized or not, got {binaryop!r}"
            )
        taking = [op for op in (monoid, binaryop) if isinstance(op, ParameterizedUdf)]
        if not taking:
            raise DomainMismatch("monoid, binaryop: expected at least one with parameters")
        if taking[0].__signature__ != taking[-1].__signature__:
            raise InvalidValue(
                "binaryop: expected the parameters of the monoid, "
                f"{taking[0].__signature__}, got {taking[-1].__signature__}"
            )
        self.monoid, self.binaryop = monoid, binaryop
        self.name = name or f"{monoid.name}_{binaryop.name}"
        self.anonymous = anonymous
        self.__signature__ = taking[0].__signature__
        self._start()

    def _made(self, *args: Any, **kwargs: Any) -> Any:
        monoid, binaryop = (
            op(*args, **kwargs) if isinstance(op, ParameterizedUdf) else op
            for op in (self.monoid, self.binaryop)
        )
        return Semiring.register_anonymous(monoid, binaryop, self.name)

    @property
    def is_commutative(self) -> bool:
        """Whether operands may be exchanged."""
        return bool(self.binaryop.is_commutative)

    @property
    def commutes_to(self) -> Any:
        """Itself where operands may be exchanged."""
        return self if self.is_commutative else None

    def _definition(self) -> tuple[Any, ...]:
        return self.monoid, self.binaryop


UnaryOp.parameterized = ParameterizedUnaryOp
BinaryOp.parameterized = ParameterizedBinaryOp
IndexUnaryOp.parameterized = ParameterizedIndexUnaryOp
SelectOp.parameterized = ParameterizedSelectOp
Monoid.parameterized = ParameterizedMonoid
Semiring.parameterized = ParameterizedSemiring
