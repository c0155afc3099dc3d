"""The arguments of searches from many sources, checked before anything is made."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from operator import index
from typing import Any, Literal, get_args

import numpy as np
import numpy.typing as npt

from spbfs.algorithms.bfs.arguments import as_direction, square, vertices_of
from spbfs.algorithms.bfs_many.outputs.level_arrays import LEVEL_DTYPES
from spbfs.base.threads import resolve_threads
from spbfs.base.wording import brief
from spbfs.engines.bfs import Direction
from spbfs.exceptions import DeviceMismatch, DimensionMismatch, DomainMismatch, InvalidValue
from spbfs.objects.checks import as_flag
from spbfs.objects.placement.devices import check_device
from spbfs.objects.placement.gpu_arrays import as_gpu_array, asked, fetched, is_here, on_gpu
from spbfs.storage.data import MatrixData

__all__ = [
    "COMPUTED",
    "MOST_SEARCHES",
    "Arguments",
    "GpuSources",
    "Grouping",
    "Output",
    "check_arguments",
    "count",
    "sample",
    "square",
]

Ints = npt.NDArray[np.int64]
#: How sources are grouped: as the planner says, not at all, or by iBFS's rules with p and q.
Grouping = Literal["auto", "given"] | tuple[int, int]

#: Outputs that are always there, and those that are made only when asked for.
Always = Literal["sum_levels", "reached", "eccentricity"]
Computed = Literal[
    "levels",
    "per_level",
    "level_sizes",
    "sum_inverses",
    "counts",
    "level_sums",
    "parents",
]
Output = Computed | Always
ALWAYS: tuple[str, ...] = get_args(Always)
COMPUTED: tuple[str, ...] = get_args(Computed)
#: Those that a checkpoint keeps.
_KEPT = {*ALWAYS, "level_sizes", "sum_inverses", "counts", "level_sums"}
#: The most searches of a batch: bits of the longest row of bits that kernels are made for.
MOST_SEARCHES = 1024
#: Types of sources that searches on a GPU take as they are.
_TAKEN = (np.dtype(np.int32), np.dtype(np.int64))


class GpuSources:
    """Sources on the GPU, where searches may begin from them before the host has seen them.

    Parameters
    ----------
    array : cupy.ndarray
        int32 or int64, C-contiguous, one to `MOST_SEARCHES`.
    n : int
        Vertices.
    """

    def __init__(self, array: Any, n: int) -> None:
        self.array, self._n = array, n
        self.shape = array.shape
        self._asked = asked(array)
        self._read: Ints | None = None

    def read(self) -> Ints:
        """The vertices, on the host.

        Raises
        ------
        IndexOutOfBound
            When one is no vertex.
        """
        if self._read is None:
            self._read = vertices_of(self._asked.read(), "sources", self._n)
        return self._read


@dataclass(frozen=True, slots=True)
class Arguments:
    """What a call asks for, checked."""

    data: MatrixData
    device: str
    #: Sources, checked on the host; on the GPU they are when `sources` is asked for.
    given: Ints | GpuSources
    #: Outputs by name, and where they go: None, an array, or the path of a file.
    outputs: dict[str, Any] = field(default_factory=dict)
    max_depth: int | None = None
    #: Whether levels are rows of (source, vertex, hops) instead of an array of k x n.
    sparse: bool = False
    #: Searches of a batch; None leaves it to the engine and the memory.
    batch: int | None = None
    group: Grouping = "auto"
    #: The file in which what ended is kept.
    checkpoint: Any = None
    direction: Direction = "auto"
    threads: int | None = None

    @property
    def sources(self) -> Ints:
        """On the host; those that the GPU has are checked now."""
        return self.given if isinstance(self.given, np.ndarray) else self.given.read()


def check_arguments(
    A: Any,
    sources: Any,
    *,
    outputs: Any = (),
    max_depth: Any = None,
    sparse: Any = False,
    batch: Any = "auto",
    group: Any = "auto",
    checkpoint: Any = None,
    direction: Any = "auto",
    device: Any = None,
    threads: Any = None,
) -> Arguments:
    """The arguments of `bfs_many` or `levels_many`, the matrix where it is to be searched.

    What sources on the GPU are is seen when `Arguments.sources` is first asked for.
    """
    matrix = square(A)
    if device is not None and check_device(device) != matrix.device:
        matrix = matrix.new().to(device)
    data = matrix._ready()
    given = _given(sources, data.nrows, matrix.device)
    wanted = _outputs(outputs, (given.shape[0], data.nrows), matrix.device)
    if as_flag(sparse, "sparse") and ("levels" not in wanted or wanted["levels"] is not None):
        raise InvalidValue('sparse: expected outputs to have "levels", and no place for them')
    if wanted.get("parents") is not None and not _KEPT.issuperset(wanted.keys() - {"parents"}):
        raise InvalidValue("outputs: a file of parents cannot be asked for with levels")
    if checkpoint is not None and not _KEPT.issuperset(wanted):
        raise InvalidValue(
            f"checkpoint: expected outputs among {', '.join(sorted(_KEPT))}; levels and parents go "
            "to files of their own, outputs={'levels': path}"
        )
    return Arguments(
        data=data,
        device=matrix.device,
        given=given,
        outputs=wanted,
        # Nobody is deeper than there are vertices; engines and files hold so much.
        max_depth=None if max_depth is None else min(count(max_depth, "max_depth", 0), data.nrows),
        sparse=bool(sparse),
        batch=None
        if isinstance(batch, str) and batch == "auto"
        else count(batch, "batch", 1, MOST_SEARCHES),
        group=_grouping(group),
        checkpoint=checkpoint,
        direction=as_direction(direction),
        threads=None if threads is None else resolve_threads(threads),
    )


def _given(sources: Any, n: int, device: str) -> Ints | GpuSources:
    """Sources, on the host unless searches of the device can take them as they are."""
    if device != "cuda" or not on_gpu(sources):
        return vertices_of(sources, "sources", n)
    array = as_gpu_array(sources)
    taken = array.ndim == 1 and 0 < array.shape[0] <= MOST_SEARCHES and array.dtype in _TAKEN
    aligned = taken and array.flags.c_contiguous and array.data.ptr % array.itemsize == 0
    if aligned and is_here(array):
        return GpuSources(array, n)
    return vertices_of(fetched(array), "sources", n)


def sample(n: int, samples: Any, seed: Any) -> Ints | None:
    """Distinct random vertices, all of them where there are not so many; None for no samples."""
    begin = count(seed, "seed", 0)
    if samples is None:
        return None
    size = min(count(samples, "samples", 1), n)
    chosen = np.random.default_rng(begin).choice(n, size, replace=False)
    return np.sort(chosen).astype(np.int64)


def count(value: Any, name: str, least: int, most: int | None = None) -> int:
    """An integer within limits."""
    try:
        number = index(value)
    except TypeError:
        raise DomainMismatch(f"{name}: expected an integer, got {brief(value)}") from None
    if isinstance(value, bool | np.bool_):
        raise DomainMismatch(f"{name}: expected an integer, got {brief(value)}")
    if number < least or (most is not None and number > most):
        limit = "" if most is None else f" and at most {most}"
        raise InvalidValue(f"{name}: expected at least {least}{limit}, got {brief(number)}")
    return number


def _outputs(outputs: Any, shape: tuple[int, int], device: str) -> dict[str, Any]:
    """Outputs asked for, and where they go; levels are of this shape."""
    wanted: dict[str, Any]
    if isinstance(outputs, str):
        wanted = {_name(outputs): None}
    elif isinstance(outputs, Mapping):
        wanted = {_name(output): place for output, place in outputs.items()}
    else:
        try:
            named = list(outputs)
        except TypeError:
            raise DomainMismatch(f"outputs: expected names, got {brief(outputs)}") from None
        wanted = {_name(output): None for output in named}
    for name, place in wanted.items():
        if name not in COMPUTED and name not in ALWAYS:
            known = ", ".join(COMPUTED + ALWAYS)
            raise InvalidValue(f"outputs: expected some of {known}, got {brief(name)}")
        in_file = isinstance(place, str | os.PathLike)
        if place is not None and name != "levels" and not (name == "parents" and in_file):
            raise InvalidValue(
                "outputs: only levels, and parents into a file, can be put somewhere, "
                f"got {brief(name)}: {brief(place)}"
            )
        if place is not None and not isinstance(place, str | os.PathLike):
            wanted[name] = _levels_given(place, shape, device)
    return wanted


def _levels_given(array: Any, shape: tuple[int, int], device: str) -> Any:
    """An array for the levels of a matrix on a device, checked; one on a GPU as CuPy's."""
    if not isinstance(array, np.ndarray) and not on_gpu(array):
        raise DomainMismatch(
            f"outputs: levels must be an array or the path of a file, got {type(array).__name__}"
        )
    if on_gpu(array):
        if device != "cuda":
            raise DeviceMismatch(f"outputs: levels are on a GPU, but A is on {brief(device)}")
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
        raise DomainMismatch(f"outputs: expected a name, got {brief(output)}")
    return output.replace("-", "_")


def _grouping(group: Any) -> Grouping:
    if isinstance(group, str):
        if group == "auto":
            return "auto"
        if group == "given":
            return "given"
    if isinstance(group, tuple) and len(group) == 2:
        return count(group[0], "group: p", 1), count(group[1], "group: q", 0)
    raise InvalidValue(f'group: expected "auto", "given" or (p, q), got {brief(group)}')
