"""The kernels of ``kernels/cuda/bfs/bfs_parts.cu``, launched."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any

from spbfs.engines.cuda.runtime.device import limits
from spbfs.engines.cuda.runtime.launch import THREADS, Kernel, words_of
from spbfs.engines.cuda.runtime.source import Specialisation

__all__ = ["launch", "specialisations"]

#: CTAs of a multiprocessor.
_RESIDENT = 8
#: Kernels that are no templates, and those of the offsets' type.
_PLAIN = ("bfs_parts_begin", "bfs_parts_outputs")
_TYPED = ("bfs_parts_mark_listed<{}>", "bfs_parts_mark_open<{}>")
_EXPAND = ("bfs_parts_expand<{}, false>", "bfs_parts_expand<{}, true>")


@cache
def _module(wide: bool) -> Specialisation:
    offset = "long long" if wide else "int"
    return Specialisation("bfs_parts", (*_PLAIN, *(k.format(offset) for k in _TYPED + _EXPAND)))


def specialisations() -> Iterator[Specialisation]:
    """Both widths of offsets."""
    yield from (_module(False), _module(True))


@cache
def _kernel(number: int, wide: bool) -> Kernel:
    specialisation = _module(wide)
    return Kernel(specialisation, specialisation.kernels[number])


_NAMES = ("begin", "outputs", "mark_listed", "mark_open", "push", "pull")


def launch(name: str, wide: bool, work: int, *arguments: Any) -> None:
    """Launch "begin", "outputs", "mark_listed", "mark_open", "push" or "pull" on the current
    stream, with about a thread for each piece of work; None is a null pointer."""
    grid = max(1, min(-(-work // THREADS), _RESIDENT * limits().sms))
    _kernel(_NAMES.index(name), wide)(grid, words_of(*arguments))
