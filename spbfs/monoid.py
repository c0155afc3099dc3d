"""Monoids: what reductions and semirings sum with.

Attributes are operators by name; ``register_new(name, ...)`` and ``register_anonymous(...)`` make
operators from plain Python expressions, ``from_string`` looks one up.
"""

from __future__ import annotations

from typing import Any

from spbfs.operators.lookup import Namespace

ss = Namespace("monoid")
from_string = ss.from_string
register_new = ss.register_new
register_anonymous = ss.register_anonymous


def __getattr__(name: str) -> Any:
    # Kept: an operator stays what it is, and the next look costs nothing.
    return globals().setdefault(name, getattr(ss, name))


def __dir__() -> list[str]:
    return [*ss.__dir__(), "from_string", "register_anonymous", "register_new"]
