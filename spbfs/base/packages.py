"""Packages that not everybody has."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from spbfs.exceptions import PackageMissing

__all__ = ["package"]

#: The extras of spbfs that bring a package.
_EXTRAS = {"matplotlib": "plot", "networkx": "networkx", "pandas": "pandas", "pyarrow": "arrow"}


def package(name: str, purpose: str) -> Any:
    """A module of a package that is imported where it is used.

    Raises
    ------
    PackageMissing
        When it is not installed.
    """
    try:
        return import_module(name)
    except ImportError as error:
        top = name.partition(".")[0]
        extra = f"; pip install 'spbfs[{_EXTRAS[top]}]' brings it" if top in _EXTRAS else ""
        raise PackageMissing(
            f"{purpose} needs the package {top}, which is not installed{extra}"
        ) from error
