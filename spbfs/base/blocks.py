"""``with`` blocks whose objects print as the call that made them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ContextDecorator, contextmanager
from functools import wraps
from typing import Any, Generic, ParamSpec, TypeVar

__all__ = ["Block", "block"]

P = ParamSpec("P")
T = TypeVar("T")


class Block(ContextDecorator, Generic[T]):
    """What a call such as ``spbfs.trace()`` gives: entered by ``with``, or put before a function.

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
