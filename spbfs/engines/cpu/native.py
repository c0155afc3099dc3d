"""The compiled kernels of the CPU engine, which type checkers cannot look into."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from spbfs.base.cores import quota_cores

__all__ = ["kernels"]

kernels: Any = import_module("spbfs._cpu")

_quota = quota_cores()
if _quota is not None:
    kernels.set_quota(_quota)
