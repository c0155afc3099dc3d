"""Aggregators: reductions that are more than a sum by a monoid, such as ``mean`` and ``argmin``.

``A.reduce_rowwise(agg.mean)``, ``v.reduce("argmin")``, ``agg.max(A)``; ``agg.sum[float]`` for one
type.  `Aggregator` makes others of them, ``from_string`` looks one up.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from spbfs.objects.symbols import calls as _calls
from spbfs.operators import doors as _doors
from spbfs.operators.kinds.aggregator import Aggregator, TypedAggregator

__all__ = ["Aggregator", "TypedAggregator"]

if TYPE_CHECKING:

    def __getattr__(name: str) -> Any: ...


_doors.open_door("agg", globals(), _calls.call)
