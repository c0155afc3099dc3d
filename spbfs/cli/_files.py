"""Saying before long work, not after it, that its result has nowhere to go."""

from __future__ import annotations

import errno
import os
from pathlib import Path

from spbfs.exceptions import InvalidValue

__all__ = ["check_folder", "check_is_another", "check_output"]


def check_folder(output: str) -> None:
    """Raise unless a file of this name can be made."""
    path = Path(output).absolute()
    if path.is_dir():
        raise _problem(errno.EISDIR, output)
    if not path.parent.is_dir():
        raise _problem(errno.ENOENT, str(path.parent))
    if not os.access(path.parent, os.W_OK):
        raise _problem(errno.EACCES, str(path.parent))


def check_is_another(output: str, graph: str) -> None:
    """Raise if the graph would be overwritten by what is found in it."""
    if os.path.exists(output) and os.path.exists(graph) and os.path.samefile(output, graph):
        raise InvalidValue(f"output: {output!r} is the graph itself; expected another file")


def check_output(output: str) -> None:
    """`check_folder`, and the extension names a graph format."""
    from spbfs.io.formats import extensions

    name = Path(output).name.lower().removesuffix(".gz")
    if Path(name).suffix not in extensions():
        raise InvalidValue(f"output: {output!r} does not end in one of {' '.join(extensions())}")
    check_folder(output)


def _problem(code: int, name: str) -> OSError:
    return OSError(code, os.strerror(code), name)
