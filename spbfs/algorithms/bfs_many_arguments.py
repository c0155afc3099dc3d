"""The arguments of `bfs_many` and of what is built on it, checked."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Mapping
from operator import index
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from spbfs.algorithms.bfs.arguments import as_matrix
from spbfs.algorithms.bfs_many_result import LEVEL_DTYPES
from spbfs.exceptions import DeviceMismatch, DimensionMismatch, DomainMismatch, InvalidValue
from spbfs.objects.gpu_arrays import as_gpu_array, on_gpu

__all__ = [
    "ASKED",
    "MOST_LANES",
    "Progress",
    "Report",
    "Rule",
    "count",
    "grouping",
    "levels_given",
    "outputs_wanted",
    "sample",
    "square",
]

Ints = npt.NDArray[np.int64]
Progress = Callable[[int, int, int], None]
Rule = Literal["auto", "given"] | tuple[int, int]

#: Outputs that cost nothing, and those that are made only when asked for.
FREE = ("sum_levels", "reached", "eccentricity")
ASKED = ("levels", "per-level", "level_sizes", "counts", "level_sums", "parents")
MOST_LANES = 1024


def square(A: Any) -> Any:
    """`A` as a matrix, which must be square."""
    matrix = as_matrix(A)
    if matrix.shape[0] != matrix.shape[1]:
        rows, columns = matrix.shape
        raise DimensionMismatch(f"A: expected a square matrix, got {rows} x {columns}")
    return matrix


def sample(n: int, samples: Any, seed: int) -> Ints:
    """Distinct random vertices, all of them where there are not so many."""
    size = min(count(samples, "samples", 1), n)
    chosen = np.random.default_rng(count(seed, "seed", 0)).choice(n, size, replace=False)
    return np.sort(chosen).astype(np.int64)


class Report:
    """How far searches are, on a bar, to a function, or to nobody."""

    def __init__(self, progress: Any, total: int, what: str = "bfs_many") -> None:
        if progress is not None and not isinstance(progress, bool) and not callable(progress):
            raise DomainMismatch(f"progress: expected True, False or a function, got {progress!r}")
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


def outputs_wanted(outputs: Any) -> dict[str, Any]:
    """Outputs asked for, and where they go."""
    if isinstance(outputs, Mapping):
        wanted = dict(outputs)
    else:
        names = [outputs] if isinstance(outputs, str) else outputs
        if not isinstance(names, Iterable):
            raise DomainMismatch(f"outputs: expected names, got {outputs!r}")
        wanted = {_name(output): None for output in names}
    for name, place in wanted.items():
        if name not in ASKED and name not in FREE:
            known = ", ".join(ASKED + FREE)
            raise InvalidValue(f"outputs: expected some of {known}, got {name!r}")
        if place is not None and name != "levels":
            raise InvalidValue(
                f"outputs: only levels can be put somewhere, got {name!r}: {place!r}"
            )
    return wanted


def levels_given(array: Any, shape: tuple[int, int], device: str) -> Any:
    """An array for the levels of a matrix on a device, checked; one on a GPU as CuPy's."""
    if not isinstance(array, np.ndarray) and not on_gpu(array):
        raise DomainMismatch(
            f"outputs: levels must be an array or the path of a file, got {type(array).__name__}"
        )
    if on_gpu(array):
        if device != "cuda":
            raise DeviceMismatch(f"outputs: levels are on a GPU, but A is on {device!r}")
        array = as_gpu_array(array)
    if array.dtype not in LEVEL_DTYPES:
        raise DomainMismatch(f"outputs: levels must be uint8, uint16 or uint32, got {array.dtype}")
    if array.shape != shape:
        raise DimensionMismatch(
            f"outputs: levels must be {shape[0]} x {shape[1]}, got shape {array.shape}"
        )
    # CuPy's arrays all are writeable, and their flags do not say so.
    if not array.flags.c_contiguous or not getattr(array.flags, "writeable", True):
        raise InvalidValue("outputs: levels must be C-contiguous and writeable")
    return array


def _name(output: Any) -> str:
    if not isinstance(output, str):
        raise DomainMismatch(f"outputs: expected a name, got {output!r}")
    return output


def count(value: Any, name: str, least: int, most: int | None = None) -> int:
    try:
        number = index(value)
    except TypeError:
        raise DomainMismatch(f"{name}: expected an integer, got {value!r}") from None
    if isinstance(value, bool | np.bool_):
        raise DomainMismatch(f"{name}: expected an integer, got {value!r}")
    if number < least or (most is not None and number > most):
        limit = "" if most is None else f" and at most {most}"
        raise InvalidValue(f"{name}: expected at least {least}{limit}, got {number}")
    return number


def grouping(group: Any) -> Rule:
    if isinstance(group, str):
        if group == "auto":
            return "auto"
        if group == "given":
            return "given"
    if isinstance(group, tuple) and len(group) == 2:
        return count(group[0], "group: p", 1), count(group[1], "group: q", 0)
    raise InvalidValue(f'group: expected "auto", "given" or (p, q), got {group!r}')
