"""NumPy's masked arrays, whose masked elements are no values."""

from __future__ import annotations

import sys
from typing import Any

import numpy as np

__all__ = ["masked_in"]


def masked_in(values: Any) -> Any:
    """One flag an element, true where it is masked; None of what has none that are.

    ``numpy.ma`` is imported by who has such an array, and not by NumPy.
    """
    if "numpy.ma" not in sys.modules:
        return None
    if not isinstance(values, np.ma.MaskedArray):
        return None
    flags = np.ma.getmaskarray(values)
    return flags if flags.any() else None
