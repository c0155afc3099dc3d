"""CuPy where a GPU can run the engine; importing this skips the module elsewhere, with the reason.

Import `cp` from here before anything of spbfs that needs CuPy.
"""

from __future__ import annotations

import pytest

from spbfs.engines import get_engine
from spbfs.exceptions import BackendUnavailable

try:
    get_engine("cuda")
except BackendUnavailable as error:
    pytest.skip(str(error), allow_module_level=True)

import cupy as cp

__all__ = ["cp"]
