"""What Python and the CPU kernels agree on: the planner's rates, names of types and directions."""

from __future__ import annotations

from dataclasses import asdict, make_dataclass
from typing import Any

import numpy as np
import pytest

from spbfs import _cpu
from spbfs.operators.dtypes import ALL
from spbfs.planner.many import CPU_MANY
from spbfs.planner.search_cpu import CPU_SEARCH

RATES = [(_cpu.BfsRates, CPU_SEARCH), (_cpu.BfsManyRates, CPU_MANY)]


def _with_fields(fields: dict[str, float]) -> Any:
    return make_dataclass("Other", [*fields])(**fields)


@pytest.mark.parametrize(("taken", "planned"), RATES)
def test_kernels_read_every_rate_of_the_planner(taken: Any, planned: Any) -> None:
    fields = asdict(planned)
    taken(_with_fields(fields))
    with pytest.raises(ValueError, match="other fields"):
        taken(_with_fields(fields | {"unknown": 1.0}))
    for name in fields:
        others = {key: value for key, value in fields.items() if key != name}
        with pytest.raises(AttributeError, match=name):
            taken(_with_fields(others | {"unknown": 1.0}))


def test_types_have_the_same_names_in_the_kernels() -> None:
    assert tuple(dtype.name for dtype in ALL) == _cpu.TYPES


def test_searches_start_at_level_0_with_their_sources() -> None:
    progress = _cpu.BfsManyProgress(vertices=3, edges=5, open=8, searches=70)
    assert (progress.level, progress.vertices, progress.joint) == (0, 3, 3)


def test_an_unknown_direction_is_refused() -> None:
    rates, bits = _cpu.BfsRates(CPU_SEARCH), np.zeros(3, np.uint64)
    graph = np.zeros(2, np.int32), np.zeros(0, np.int32)
    lists, source = np.zeros(2, np.int32), np.zeros(1, np.int32)
    wanted = (source, bits[:1], None, None, None, None, lists, bits, 0, 1, -1)
    with pytest.raises(ValueError, match="direction"):
        _cpu.bfs(*graph, *graph, *wanted, "sideways", None, False, rates, 1, False)
