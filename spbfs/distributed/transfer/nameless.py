"""A file that has no name while ranks of one host write it: nothing of it outlives ranks that are
killed."""

from __future__ import annotations

import os
from pathlib import Path
from typing import BinaryIO

import numpy as np

from spbfs.distributed.exchange.ranks import Ranks, everyones

__all__ = ["link", "nameless"]

_ROOT = "/"


def nameless(ranks: Ranks, folder: Path) -> BinaryIO | None:
    """A new file in a folder, open at every rank; None where they are of several hosts, or the
    system or the file system has no such files.  Collective."""
    made: BinaryIO | None = None
    if ranks.rank == 0:
        try:
            descriptor = os.open(folder, os.O_TMPFILE | os.O_RDWR, 0o666)
            made = os.fdopen(descriptor, "r+b")
        except (AttributeError, OSError):
            made = None
    where = None if made is None else f"/proc/{os.getpid()}/fd/{made.fileno()}"
    told = everyones(ranks, (_host(), where))
    shared = told[0][1]
    if shared is not None and ranks.rank != 0 and told[0][0] == told[ranks.rank][0] != "":
        try:
            made = open(shared, "r+b")  # noqa: SIM115 - for the caller
        except OSError:
            made = None
    everybody = ranks.reduce(np.array([int(made is not None)]), "min")[0]
    if everybody:
        return made
    if made is not None:
        made.close()
    return None


def _host() -> str:
    """What no other running system is called, nor another space of process numbers on it."""
    try:
        boot = Path("/proc/sys/kernel/random/boot_id").read_text()
        return f"{boot.strip()} {os.stat('/proc/self/ns/pid').st_ino}"
    except OSError:
        return ""


def link(file: BinaryIO, path: Path) -> None:
    """Give a file that has no name one."""
    # With a folder to start from Python follows the link that /proc has.
    root = os.open(_ROOT, os.O_RDONLY)
    try:
        os.link(f"/proc/self/fd/{file.fileno()}", path, src_dir_fd=root, follow_symlinks=True)
    finally:
        os.close(root)
