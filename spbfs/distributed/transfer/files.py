"""A vector as one file that all ranks write: each a block of it, complete under its name or not
there at all."""

from __future__ import annotations

import contextlib
import io
import os
import secrets
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO, TypeVar

import numpy as np

from spbfs.base.memory import require_bytes
from spbfs.distributed.exchange.ranks import agree, everyones, settled
from spbfs.distributed.parts.build import deal
from spbfs.distributed.transfer.nameless import link, nameless
from spbfs.exceptions import FileError, FileMissing
from spbfs.io.arguments import path_of
from spbfs.io.files.refusals import unwritable

if TYPE_CHECKING:
    from spbfs.distributed.engine import DistributedEngine
    from spbfs.distributed.parts.storage import DistributedVector

__all__ = ["write_dense"]

Array = Any
T = TypeVar("T")


def write_dense(
    engine: DistributedEngine,
    x: DistributedVector,
    path: Any,
    fill: np.generic,
    entries: tuple[Array, Array],
) -> None:
    """Write a vector as a ``.npy`` file, `fill` where it has no entry; collective.

    Vertices are dealt out anew, in blocks of their numbers, so that a rank writes one piece.
    """
    ranks, n = engine.ranks, x.size
    agree(ranks, "path", str(path))
    agree(ranks, "fill_value", fill.item())
    vertices, values = entries
    bounds = np.array([n * r // ranks.size for r in range(ranks.size + 1)], np.int64)
    to = np.searchsorted(bounds, vertices, side="right") - 1
    vertices, values = deal(ranks, to, [vertices, values])
    begin, end = bounds[ranks.rank : ranks.rank + 2].tolist()

    def block() -> Array:
        require_bytes((end - begin) * x.dtype.itemsize, "to_file: the elements of a rank")
        made = np.full(end - begin, fill, x.dtype)
        made[vertices - begin] = values
        return made

    data = settled(ranks, block)
    _write_together(engine, path_of(path), _header(n, x.dtype), begin * x.dtype.itemsize, data)


def _header(n: int, dtype: np.dtype[Any]) -> bytes:
    """What `numpy.save` writes before an array of n."""
    stream = io.BytesIO()
    description = {"descr": dtype.str, "fortran_order": False, "shape": (n,)}
    np.lib.format.write_array_header_1_0(stream, description)
    return stream.getvalue()


def _write_together(
    engine: DistributedEngine, path: Path, header: bytes, offset: int, data: Array
) -> None:
    """The file without its name, which it gets from rank 0 once all have written."""
    ranks, final = engine.ranks, Path(os.path.realpath(path))
    beside = final.with_name(f".{final.name[:50]}.{secrets.token_hex(8)}.partial")
    partial = everyones(ranks, beside)[0]
    first = ranks.rank == 0
    settled(ranks, lambda: _check(path, final) if first else None)
    try:
        file = nameless(ranks, final.parent)
        if file is None:
            settled(ranks, lambda: _refusing(path, partial.touch) if first else None)
            file = settled(ranks, lambda: _refusing(path, _opened, partial))
        with file as opened:
            start = len(header) + offset
            settled(ranks, lambda: _refusing(path, lambda: _write_at(opened, start, data)))
            begin = np.frombuffer(header if first else b"", np.uint8)
            settled(ranks, lambda: _refusing(path, lambda: _write_at(opened, 0, begin)))
            settled(ranks, lambda: _refusing(path, lambda: _appear(opened, partial, final, first)))
    except BaseException:
        if first:
            with contextlib.suppress(OSError):
                partial.unlink()
        raise


def _opened(partial: Path) -> BinaryIO:
    return open(partial, "r+b")


def _check(path: Path, final: Path) -> None:
    if final.exists() and not final.is_file():
        raise FileError(f"path: {str(path)!r} is not a regular file")
    if not final.parent.is_dir():
        raise FileMissing(f"path: {str(path.parent)!r} is not a directory")


def _refusing(path: Path, work: Callable[..., T], *arguments: Any) -> T:
    try:
        return work(*arguments)
    except OSError as error:
        raise unwritable("path", path, error) from None


def _write_at(file: BinaryIO, offset: int, data: Array) -> None:
    file.seek(offset)
    file.write(data.view(np.uint8))
    file.flush()


def _appear(file: BinaryIO, partial: Path, final: Path, first: bool) -> None:
    """Give the file its name; one that has none gets another before, which may replace."""
    if first:
        if not partial.exists():
            link(file, partial)
        os.replace(partial, final)
