"""Files that commands name: read, and seen before long work, not after it, to have a place."""

from __future__ import annotations

import argparse
import errno
import os
import shutil
import sys
import tempfile
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

from spbfs.exceptions import FileError, FileMissing, InvalidValue, SpbfsError

if TYPE_CHECKING:
    from spbfs import Matrix

__all__ = [
    "STANDARD",
    "check_is_another",
    "check_output",
    "check_place",
    "check_table",
    "write_graph",
]

#: Standard input or output, in the place of a file's name.
STANDARD = "-"


def check_place(output: str, force: bool, option: str = "output") -> None:
    """Raise unless a file of this name, which an option gives, can be made, or made anew."""
    if output == STANDARD:
        return
    path = Path(output).absolute()
    if path.is_dir():
        raise _problem(errno.EISDIR, output)
    if not path.parent.is_dir():
        raise FileMissing(f"{option}: there is no folder {str(path.parent)!r} for {path.name!r}")
    if os.path.lexists(path) and not force:
        raise InvalidValue(f"{option}: {output!r} exists; --force overwrites it")
    try:
        # What the system says of a file that is really made: read-only, forbidden, full.
        with tempfile.TemporaryFile(dir=path.parent):
            pass
    except OSError as error:
        raise _problem(error.errno or errno.EIO, str(path.parent)) from None


def check_is_another(output: str, graph: str) -> None:
    """Raise if the graph would be overwritten by what is found in it."""
    if STANDARD in (output, graph):
        return
    if os.path.exists(output) and os.path.exists(graph) and os.path.samefile(output, graph):
        raise InvalidValue(f"output: {output!r} is the graph itself; expected another file")


def check_table(arguments: argparse.Namespace) -> None:
    """Raise unless what the command finds has a place where ``--output`` says."""
    output = arguments.output
    if output is None:
        return
    check_is_another(output, arguments.graph)
    check_place(output, arguments.force)
    if output == STANDARD and arguments.json:
        raise InvalidValue("output: - prints the table alone; expected no --json with it")


def check_output(output: str, to: str | None, force: bool) -> None:
    """`check_place`, and there is a graph format for it."""
    from spbfs.io.formats.registry import (
        CSR_FOLDER,
        PARQUET,
        extensions,
        is_csr_folder,
        is_parquet,
    )

    if to is not None and output != STANDARD:
        raise InvalidValue(f"to: expected only with -; the name {output!r} says its format")
    if output != STANDARD and is_csr_folder(output):
        _check_folder(output, force)
        return
    if output != STANDARD and is_parquet(output):
        check_place(output, force)
        return
    named = f"x{suffix(to)}" if output == STANDARD else Path(output).name
    if Path(named.lower().removesuffix(".gz")).suffix not in extensions():
        what = "to" if output == STANDARD else "output"
        told = to if output == STANDARD else output
        others = () if output == STANDARD else (PARQUET, CSR_FOLDER)
        known = " ".join((*extensions(), *others))
        raise InvalidValue(f"{what}: {told!r} does not end in one of {known}")
    check_place(output, force)


def _check_folder(output: str, force: bool) -> None:
    """Raise unless a CSR folder of this name can be made, or may be made anew."""
    from spbfs.io.mapped.csr_writer import check_target

    check_target("output", Path(output))
    if os.path.lexists(output):
        if not force:
            raise InvalidValue(f"output: {output!r} exists; --force overwrites it")
        return
    check_place(output, force)


def suffix(form: str | None) -> str:
    """The extension that says a format: ``mtx`` and ``.mtx`` are the same; edge lists without."""
    return "." + (form or "txt").lstrip(".")


def write_graph(output: str, to: str | None, A: Matrix) -> bool:
    """Write a graph to a file or to standard output; whether there is room for a report there."""
    import spbfs

    if output != STANDARD:
        spbfs.write(output, A)
        return True
    with tempfile.TemporaryDirectory() as folder:
        form = suffix(to)
        path = Path(folder) / f"graph{form}"
        try:
            spbfs.write(path, A)
        except SpbfsError as error:
            told = str(error).replace(f"path: {path.name!r}", f"to: {form!r}")
            raise type(error)(told.replace(repr(path.name), repr(form))) from None
        with open(path, "rb") as file:
            shutil.copyfileobj(file, _binary(sys.stdout))
    return False


def _binary(stream: Any) -> IO[bytes]:
    if not hasattr(stream, "buffer"):
        raise FileError("standard output takes text only")
    stream.flush()
    buffer: IO[bytes] = stream.buffer
    return buffer


def _problem(code: int, name: str) -> OSError:
    return OSError(code, os.strerror(code), name)
