"""The arguments of a breadth-first search, checked before anything runs."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import date
from functools import cache
from operator import index
from typing import Any, Literal, TypeVar

import numpy as np
import numpy.typing as npt

from spbfs.base.memory import require_bytes, typed_refusals
from spbfs.base.wording import brief, said_of
from spbfs.engines.bfs import DIRECTIONS, NEIGHBOUR_ORDERS, RELABELLINGS
from spbfs.exceptions import DeviceMismatch, DimensionMismatch, DomainMismatch, InvalidValue
from spbfs.objects.checks import as_flag, as_index, as_index_array, listed
from spbfs.objects.constructors.scipy_arrays import is_sparse
from spbfs.objects.display.makers import kind_of, maker_of
from spbfs.objects.matrix import Matrix
from spbfs.objects.operands.matrix_operand import MatrixOperand
from spbfs.objects.placement.devices import DEVICES, gpu_here, named_devices
from spbfs.objects.placement.gpu_arrays import as_gpu_array, at_host, on_gpu
from spbfs.planner import expansion as expanding
from spbfs.planner.expansion import Expansion
from spbfs.planner.peers import MOST_PEERS
from spbfs.planner.rates import current
from spbfs.planner.search import NeighbourOrder, Relabelling
from spbfs.planner.strategies import STRATEGIES, Chooser, Forced, Strategy
from spbfs.planner.strategy_choice import Adaptive
from spbfs.storage.entries import array_module

__all__ = [
    "Vertex",
    "Vertices",
    "as_depth",
    "as_direction",
    "as_expansion",
    "as_matrix",
    "as_neighbour_order",
    "as_part_edges",
    "as_peers",
    "as_relabelling",
    "as_searching_device",
    "as_source",
    "as_strategies",
    "as_tree",
    "check_square",
    "chosen_vertices",
    "source_vertices",
    "square",
    "vertices_of",
]

T = TypeVar("T")
Array = Any
Ints = npt.NDArray[np.int64]
_NARROW = np.iinfo(np.int32)
#: As most name GPUs.
_PLAIN = {int, str}
#: What names a vertex: a number, or of a matrix with labels what these have for the most part.
Vertex = int | np.integer[Any] | str | bytes | date | np.datetime64 | tuple[Any, ...]
#: What names one vertex or more: also a set, a generator, a column of a data frame.
Vertices = Vertex | Iterable[Vertex] | npt.NDArray[Any]


def as_matrix(A: Any) -> MatrixOperand:
    """`A`, after `Matrix.from_scipy` where it is not a Matrix: duplicates add up, as in SciPy."""
    if isinstance(A, MatrixOperand):
        return A
    if not is_sparse(A):
        given = f"{kind_of(A)}{maker_of(A)}"
        raise DomainMismatch(f"A: expected a Matrix or a SciPy sparse array, got {given}")
    with said_of(matrix="A"):
        return Matrix.from_scipy(A, dup_op="plus")


def square(A: Any) -> MatrixOperand:
    """`A` as a matrix, which must be square."""
    matrix = as_matrix(A)
    check_square(*matrix.shape)
    return matrix


def check_square(nrows: int, ncols: int) -> None:
    """Refuse the shape of what is no graph."""
    if nrows != ncols:
        raise DimensionMismatch(
            f"A: expected a square matrix, got {nrows} x {ncols}; of edges from_coo and "
            "from_edgelist make one with square=True, with directed=, or with nrows= and ncols="
        )


def as_source(source: Any, n: int, device: str, *, read: bool = False) -> int | Array:
    """The source or sources as the engine of a device takes them.

    Those in GPU memory stay there as int32, and whether they are in range only the search will see,
    unless 32 bits number no vertex or they have to be `read` by the host anyway.
    """
    if type(source) is int:
        return as_index(source, n, "source")
    if device == "cuda" and n <= _NARROW.max and not read and on_gpu(source):
        array = as_gpu_array(source)
        # What is no list of integers is told as on the host.
        if array.ndim < 2 and array.size and array.dtype.kind in "iu":
            return _on_device(array)
    return source_vertices(source, n)


@typed_refusals
def _on_device(sources: Array) -> Array:
    """Integers in GPU memory as int32."""
    xp = array_module(sources)
    if sources.dtype != np.int32:
        # What 32 bits cannot hold must not wrap into the range; beyond 63 bits it is negative here.
        sources = xp.clip(sources.astype(np.int64), _NARROW.min, _NARROW.max).astype(np.int32)
    return xp.ascontiguousarray(sources.reshape(-1))


def source_vertices(source: Any, n: int) -> int | Ints:
    """One source, or several as given, checked; those in GPU memory are brought."""
    if type(source) is not int:
        source = listed(at_host(source))
        try:
            # Of a range, however long, NumPy would make an array.
            scalar = not isinstance(source, range) and np.ndim(source) == 0
        except (TypeError, ValueError):
            raise DomainMismatch("source: expected an integer or a flat sequence of them") from None
        if not scalar:
            return _several(source, n)
    return as_index(source, n, "source")


def vertices_of(values: Any, name: str, n: int) -> Array:
    """One vertex or more, as an array in host memory."""
    values = listed(at_host(values))
    several = getattr(values, "ndim", 1) and (
        hasattr(values, "__len__") or hasattr(values, "__array__")
    )
    if not several or isinstance(values, str | bytes):
        values = [values]
    return as_index_array(values, name, n)


def chosen_vertices(values: Any, name: str, n: int) -> Array:
    """The vertices named, as an array; all of them for None."""
    if values is not None:
        return vertices_of(values, name, n)
    require_bytes(8 * n, f"{name}: a list of all {n:,} vertices", "; name some")
    return np.arange(n)


def _several(source: Any, n: int) -> int | Ints:
    mixed = isinstance(source, Sequence) and not isinstance(source, range)
    if mixed and any(isinstance(s, bool) for s in source):
        raise DomainMismatch(f"source: expected integers, got {brief(source)}")
    sources = as_index_array(source, "source", n)
    if sources.size == 0:
        raise InvalidValue("source: expected at least one vertex, got none")
    return sources


def as_tree(parents: Any) -> Literal["any", "min"] | None:
    if parents is True:
        return "any"
    if isinstance(parents, str):
        if parents not in ("any", "min"):
            raise InvalidValue(
                f'parents: expected True, False, "any" or "min", got {brief(parents)}'
            )
        return "min" if parents == "min" else "any"
    return "any" if as_flag(parents, "parents") else None


def as_depth(max_depth: Any) -> int:
    depth = _whole("max_depth", max_depth)
    if depth < 0:
        raise InvalidValue(f"max_depth: expected 0 or more, got {brief(depth)}")
    return depth


def as_direction(direction: Any) -> Literal["auto", "push", "pull"]:
    for known in DIRECTIONS:
        if isinstance(direction, str) and direction == known:
            return known
    names = ", ".join(DIRECTIONS)
    raise InvalidValue(f"direction: expected one of {names}, got {brief(direction)}")


def as_relabelling(relabel: Any) -> Relabelling:
    return _one_of(RELABELLINGS, relabel, 'relabel: expected "auto", "compact", "degree" or None')


def as_neighbour_order(neighbours: Any) -> NeighbourOrder:
    return _one_of(NEIGHBOUR_ORDERS, neighbours, 'neighbours: expected "auto", "degree" or None')


def as_part_edges(part_edges: Any, relabel: Any, neighbours: Any, expansion: Any) -> int | None:
    """The size of a part, with which a search reads the matrix as it is."""
    if part_edges is None:
        return None
    size = _whole("part_edges", part_edges)
    if not 1 <= size < 1 << 63:
        raise InvalidValue(f"part_edges: expected 1 or more, below 2**63, got {brief(size)}")
    for name, given in (("relabel", relabel), ("neighbours", neighbours), ("expansion", expansion)):
        if given is not None and not (isinstance(given, str) and given == "auto"):
            raise InvalidValue(f'{name}: expected "auto" with part_edges, got {brief(given)}')
    return size


def as_searching_device(device: Any, at: str, part_edges: Any) -> str:
    """Where a matrix that is on the device `at` is searched: there, or where parts are brought."""
    if device is None or (isinstance(device, str) and device == at):
        return at
    if isinstance(device, str) and device == "cuda" and at in DEVICES:
        if part_edges is None:
            raise InvalidValue(
                f"device: expected {at!r}, where A is, or part_edges with it, got 'cuda', to which "
                "A.to('cuda') takes a Matrix"
            )
        return device
    if at not in DEVICES:
        raise InvalidValue(f"device: expected None of a matrix over ranks, got {brief(device)}")
    expected = at if at == "cuda" else f"{at}', or 'cuda"
    raise InvalidValue(f"device: expected '{expected}' of a matrix on {at}, got {brief(device)}")


def as_peers(
    devices: Any, at: str, others: dict[str, tuple[Any, Any]], derives: bool
) -> tuple[int, ...]:
    """The GPUs that search a matrix on the device `at` together; none where that was not asked for.

    `others` are the arguments that are not to be given with it, each with its default; `derives`
    says whether parents or owners are derived from levels, where the matrix is.
    """
    if devices is None:
        return ()
    for name, (other, default) in others.items():
        if other is not default and not (isinstance(other, str) and other == default):
            raise InvalidValue(f"{name}: expected {default!r} with devices, got {brief(other)}")
    if at not in ("cpu", "cuda"):
        raise InvalidValue(f"devices: expected a matrix on cpu or cuda, got one on {at}")
    named = tuple(named_devices(devices))
    # Others may be equal to these and are none: True to 1.
    plain = _PLAIN.issuperset(map(type, named))
    gpus = _different_gpus(named) if plain else _different_gpus.__wrapped__(named)
    if at == "cpu" and derives:
        raise InvalidValue(
            "devices: expected a matrix on cuda with several sources or parents='min', "
            "got one on cpu"
        )
    return gpus


@cache
def _different_gpus(devices: tuple[Any, ...]) -> tuple[int, ...]:
    """The numbers of some devices; kept, as a call of two GPUs waits for it."""
    gpus: list[int] = []
    for device in devices:
        gpu = gpu_here(device)
        if gpu is None or gpu in gpus:
            raise InvalidValue(
                "devices: expected different GPUs, each as cuda:0 or a number, "
                f"got {brief(device)}{'' if gpu is None else ' twice'}"
            )
        gpus.append(gpu)
    if len(gpus) > MOST_PEERS:
        raise InvalidValue(f"devices: expected at most {MOST_PEERS} GPUs, got {len(gpus)}")
    return tuple(gpus)


def _whole(name: str, value: Any) -> int:
    if not isinstance(value, bool | np.bool_):
        try:
            return index(value)
        except TypeError:
            pass
    raise DomainMismatch(f"{name}: expected an integer, got {brief(value)}")


def _one_of(choices: tuple[T, ...], given: Any, expected: str) -> T:
    for known in choices:
        if given is known or (isinstance(given, str) and given == known):
            return known
    raise InvalidValue(f"{expected}, got {brief(given)}")


def as_expansion(
    expansion: Any, device: str, direction: str, target: int | None
) -> Expansion | None:
    """A published way of pushing, where one is asked for and there is a choice."""
    if isinstance(expansion, str) and expansion == "auto":
        return None
    if isinstance(expansion, str):
        if expansion not in expanding.STRATEGIES:
            known = ", ".join(expanding.STRATEGIES)
            raise InvalidValue(f"expansion: expected one of {known}, got {brief(expansion)}")
        expansion = Expansion(strategy=expansion)
    if not isinstance(expansion, Expansion):
        raise DomainMismatch(f"expansion: expected an Expansion or a name, got {brief(expansion)}")
    if device != "cuda":
        raise InvalidValue(
            f"expansion: expected 'auto' on {brief(device)}, which has no choice of it"
        )
    if direction == "pull":
        raise InvalidValue("direction: expected 'auto' or 'push' with expansion, got 'pull'")
    if target is not None:
        raise InvalidValue(f"target: expected None with expansion, got {target}")
    return expansion


def as_strategies(
    strategy: Any,
    interval: Any,
    residences: tuple[str, ...],
    others: dict[str, tuple[Any, Any]],
    over_ranks: bool = False,
) -> Chooser | None:
    """Who says how every level is expanded, where that was asked for.

    `residences` are the devices of the matrix, or of the parts that ranks have of it, and `others`
    the arguments that are not to be given with it, by name, each with its default.  The reference,
    which has one way for all levels, takes the CPU's names as it takes directions.
    """
    automatic = isinstance(strategy, str) and strategy == "auto"
    levels = _as_interval(interval)
    if levels != 1 and not automatic:
        raise InvalidValue(f"interval: expected 1 without strategy='auto', got {brief(levels)}")
    if strategy is None:
        return None
    for name, (other, default) in others.items():
        if other is not default and not (isinstance(other, str) and other == default):
            raise InvalidValue(f"{name}: expected {default!r} with strategy, got {brief(other)}")
    if over_ranks and len(residences) > 1:
        raise InvalidValue(
            f"strategy: expected None over ranks on {' and '.join(residences)}, got "
            f"{brief(strategy)}; direction= is for all of them"
        )
    if automatic:
        return Adaptive(current(), residences, levels)
    given = [strategy] if isinstance(strategy, str) else strategy
    known = ", ".join(STRATEGIES)
    if not isinstance(given, Sequence) or not all(isinstance(name, str) for name in given):
        raise DomainMismatch(
            f"strategy: expected one of {known}, a list of them, or auto, got {brief(strategy)}"
        )
    if not given:
        raise InvalidValue(f"strategy: expected at least one of {known}, got none")
    here = ("cpu",) if residences == ("reference",) else residences
    advice = "" if over_ranks else "; A.to('cpu+cuda') is on both devices"
    return Forced(tuple(_strategy(name, here, advice) for name in given))


def _as_interval(interval: Any) -> int:
    if isinstance(interval, bool | np.bool_):
        raise DomainMismatch(f"interval: expected an integer, got {brief(interval)}")
    try:
        levels = index(interval)
    except TypeError:
        raise DomainMismatch(f"interval: expected an integer, got {brief(interval)}") from None
    if levels < 1:
        raise InvalidValue(f"interval: expected 1 or more, got {brief(levels)}")
    return levels


def _strategy(name: str, residences: tuple[str, ...], advice: str) -> Strategy:
    found = STRATEGIES.get(name)
    if found is None:
        known = ", ".join(STRATEGIES)
        raise InvalidValue(f"strategy: expected one of {known}, or auto, got {brief(name)}")
    if found.device not in residences:
        here = [s.name for s in STRATEGIES.values() if s.device in residences]
        raise DeviceMismatch(
            f"strategy: expected one of {', '.join(here)} for a matrix on {'+'.join(residences)}, "
            f"got {brief(name)}{advice}"
        )
    return found
