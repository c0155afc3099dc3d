"""The module of ``kernels/cuda/vectors/convert.cu``: which of its kernels, for which types."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any

import numpy as np

from spbfs.engines.cuda.runtime.launch import Kernel
from spbfs.engines.cuda.runtime.source import Specialisation

__all__ = ["convert_kernel", "specialisations"]

_C = {1: "signed char", 2: "short", 4: "int", 8: "long long"}


def _specialisation(kernel: str, *types: np.dtype[Any]) -> tuple[Specialisation, str]:
    arguments = ", ".join(_C[t.itemsize] for t in types)
    name = f"{kernel}<{arguments}>" if types else kernel
    return Specialisation("convert", (name,)), name


@cache
def convert_kernel(kernel: str, *types: np.dtype[Any]) -> Kernel:
    """A kernel for values that are moved as integers of these types' sizes."""
    specialisation, name = _specialisation(kernel, *types)
    return Kernel(specialisation, name)


def specialisations() -> Iterator[Specialisation]:
    """All that may be loaded where 32 bits number the elements, for values of the usual widths."""
    index = np.dtype(np.int32)
    yield _specialisation("pack")[0]
    yield _specialisation("count_parts")[0]
    for kernel in ("enqueue", "list_parts"):
        yield _specialisation(kernel, index)[0]
    for word in map(np.dtype, (np.int8, np.int32, np.int64)):
        for kernel in ("fill", "copy_masked"):
            yield _specialisation(kernel, word)[0]
        for kernel in ("fill_queue", "copy_queue"):
            yield _specialisation(kernel, word, index)[0]
