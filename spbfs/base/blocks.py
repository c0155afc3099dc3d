"""``with`` blocks: their objects print as the call that made them, and they end in any order."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ContextDecorator, contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from functools import wraps
from typing import Any, Generic, ParamSpec, TypeVar

__all__ = ["Block", "Nested", "block"]

P = ParamSpec("P")
T = TypeVar("T")


class Block(ContextDecorator, Generic[T]):
    """What a call such as ``spbfs.trace()`` gives: entered by ``with``, or put before a function.

    One object may be entered again within itself.  Blocks that overlap otherwise, of threads or of
    generators that take turns, need one each: the last that was entered is left first.

    Parameters
    ----------
    shown : str
        The call, for those who print it.
    make : callable
        Makes the context manager that is entered.
    """

    def __init__(self, shown: str, make: Callable[[], AbstractContextManager[T]]) -> None:
        self._shown, self._make = shown, make
        #: One for each time that it is entered and not left yet.
        self._entered: list[AbstractContextManager[T]] = []

    def __enter__(self) -> T:
        made = self._make()
        value = made.__enter__()
        self._entered.append(made)
        return value

    def __exit__(self, *error: Any) -> bool | None:
        return self._entered.pop().__exit__(*error)

    def _recreate_cm(self) -> Block[T]:
        return Block(self._shown, self._make)  # a function may call itself

    def __repr__(self) -> str:
        return f"<{self._shown}, to be entered: with {self._shown}: ...>"


def block(body: Callable[P, Iterator[T]]) -> Callable[P, Block[T]]:
    """``contextlib.contextmanager`` whose objects are `Block`."""
    managed = contextmanager(body)

    @wraps(body)
    def make(*args: P.args, **options: P.kwargs) -> Block[T]:
        given = [repr(x) for x in args] + [f"{name}={x!r}" for name, x in options.items()]
        shown = f"spbfs.{body.__name__}({', '.join(given)})"
        return Block(shown, lambda: managed(*args, **options))

    return make


@dataclass(slots=True, eq=False)
class _Entered(Generic[T]):
    """A block that was entered, and the one that was open around it."""

    value: T
    outer: _Entered[T] | None
    ended: bool = False


def _open_from(entered: _Entered[T] | None) -> _Entered[T] | None:
    """The first from here outward that has not ended."""
    while entered is not None and entered.ended:
        entered = entered.outer
    return entered


class Nested(Generic[T]):
    """What the innermost open block of a kind says in this context, thread or task.

    Generators that take turns end their blocks in another order than they began: a block that ended
    is passed over wherever it is.

    Parameters
    ----------
    name : str
    default : object
        What holds where no block is open.

    Attributes
    ----------
    get : callable
        What the innermost block says, at no call of Python's: every statement asks.  That a block
        was ended in another context it knows once `outward` was asked, or another block of the
        kind has begun and ended here.
    """

    def __init__(self, name: str, default: T) -> None:
        self._default = default
        self._said: ContextVar[T] = ContextVar(name, default=default)
        self._entered: ContextVar[_Entered[T] | None] = ContextVar(f"{name}_blocks", default=None)
        self.get = self._said.get

    def _innermost(self) -> _Entered[T] | None:
        """The innermost open block; nothing is kept of ended ones around it."""
        innermost = each = _open_from(self._entered.get())
        while each is not None:
            each.outer = _open_from(each.outer)
            each = each.outer
        return innermost

    def _put(self, entered: _Entered[T] | None) -> None:
        self._entered.set(entered)
        self._said.set(self._default if entered is None else entered.value)

    def outward(self) -> Iterator[T]:
        """What the open blocks say, the innermost first."""
        entered = self._innermost()
        if entered is not self._entered.get():  # it was ended in another context
            self._put(entered)
        while entered is not None:
            if not entered.ended:
                yield entered.value
            entered = entered.outer

    @contextmanager
    def inside(self, value: T) -> Iterator[None]:
        """A block that says `value`."""
        entered = _Entered(value, self._innermost())
        self._put(entered)
        try:
            yield
        finally:
            entered.ended = True
            self._put(self._innermost())
