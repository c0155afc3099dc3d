"""Checks of arguments that reading and writing have: where a file is, and how it is read."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import numpy as np

from spbfs.base.wording import brief
from spbfs.exceptions import InvalidValue

__all__ = ["flag_of", "path_of"]


def flag_of(name: str, value: Any) -> bool:
    """True or False, of Python or NumPy."""
    if not isinstance(value, bool | np.bool_):
        raise InvalidValue(f"{name}: {brief(value)}; expected True or False")
    return bool(value)


def path_of(path: Any, argument: str = "path") -> Path:
    """A path from what names one."""
    try:
        name = os.fspath(path)
    except TypeError:
        raise InvalidValue(f"{argument}: {brief(path)} is not a file name") from None
    if not name:  # which Path takes for the folder that one is in
        raise InvalidValue(f"{argument}: {name!r} is not a file name")
    return Path(os.fsdecode(name))
