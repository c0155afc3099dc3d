"""Functions of `scipy.special` over arrays of the stand-in for CuPy."""

from __future__ import annotations

from typing import Any

import cupy
from scipy import special


def __getattr__(name: str) -> Any:
    function = getattr(special, name)
    return lambda x: cupy.asarray(function(x.get()))
