"""Files of a `KHopIndex`: ``.npz`` archives of its bits, of version 2 with the names of vertices.

Those of version 1 have no names, and do not say which version they are.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from spbfs.base.memory import require_bytes
from spbfs.base.wording import brief
from spbfs.engines.arrays.patterns.sets import set_of
from spbfs.exceptions import DimensionMismatch, FormatError
from spbfs.objects.checks import as_index_array, as_size
from spbfs.objects.labels import Labels
from spbfs.storage.packed import words_of

__all__ = ["LANES", "KeptIndex", "read_index", "room", "write_index"]

Array = npt.NDArray[Any]

#: Sources of a batch, columns of a block of bits.
LANES = 512
_VERSION = 2


class KeptIndex(NamedTuple):
    """What a file holds."""

    n: int
    k: int
    sources: Array
    bits: Array
    labels: Labels | None


def room(sources: int) -> tuple[int, int]:
    """Blocks of bits for so many sources, and words of a vertex in one."""
    return -(-sources // LANES), words_of(min(LANES, max(1, sources)))


def write_index(path: Path, index: KeptIndex) -> None:
    """Write a file, whole or not at all.

    Raises
    ------
    DimensionMismatch
        When there are not as many names as vertices.
    """
    from spbfs.io.files.archive import write_arrays
    from spbfs.io.files.label_arrays import arrays_of

    if index.labels is not None and len(index.labels) != index.n:
        raise DimensionMismatch(
            f"labels: expected a name for each of {index.n:,} vertices, got {len(index.labels):,}"
        )
    write_arrays(
        path,
        version=np.array(_VERSION),
        shape=np.array([index.n, index.k], np.int64),
        sources=index.sources,
        bits=index.bits,
        **arrays_of(index.labels),
    )


def read_index(path: Path) -> KeptIndex:
    """What is in a file, of whatever version up to this one's.

    Raises
    ------
    FormatError
        When it is something else, damaged, or of a later version.
    """
    from spbfs.io.files.archive import read_arrays
    from spbfs.io.files.label_arrays import NAMES, labels_of_arrays

    arrays = read_arrays(path, ("shape", "sources", "bits"), ("version", *NAMES))
    shape, sources, bits, version, *names = arrays
    if version is not None:
        _check_version(path, version)
    try:
        n, k = (as_size(side, "shape") for side in shape)
        as_index_array(sources, "sources", n)
        blocks, words = room(sources.shape[0])
        if bits.dtype != np.uint64 or bits.shape != (blocks, n, words):
            raise ValueError(f"bits: {bits.dtype} of shape {bits.shape}")
        if set_of(np, sources).shape != sources.shape:
            raise ValueError("sources: one comes twice")
        require_bytes(8 * n, f"{path}")
    except (TypeError, ValueError, IndexError) as error:
        raise FormatError(f"{path}: expected an index written by save: {brief(error)}") from None
    return KeptIndex(n, k, sources, bits, labels_of_arrays(path, n, *names))


def _check_version(path: Path, version: Any) -> None:
    if version.shape != () or version.dtype.kind not in "iu":
        raise FormatError(f"{path}: expected a version, got {brief(version)}")
    if not 1 <= version <= _VERSION:
        raise FormatError(
            f"{path}: expected an index of version 1 to {_VERSION}, got version {version}, "
            "which another release wrote"
        )
