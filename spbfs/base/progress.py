"""How far a long call is: shown on a bar, told to a function, or to nobody."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from spbfs.base.wording import brief
from spbfs.exceptions import DomainMismatch

__all__ = ["BETWEEN_SAVES", "Progress", "Report", "Told", "progress_bar"]

#: Called with what has ended (searches, rounds, rows), how many there are or may be, or 0 where
#: nobody knows, and the edges that were followed so far.
Progress = Callable[[int, int, int], None]
#: Called with what has ended, and edges: by kernels a few times a second.
Told = Callable[[int, int], None]


#: Seconds of searches that may have to be made again after a crash, where a file keeps what ended.
BETWEEN_SAVES = 5.0


def progress_bar(total: int | None, unit: str, label: str, wanted: bool | None) -> Any:
    """A tqdm bar, or None where nobody asked for one and nobody would see it.

    ``None`` shows it on a terminal, after a second; ``True`` always; ``False`` never.
    """
    if wanted is False or (wanted is None and not (sys.stderr and sys.stderr.isatty())):
        return None
    from tqdm.auto import tqdm

    return tqdm(
        total=total,
        unit=unit,
        unit_scale=True,
        desc=label,
        delay=1.0 if wanted is None else 0.0,
        leave=wanted is True,
        file=sys.stderr,
    )


class Report:
    """How far a call is, on a bar, to a function, or to nobody.

    Parameters
    ----------
    progress : bool, callable or None
        What a user gave: True is a bar, a function is called, anything else is nobody.
    total : int or None
        What there is to do, of `unit`; None where nobody knows.
    what : str
        The call, which the bar is named after.
    unit : str
        Of what is counted.
    """

    def __init__(
        self, progress: Any, total: int | None, what: str = "bfs_many", unit: str = "search"
    ) -> None:
        if progress is not None and not isinstance(progress, bool) and not callable(progress):
            raise DomainMismatch(
                f"progress: expected True, False or a function, got {brief(progress)}"
            )
        self._call = progress if callable(progress) else None
        self._bar = progress_bar(total, unit, what, progress is True)
        self._total, self._ended, self._edges = total or 0, 0, 0
        self._started = time.perf_counter()

    def __enter__(self) -> Report:
        return self

    def __exit__(self, *error: object) -> None:
        if self._bar is not None:
            self._bar.close()

    @property
    def told(self) -> Told | None:
        """Itself where somebody is told, else None: then kernels have nothing to tell."""
        return self if self._bar is not None or self._call is not None else None

    def onward(self) -> Told | None:
        """`told` of one call more, which counts from what has been reported so far."""
        ended, edges = self._ended, self._edges
        if self.told is None:
            return None
        return lambda more, followed: self(ended + more, edges + followed)

    def __call__(self, ended: int, edges: int) -> None:
        self._ended, self._edges = ended, edges
        if self._bar is not None:
            self._bar.update(ended - self._bar.n)
            rate = edges / max(time.perf_counter() - self._started, 1e-9)
            self._bar.set_postfix_str(f"{rate / 1e9:.2f} Gedge/s")
        if self._call is not None:
            self._call(ended, self._total, edges)

    def rounds(self, numbers: Iterable[int], edges: int) -> Iterator[int]:
        """The rounds of a loop, each of which follows so many edges, and is reported when done."""
        for ended, number in enumerate(numbers, 1):
            yield number
            self(ended, ended * edges)
