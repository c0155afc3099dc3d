"""How a user's functions and operators become an operator, with a name that is kept or without."""

from __future__ import annotations

from functools import partial
from typing import Any

from spbfs.base.wording import brief
from spbfs.exceptions import DomainMismatch
from spbfs.operators.names import registry

__all__ = ["register_anonymous", "register_new"]


def register_anonymous(
    cls: Any,
    /,
    *definition: Any,
    name: str | None = None,
    parameterized: bool = False,
    is_udt: bool = False,
    **options: Any,
) -> Any:
    """Make an operator from Python functions or operators, kept under no name.

    Parameters
    ----------
    *definition
        A function of numbers; of a monoid, a binary operator and its identity; of a semiring, a
        monoid and a binary operator.  A name may follow.
    name : str, optional
        What it prints as.
    parameterized : bool, optional
        Whether the function takes parameters and returns the function of numbers.
    is_udt : bool, optional
        Of no effect: an operator is made for a type when it is first used with it.
    **options
        The definition by the names ``func``, ``binaryop``, ``identity`` and ``monoid``;
        ``is_idempotent`` and ``terminal`` of a monoid.

    Returns
    -------
    operator

    Raises
    ------
    UdfParseError
        The function does something that has no meaning over whole arrays; the message says what.

    Notes
    -----
    A function is traced once: arithmetic, comparisons, branches, loops of a fixed length, functions
    of ``math`` and of NumPy.  One that loops as often as a value says is called for every entry, on
    the CPU only.  That a monoid's operator is associative, and its identity one, is not checked.

    Examples
    --------
    >>> from spbfs import Vector, unary
    >>> times = unary.register_anonymous(lambda f=1: lambda x: f * x, parameterized=True)
    >>> Vector.from_dense([1, 2]).apply(times(3)).new().to_dict()
    {0: 3, 1: 6}
    """
    definition, name = _split(cls, definition, name, options)
    return _made(cls, name, definition, parameterized, {"anonymous": True, **options})


def register_new(
    cls: Any,
    /,
    name: str,
    *definition: Any,
    parameterized: bool = False,
    is_udt: bool = False,
    lazy: bool = False,
    **options: Any,
) -> Any:
    """Make an operator from Python functions or operators and keep it under `name`.

    Parameters
    ----------
    name : str
        Dots make paths: ``register_new("mine.twice", ...)`` is ``unary.mine.twice``.
    *definition, parameterized, is_udt, **options
        As of `register_anonymous`.
    lazy : bool, optional
        Make it when it is first asked for.

    Returns
    -------
    operator
        None where it is lazy.

    Raises
    ------
    NameTaken, WrongOperator
        The name is taken, or is none.
    DomainMismatch
        The definition cannot become an operator.

    Examples
    --------
    >>> from spbfs import Vector, binary
    >>> gap = binary.register_new("gap_of_docs", lambda x, y: abs(x - y))
    >>> Vector.from_dense([1, 5]).apply(binary.gap_of_docs, 3).new().to_dict()
    {0: 2, 1: 2}
    """
    registry.place(cls.kind, name)
    definition, _ = _split(cls, definition, name, options)

    def make() -> Any:
        return _made(cls, name, definition, parameterized, options)

    op = None if lazy else make()
    registry.keep(cls.kind, name, op, make)
    other = cls._companion(op)
    if other is not None:
        made = partial(_made, other, name, definition, parameterized, options)
        registry.keep(other.kind, name, make=made)
    return op


def _split(
    cls: Any, definition: tuple[Any, ...], name: str | None, options: dict[str, Any]
) -> tuple[Any, str | None]:
    """The definition, perhaps given by names, and the name that may follow it."""
    given, wanted = list(definition), cls.defined_by
    while len(given) < len(wanted) and wanted[len(given)] in options:
        given.append(options.pop(wanted[len(given)]))
    if len(given) == len(wanted) + 1:
        name = given.pop()
    if len(given) != len(wanted):
        raise DomainMismatch(
            f"definition: a {cls.kind} operator is made of {' and '.join(wanted)}, "
            f"got {len(given)} arguments"
        )
    if not (name is None or isinstance(name, str)):
        raise DomainMismatch(f"name: expected a string, got {name!r}")
    return tuple(given), name


def _made(cls: Any, name: str | None, definition: Any, parameterized: bool, options: Any) -> Any:
    if parameterized or cls._is_parameterized(definition):
        return cls.parameterized(name, *definition, **options)
    try:
        return cls._build(name, *definition, **options)
    except TypeError as error:
        if isinstance(error, DomainMismatch):
            raise
        raise DomainMismatch(
            f"definition: cannot make a {cls.kind} operator of it: {brief(error)}"
        ) from None
