"""The compiled kernels of the CPU engine, which type checkers cannot look into."""

from __future__ import annotations

from importlib import import_module
from typing import Any

__all__ = ["kernels"]

kernels: Any = import_module("spbfs._cpu")
