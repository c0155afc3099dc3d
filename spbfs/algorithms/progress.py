"""How far a long call is: shown on a bar, told to a function, or to nobody."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

from spbfs.base.wording import brief
from spbfs.exceptions import DomainMismatch

__all__ = ["BETWEEN_SAVES", "Progress", "Report"]

#: Called with searches ended, searches, and edges so far.
Progress = Callable[[int, int, int], None]


#: Seconds of searches that may have to be made again after a crash, where a file keeps what ended.
BETWEEN_SAVES = 5.0


class Report:
    """How far searches are, on a bar, to a function, or to nobody."""

    def __init__(self, progress: Any, total: int, what: str = "bfs_many") -> None:
        if progress is not None and not isinstance(progress, bool) and not callable(progress):
            raise DomainMismatch(
                f"progress: expected True, False or a function, got {brief(progress)}"
            )
        self._call = progress if callable(progress) else None
        self._bar: Any = None
        if progress is True:
            from tqdm.auto import tqdm

            self._bar = tqdm(total=total, unit="search", desc=what)
        self._total = total
        self._started = time.perf_counter()

    def __enter__(self) -> Report:
        return self

    def __exit__(self, *error: object) -> None:
        if self._bar is not None:
            self._bar.close()

    def __call__(self, ended: int, edges: int) -> None:
        if self._bar is not None:
            self._bar.update(ended - self._bar.n)
            rate = edges / max(time.perf_counter() - self._started, 1e-9)
            self._bar.set_postfix_str(f"{rate / 1e9:.2f} Gedge/s")
        if self._call is not None:
            self._call(ended, self._total, edges)
