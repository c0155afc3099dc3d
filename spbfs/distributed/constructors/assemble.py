"""From what ranks have listed of a graph to its matrix, whose device is a partition of its own."""

from __future__ import annotations

import itertools
from hashlib import blake2b
from typing import Any, NamedTuple

import numpy as np

from spbfs.base.memory import require_bytes, typed_refusals
from spbfs.base.wording import counted
from spbfs.distributed.constructors.arguments import as_cut, as_devices, as_hubs, as_seed
from spbfs.distributed.engine import DistributedEngine
from spbfs.distributed.exchange.gpus import exchange_of
from spbfs.distributed.exchange.mpi import ranks_of
from spbfs.distributed.exchange.ranks import Ranks, agree, agree_all, everyones, settled
from spbfs.distributed.parts.build import Edges, arranged, has_room, partition_of
from spbfs.distributed.parts.numbering import Numbering
from spbfs.engines import register_engine
from spbfs.exceptions import InvalidValue, OutOfRange
from spbfs.objects.checks import as_flag
from spbfs.objects.matrix import Matrix
from spbfs.operators.dtypes import BOOL, lookup_dtype
from spbfs.operators.tables.builtin import BINARY
from spbfs.storage.derived import remember_symmetry

__all__ = ["Listed", "begun", "digest", "made"]

Array = Any
_NAMES = itertools.count()
_TRUE = np.array([True])
#: Bytes that a rank has for every vertex of its own while a graph is made.
_KNOWN = 32


class Listed(NamedTuple):
    """What a rank has of a graph: entries, their values, the vertices, and what joins equals."""

    rows: Array
    columns: Array
    values: Array | None
    vertices: int
    dup: str


def begun(comm: Any, function: str) -> Ranks:
    """The ranks of a communicator, which all call this function of one version of spbfs."""
    import spbfs

    ranks: Ranks = comm if hasattr(comm, "begin") else ranks_of(comm)
    called = {"the function": function, "spbfs.__version__": spbfs.__version__}
    agree_all(ranks, called, lambda name: repr(called[name]), function)
    return ranks


def digest(size: int, first: bytes, last: bytes) -> str:
    """What tells a file from another of that name, in few letters."""
    return f"{size:,} bytes, {blake2b(first + last, digest_size=8).hexdigest()}"


@typed_refusals
def made(
    ranks: Ranks,
    listed: Listed,
    directed: Any,
    cut: Any,
    hubs: Any,
    permutation: Any,
    devices: Any,
) -> Matrix:
    """The matrix of everybody's entries, and its device."""
    options = settled(
        ranks,
        lambda: (
            as_flag(directed, "directed"),
            as_cut(cut),
            as_hubs(hubs),
            as_seed(permutation),
            as_devices(devices, ranks.size),
        ),
    )
    names = ("directed", "cut", "hubs", "permutation", "devices")
    for name, chosen in zip(("n", *names), (listed.vertices, *options), strict=True):
        agree(ranks, name, chosen)
    both_ways, rule, least, seed, where = options
    exchange = exchange_of(ranks, where)
    held = -(-listed.vertices // ranks.size)
    # Ranks that see one memory take from it together.
    sharing = 1 if ranks.meetings is None else ranks.size
    here = held * sharing
    what = f"n: {here:,} vertices of {counted(sharing, 'rank')}"
    settled(ranks, lambda: require_bytes(_KNOWN * here, what))
    given, dtype = _one_type(ranks, listed)
    numbering = Numbering(listed.vertices, seed)
    edges = Edges(numbering.places(listed.rows), numbering.places(listed.columns), given)
    entries = listed.rows.shape[0] * (1 if both_ways else 2)
    by = exchange.ranks if has_room(exchange.ranks, entries, given) else ranks
    if by.xp is not np:
        edges = Edges(*(None if x is None else by.xp.asarray(x) for x in edges))
    if not both_ways:
        edges = _mirrored(by.xp, edges)
    partition = partition_of(by, numbering, edges, rule, least)
    dup = None if given is None else BINARY[listed.dup].typed(lookup_dtype(dtype))
    value = _TRUE if given is None else np.ones(1, dtype)
    data = arranged(by, partition, edges, value, dup)
    if not both_ways:
        remember_symmetry(data)
    name = f"ranks:{next(_NAMES)}"
    ranks.graphs += 1
    engine = settled(ranks, lambda: DistributedEngine(name, ranks, partition, where, exchange))
    register_engine(engine)  # type: ignore[arg-type]
    there = engine.matrix_on_device(data) if by.xp is np else data
    return Matrix._from_data(there, name)


class _Kind(NamedTuple):
    """What a rank tells of its values: their type, and the range of those that are whole."""

    dtype: str
    low: int = 0
    high: int = 0

    @classmethod
    def of(cls, values: Array) -> _Kind:
        if not values.shape[0] or values.dtype.kind not in "biu":
            return cls(values.dtype.str)
        return cls(values.dtype.str, int(values.min()), int(values.max()))


def _one_type(ranks: Ranks, listed: Listed) -> tuple[Array | None, Any]:
    """The values as one type at all ranks, where any rank has some; none where all are True."""
    values = listed.values
    mine = None if values is None else _Kind.of(values)
    told = everyones(ranks, (mine, not listed.rows.shape[0]))
    some = [kind for kind, empty in told if not empty]
    # Where nobody has any there is a type all the same.
    kinds = some or [kind for kind, _ in told if kind is not None] or [None]
    given = [kind for kind in kinds if kind is not None]
    if len(given) < len(kinds) and given:
        raise InvalidValue("values: expected them at all ranks or at none, got them at some")
    if all(kind.dtype == _TRUE.dtype.str and (kind.low or not some) for kind in given):
        return None, BOOL.np_type
    dtype = _common_type(given)
    return (np.empty(0, dtype) if values is None else values.astype(dtype)), dtype


def _common_type(kinds: list[_Kind]) -> np.dtype[Any]:
    """A type for the values of all ranks; of whole numbers one that rounds none of them."""
    types = [np.dtype(kind.dtype) for kind in kinds]
    common = np.result_type(*types)
    if common.kind != "f" or any(each.kind == "f" for each in types):
        return common
    low, high = min(kind.low for kind in kinds), max(kind.high for kind in kinds)
    if low >= 0:
        return np.dtype(np.uint64)
    if high <= np.iinfo(np.int64).max:
        return np.dtype(np.int64)
    raise OutOfRange(
        f"values: no integer type holds both {low} and {high}, which ranks have; as FP64 at one of"
        " them all are rounded"
    )


def _mirrored(xp: Any, edges: Edges) -> Edges:
    """Every edge and its mirror image."""
    rows, columns, values = edges
    both = xp.concatenate((rows, columns)), xp.concatenate((columns, rows))
    return Edges(*both, None if values is None else xp.concatenate((values, values)))
