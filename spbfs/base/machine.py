"""Which machine this is, as far as what things cost on it depends on that."""

from __future__ import annotations

import os
import platform
from dataclasses import dataclass
from pathlib import Path

__all__ = ["Machine", "this_machine"]

_CPUINFO = Path("/proc/cpuinfo")


@dataclass(frozen=True, slots=True)
class Machine:
    """A machine by the names of its processors.

    Attributes
    ----------
    cpu : str
        As the processor calls itself.
    cores : int
        Logical ones, whoever may use them.
    gpu : str or None
        The current GPU; None where it was not asked for.
    """

    cpu: str
    cores: int
    gpu: str | None = None

    def __str__(self) -> str:
        return f"{self.cpu}, {self.cores} cores" + (f", {self.gpu}" if self.gpu else "")


def this_machine(*, gpu: bool) -> Machine:
    """The machine that this runs on; with its GPU, which must be usable, where that is asked for.

    Examples
    --------
    >>> this_machine(gpu=False).cores > 0
    True
    """
    return Machine(_cpu(), os.cpu_count() or 1, _gpu() if gpu else None)


def _cpu() -> str:
    try:
        with open(_CPUINFO, encoding="utf-8", errors="replace") as table:
            said = [line.partition(":") for line in table]
    except OSError:
        said = []
    names = (value.strip() for key, _, value in said if key.strip() == "model name")
    return next(filter(None, names), "") or platform.processor() or platform.machine()


def _gpu() -> str:
    from cupy.cuda import runtime

    name = runtime.getDeviceProperties(runtime.getDevice())["name"]
    return name.decode(errors="replace") if isinstance(name, bytes) else str(name)
