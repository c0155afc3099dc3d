"""Modules that list what is public in them, and say what an unknown name may mean."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from types import ModuleType
from typing import Any

__all__ = ["listed"]


class _PublicModule(ModuleType):
    """A module whose ``dir`` is its ``__all__``."""

    __all__: list[str]
    _elsewhere: Mapping[str, str]

    def __dir__(self) -> list[str]:
        return sorted(self.__all__)

    def __getattr__(self, name: str) -> Any:
        message = f"module {self.__name__!r} has no attribute {name!r}"
        # Whoever asks for names of Python's own, as imports and pickle do, means none of ours.
        if not name.startswith("_"):
            from spbfs.base.suggestions import suggestion

            otherwise = f"dir({self.__name__}) lists them"
            message += f"; {suggestion(name, self.__all__, self._elsewhere, otherwise)}"
        raise AttributeError(message, name=name, obj=self)


def listed(module: str, elsewhere: Mapping[str, str] | None = None) -> None:
    """Have a module list its public names alone; it calls this with its ``__name__`` at its end.

    Parameters
    ----------
    module : str
        It has an ``__all__``.
    elsewhere : mapping of str to str, optional
        Names of other packages, and what they are called here.
    """
    made = sys.modules[module]
    made.__dict__["_elsewhere"] = elsewhere or {}
    made.__class__ = _PublicModule
