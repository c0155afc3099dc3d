"""Where operators are kept: a tree of names a kind, of which ``spbfs.unary`` and others are roots.

A root or branch is a module, so that ``import spbfs.unary.numpy`` finds it, and its operators are
its attributes.  Some are made when they are first asked for (`OpPath._delayed`), and those that are
SuiteSparse's own are listed under ``ss``, and answer to the short name, too (`OpPath._deprecated`).
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from types import ModuleType
from typing import Any

from spbfs.base.suggestions import suggestion
from spbfs.exceptions import NameTaken, WrongOperator

__all__ = ["KINDS", "OpPath", "find", "keep", "names", "open_door", "place"]

KINDS = ("unary", "binary", "monoid", "semiring", "indexunary", "select", "agg")
#: Kinds that ``spbfs.op`` lists, too; where two have a name, the first one made is meant.
_COMBINED = frozenset({"unary", "binary", "monoid", "semiring"})

#: What pandas, NumPy and Python call by another name.
ELSEWHERE = {
    "average": "mean",
    "avg": "mean",
    "sum": "plus",
    "add": "plus",
    "prod": "times",
    "mul": "times",
    "sub": "minus",
    "div": "truediv",
    "and": "land",
    "or": "lor",
    "last": "second",
    "multiply": "times",
    "subtract": "minus",
    "divide": "truediv",
    "absolute": "abs",
    "negative": "ainv",
    "std": "stdp",
    "var": "varp",
}


class OpPath(ModuleType):
    """Operators by name, and branches of more."""

    _delayed: dict[str, Callable[[], Any]]
    _deprecated: dict[str, Any]

    def __init__(self, name: str, doc: str | None = None) -> None:
        super().__init__(name, doc)
        self._delayed = {}
        self._deprecated = {}

    def __getattr__(self, name: str) -> Any:
        if name in self._delayed:
            # Kept: an operator stays what it is, and the next look costs nothing.
            made = self._delayed.pop(name)()
            return self.__dict__.setdefault(name, made)
        if name in self._deprecated:
            return self.__dict__.setdefault(name, self._deprecated[name])
        message = f"{self.__name__} has no operator {name!r}"
        # Whoever asks for names of Python's own, as imports and pickle do, means no operator.
        if not name.startswith("_"):
            listed = f"dir({self.__name__}) lists them"
            message += f"; {suggestion(name, dir(self), ELSEWHERE, listed)}"
        raise AttributeError(message)

    def __dir__(self) -> list[str]:
        names = {*self.__dict__, *self._delayed} - self._deprecated.keys()
        return sorted(name for name in names if not name.startswith("_"))

    def _has(self, name: str) -> bool:
        return name in self.__dict__ or name in self._delayed or name in self._deprecated

    def _get(self, name: str) -> Any:
        """What `name` is here, without a warning; None where it is nothing."""
        if name in self._deprecated:
            return self._deprecated[name]
        known = self.__dict__.get(name)
        if known is not None:
            return known
        return getattr(self, name) if name in self._delayed else None

    def _branch(self, name: str) -> OpPath:
        """The branch of that name, made where there is none."""
        if not self._has(name):
            branch = OpPath(f"{self.__name__}.{name}")
            # Where an import of it as a module finds it; a root's door is imported first.
            self.__dict__[name] = sys.modules[branch.__name__] = branch
        branch = self._get(name)
        if not isinstance(branch, OpPath):
            raise NameTaken(f"name: {self.__name__}.{name} exists already and is no path of names")
        return branch


ROOTS = {kind: OpPath(f"spbfs.{kind}") for kind in (*KINDS, "op")}
for _kind in ("unary", "binary", "monoid", "semiring", "op"):
    ROOTS[_kind]._branch("numpy")
for _path in ROOTS.values():
    _path._branch("ss")


def open_door(kind: str, module: dict[str, Any]) -> None:
    """Let the module whose names these are be the root of a kind.

    Parameters
    ----------
    kind : str
    module : dict
        ``globals()`` of ``spbfs.unary`` or another door: what it defines is added to the root.
    """
    root = ROOTS[kind]
    public = module.get("__all__", ())
    root.__dict__.update({k: x for k, x in module.items() if k[0] == "_" or k in public})
    sys.modules[module["__name__"]] = root


def find(kind: str, name: str) -> Any:
    """The operator of a kind and dotted name, or None."""
    place: Any = ROOTS[kind]
    *path, last = name.split(".")
    for part in path:
        place = place._get(part)
        if not isinstance(place, OpPath):
            return None
    found = place._get(last)
    return found if not isinstance(found, OpPath) and hasattr(found, "kind") else None


def place(kind: str, name: str) -> tuple[OpPath, str]:
    """The branch where a dotted name is to be kept, and its last part.

    Raises
    ------
    WrongOperator, NameTaken
        It is no dotted name, or something has it.
    """
    parts = name.split(".") if isinstance(name, str) else [""]
    if not all(part.isidentifier() and not part.startswith("__") for part in parts):
        raise WrongOperator(f"name: expected Python identifiers between dots, got {name!r}")
    branch = ROOTS[kind]
    for part in parts[:-1]:
        branch = branch._branch(part)
    if branch._has(parts[-1]):
        raise NameTaken(f"name: {kind}.{name} exists already")
    return branch, parts[-1]


def keep(kind: str, name: str, op: Any = None, make: Callable[[], Any] | None = None) -> None:
    """Keep an operator, or what makes it when it is first asked for, under a dotted name."""
    branch, last = place(kind, name)
    if op is not None or make is None:
        setattr(branch, last, op)
    else:
        branch._delayed[last] = make
    if kind in _COMBINED:
        try:
            combined, last = place("op", name)
        except NameTaken:
            return
        if op is not None or make is None:
            setattr(combined, last, op)
        else:
            combined._delayed[last] = lambda: find(kind, name)


def names(kind: str) -> Iterator[str]:
    """The names of a kind's operators that are no branch's."""
    for name in dir(ROOTS[kind]):
        if not name.startswith("_") and find(kind, name) is not None:
            yield name
