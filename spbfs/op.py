"""Unary and binary operators, monoids and semirings, all by name.

Where two kinds have a name, the first of that order is meant: ``op.plus`` is ``binary.plus``.
``from_string`` looks any operator up, aggregators too.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from spbfs.objects.symbols import calls as _calls
from spbfs.operators import doors as _doors

if TYPE_CHECKING:

    def __getattr__(name: str) -> Any: ...


_doors.open_door("op", globals(), _calls.call)
