"""How much memory of a process's own something takes, files mapped by it not counted."""

from __future__ import annotations

import re
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

__all__ = ["Peak", "bytes_from_disk", "peak_anonymous", "status_bytes"]


def status_bytes(field: str) -> int:
    """A size of ``/proc/self/status``."""
    found = re.search(rf"{field}:\s+(\d+) kB", Path("/proc/self/status").read_text())
    assert found is not None
    return int(found[1]) * 1024


def bytes_from_disk() -> int:
    """Bytes that the system has fetched for this process from storage."""
    found = re.search(r"read_bytes: (\d+)", Path("/proc/self/io").read_text())
    assert found is not None
    return int(found[1])


@dataclass
class Peak:
    """Bytes of anonymous memory beyond those at the beginning."""

    bytes: int = 0


@contextmanager
def peak_anonymous() -> Iterator[Peak]:
    """The most anonymous memory meanwhile, looked at every millisecond."""
    before, peak, ended = status_bytes("RssAnon"), Peak(), threading.Event()

    def look() -> None:
        while not ended.wait(0.001):
            peak.bytes = max(peak.bytes, status_bytes("RssAnon") - before)

    watcher = threading.Thread(target=look, daemon=True)
    watcher.start()
    try:
        yield peak
    finally:
        ended.set()
        watcher.join()
