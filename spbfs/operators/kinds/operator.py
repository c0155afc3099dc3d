"""What all operators are: a name, a rule of types, and what calling one means."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import Any, ClassVar

from spbfs.base.wording import brief
from spbfs.exceptions import DomainMismatch, OperatorUndefined
from spbfs.operators.dtypes import ALL, DType, lookup_dtype, unify
from spbfs.operators.names import registering, registry
from spbfs.operators.names.descriptions import OwnDoc

__all__ = ["Operator", "called", "operator_named", "set_meaning_of_numbers"]

#: What ``binary.plus(5, 2)`` means, which operands know (`set_meaning_of_numbers`).
_of_numbers: list[Callable[..., Any]] = []


def set_meaning_of_numbers(meaning: Callable[..., Any]) -> None:
    """Say what an operator called on plain numbers gives.

    Parameters
    ----------
    meaning : callable
        Of the operator, positional arguments and keyword arguments.
    """
    _of_numbers[:] = [meaning]


def operator_named(kind: str, name: str) -> Any:
    """The operator that a pickle names."""
    found = registry.find(kind, name)
    if found is None:
        raise DomainMismatch(f"name: there is no {kind}.{name} here; register it before it is read")
    return found


def called(op: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """What an operator gives for operands, which say it (`_called_by`).

    Parameters
    ----------
    op : operator
        Perhaps over one type.
    args, kwargs
        As in the call.
    """
    for arg in (*args, *kwargs.values()):
        meaning = getattr(arg, "_called_by", None)
        if meaning is not None:
            return meaning(op, args, kwargs)
    if args and _of_numbers:
        return _of_numbers[0](op, args, kwargs)
    raise DomainMismatch(f"{brief(op)}: expected {op.expects}, got {brief(args)}")


class Operator:
    """Operators print by name and are equal only to themselves.

    Attributes
    ----------
    name : str
    kind : str
        ``"unary"``, ``"binary"``, ``"indexunary"``, ``"select"``, ``"monoid"`` or ``"semiring"``.
    """

    kind: ClassVar[str] = ""
    #: What it is called on.
    expects: ClassVar[str] = "a matrix or vector"
    #: What a function with parameters of its own becomes (`parameterized` sets it).
    parameterized: ClassVar[Any] = None

    name: str
    #: Whether it is kept under no name.
    anonymous: bool = False
    #: Of a user's operator: the function as it was given.
    orig_func: Callable[..., Any] | None = None
    #: With which parameters it was made of a parameterized operator.
    made_from: tuple[Any, tuple[Any, ...], dict[str, Any]] | None = None

    def __init_subclass__(cls) -> None:
        own = cls.__dict__.get("__doc__")
        if not isinstance(own, OwnDoc):
            cls.__doc__ = OwnDoc(own)  # type: ignore[assignment]

    # -- types -------------------------------------------------------------------------------------
    @cached_property
    def _typed(self) -> dict[str, Any]:
        """By the types' names, which every statement looks up: a type's own hash is a call."""
        return {}

    @cached_property
    def types(self) -> dict[DType, DType]:
        """The type of the result by that of the operands, for all that it is defined for."""
        found = {}
        for t in ALL:
            try:
                found[t] = self.typed(t).out_type
            except OperatorUndefined:
                continue
        return found

    @property
    def coercions(self) -> dict[DType, DType]:
        """The types that are cast to another before it is applied, and to which."""
        return {t: self.typed(t).in_type for t in self.types if self.typed(t).in_type != t}

    def _make(self, t: DType) -> Any:
        """The operator over a type; `DomainMismatch` says why there is none."""
        raise NotImplementedError

    def typed(self, t: DType) -> Any:
        """The operator for operands of one type.

        Parameters
        ----------
        t : DType

        Raises
        ------
        OperatorUndefined
            It is not defined for the type.
        """
        made = self._typed.get(t.name)
        if made is None:
            if t.name in self._typed:  # deleted
                raise OperatorUndefined(f"dtype: {self!r} does not work with {t}")
            try:
                made = self._make(t)
                if made.in_type != t:
                    made = self._same(made)
            except OperatorUndefined:
                raise
            except DomainMismatch as error:
                raise OperatorUndefined(
                    f"dtype: {self!r} does not work with {t}: {brief(error)}"
                ) from None
            self._typed[t.name] = made
        return made

    def _same(self, made: Any) -> Any:
        """The operator over the type that operands are cast to anyway: then there is but one."""
        try:
            other = self.typed(made.in_type)
        except OperatorUndefined:
            return made
        return other if other.out_type == made.out_type else made

    def resolve(self, *operands: DType) -> Any:
        """The operator for operands of these types."""
        t = operands[0] if len(operands) == 1 else unify(*operands)
        return self._typed.get(t.name) or self.typed(t)

    def __getitem__(self, dtype: Any) -> Any:
        """The operator for one type, to which operands are cast: ``binary.plus["INT32"]``."""
        if isinstance(dtype, tuple):
            return self.resolve(*map(lookup_dtype, dtype))
        return self.typed(lookup_dtype(dtype))

    def __contains__(self, dtype: Any) -> bool:
        return lookup_dtype(dtype) in self.types

    def __delitem__(self, dtype: Any) -> None:
        t = self[dtype].in_type
        self.types.pop(t, None)
        self._typed[t.name] = None

    # -- attributes --------------------------------------------------------------------------------
    @property
    def is_positional(self) -> bool:
        """Whether it sees where entries are, not their values."""
        return bool(getattr(self, "positional", False))

    # -- calls -------------------------------------------------------------------------------------
    def call(self, op: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """What `op`, this operator or the same over one type, gives for operands."""
        return called(op, args, kwargs)

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return called(self, args, kwargs)

    def __repr__(self) -> str:
        return f"{self.kind}.{self.name}"

    # -- pickles -----------------------------------------------------------------------------------
    def _definition(self) -> tuple[Any, ...]:
        """What `register_anonymous` is given to make it again."""
        return self.orig_func, self.name

    def __reduce__(self) -> tuple[Any, ...]:
        if self.made_from is not None:
            parent, args, kwargs = self.made_from
            return _made_again, (parent, args, kwargs)
        if self.anonymous:
            return type(self).register_anonymous, self._definition()
        return operator_named, (self.kind, self.name)

    # -- registration ------------------------------------------------------------------------------
    #: Names of what one is made of.
    defined_by: ClassVar[tuple[str, ...]] = ("func",)
    register_anonymous = classmethod(registering.register_anonymous)
    register_new = classmethod(registering.register_new)

    @classmethod
    def _build(cls, name: str | None, *definition: Any, **options: Any) -> Any:
        """An operator of functions or operators."""
        raise NotImplementedError

    @classmethod
    def _is_parameterized(cls, definition: tuple[Any, ...]) -> bool:
        """Whether what it is made of has parameters of its own."""
        return False

    @classmethod
    def _companion(cls, op: Any) -> Any:
        """The class of what is kept under the same name, made of the same; `op` if it is made."""
        return None


def _made_again(parent: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    return parent(*args, **kwargs)
