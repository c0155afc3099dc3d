"""Unary operators: functions of one stored value.

Attributes are operators by name, ``unary.numpy`` has them by NumPy's; ``register_new(name, ...)``
and ``register_anonymous(...)`` make operators from plain Python functions, ``from_string`` looks
one up.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from spbfs.objects.symbols import calls as _calls
from spbfs.operators import doors as _doors

if TYPE_CHECKING:

    def __getattr__(name: str) -> Any: ...


_doors.open_door("unary", globals(), _calls.call)
