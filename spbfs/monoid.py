"""Monoids: what reductions and semirings sum with.

Attributes are operators by name, ``monoid.numpy`` has them by NumPy's; ``register_new(name, ...)``
and ``register_anonymous(...)`` make one of a binary operator and its identity, ``from_string``
looks one up.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from spbfs.objects.symbols import calls as _calls
from spbfs.operators import doors as _doors

if TYPE_CHECKING:

    def __getattr__(name: str) -> Any: ...


_doors.open_door("monoid", globals(), _calls.call)
