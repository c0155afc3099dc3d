"""Semirings: a monoid and a multiplication, called on a product as ``min_plus(A @ v)``.

Attributes are operators by name, NumPy's in ``semiring.numpy``; ``register_new(name, ...)``
and ``register_anonymous(...)`` make one of a monoid and a binary operator, as ``get_semiring`` does
where there is none yet; ``from_string`` looks one up.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from spbfs.objects.symbols import calls as _calls
from spbfs.operators import doors as _doors

if TYPE_CHECKING:

    def __getattr__(name: str) -> Any: ...


_doors.open_door("semiring", globals(), _calls.call)
