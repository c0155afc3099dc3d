"""What `SharedGraph` is given without a GPU."""

from __future__ import annotations

import pytest

import spbfs as sb
from spbfs.exceptions import InvalidCall


def test_it_is_made_by_its_generators_only() -> None:
    A = sb.generate.path(4)
    for given, options in (((A,), {"devices": [0, 1]}), ((A, (0, 1)), {}), ((), {})):
        with pytest.raises(InvalidCall, match=r"kronecker.*bfs\(A, source, devices="):
            sb.SharedGraph(*given, **options)
