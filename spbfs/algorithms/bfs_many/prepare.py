"""What a call needs before it searches: the engine's searches, memory, outputs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from spbfs.algorithms.bfs_many.arguments import COMPUTED, MOST_SEARCHES, Arguments
from spbfs.algorithms.bfs_many.independent import run_alone
from spbfs.algorithms.bfs_many.outputs.filled import Outputs
from spbfs.algorithms.bfs_many.outputs.level_arrays import LevelPool, level_pool_of
from spbfs.algorithms.bfs_many.result import BFSManyResult
from spbfs.engines import get_engine
from spbfs.engines.bfs import Ints, Searches, searches_of
from spbfs.engines.bfs_many import ManyRequest, ManySearches, many_searches_of
from spbfs.exceptions import OutOfMemory
from spbfs.planner import many as planner_many
from spbfs.storage.arrays import iso_array
from spbfs.storage.data import MatrixData
from spbfs.storage.derived import keeping
from spbfs.storage.entries import on_host

__all__ = [
    "Prepared",
    "begin",
    "check_outputs",
    "joined",
    "joint_searches",
    "prepare",
    "searches_meet",
]


@dataclass(slots=True)
class Prepared:
    """A call that can begin: who searches, what every batch is asked for, how many share one."""

    joint: ManySearches
    single: Searches
    request: ManyRequest
    outputs: Outputs
    #: Searches of a batch where they are joined.
    batch: int


def begin(call: Arguments) -> Any:
    """A search of all sources under way, where earlier calls have shown that one batch has them.

    The GPU searches while its sources are checked and outputs are made: nothing else should come
    before this.  Whoever goes no further gives it up.
    """
    data, given = call.data, call.given
    k = given.shape[0]
    if data.derived.frontier_sizes is None or not k or call.batch is not None:
        return None
    joint = joint_searches(call)
    if joint.batch_size(k) < k or not searches_meet(data, k):
        return None
    sources = given if isinstance(given, np.ndarray) else given.array
    return joint.begin(data, sources, call.max_depth, call.direction)


def prepare(call: Arguments, result: BFSManyResult, begun: Any = None) -> Prepared:
    """Take the engine's searches of the matrix, see what fits, make outputs.

    Parameters
    ----------
    call : Arguments
    result : BFSManyResult
    begun : optional
        What `begin` gave.

    Raises
    ------
    OutOfMemory
        When outputs, or the batch that was asked for, do not fit; before anything is made.
    """
    data = call.data
    engine = get_engine(call.device)
    single = searches_of(data, engine.searches)
    joint = joint_searches(call)
    pool = level_pool_of(data)
    request = ManyRequest(
        levels="levels" in call.outputs or "per_level" in call.outputs,
        level_sums="level_sums" in call.outputs,
        lists=any(name in COMPUTED for name in call.outputs),
        max_depth=call.max_depth,
        direction=call.direction,
        threads=call.threads,
        begun=begun,
    )
    batch = _batch_size(call, joint, request, pool)
    outputs = Outputs(call, result, pool)
    request.early_levels = outputs.early_levels()
    return Prepared(joint, single, request, outputs, batch)


def joint_searches(call: Arguments) -> ManySearches:
    """The engine's joint searches of the matrix, kept with it."""
    return many_searches_of(call.data, get_engine(call.device).many_searches)


def _batch_size(call: Arguments, joint: ManySearches, request: ManyRequest, pool: LevelPool) -> int:
    """Searches of a batch: what was asked for, or what suits; fewer where memory is short."""
    k, per_level = call.sources.shape[0], "per_level" in call.outputs
    outputs = _output_bytes(call)
    wanted = outputs + joint.needed(max(1, min(k, MOST_SEARCHES)), request)
    room = joint.room(wanted)
    if wanted > room:
        pool.clear()
        room = joint.room()
    check_outputs(call, room)
    batch = max(1, min(k, call.batch) if call.batch is not None else joint.batch_size(k))
    if per_level:
        # Whose levels are looked at later is held until then, in as few batches as can be.
        batch = max(1, min(k, MOST_SEARCHES if call.batch is None else call.batch))
    held = max(1, -(-k // batch)) if per_level else 1
    while (needed := held * joint.needed(batch, request)) > room - outputs:
        if batch <= 64 and call.batch is None and not per_level:
            return 1  # one search after another needs a third of that, and says so where it has not
        if batch <= 64 or per_level:
            searches = f"{k} searches, all held for per_level," if held > 1 else f"{batch} searches"
            raise OutOfMemory(
                f"sources: a batch of {searches} needs {needed:,} bytes "
                f"and {room - outputs:,} are free"
            )
        batch = max(64, batch // 128 * 64)
    return batch


def check_outputs(call: Arguments, room: int) -> None:
    """Refuse outputs that do not fit into so many bytes."""
    outputs = _output_bytes(call)
    if outputs > room:
        listed = "levels" in call.outputs and call.outputs["levels"] is None
        raise OutOfMemory(
            f"outputs: those of {call.sources.shape[0]} sources need {outputs:,} bytes and "
            f"{room:,} are free"
            + ("; sparse=True lists the levels of what is reached" if listed else "")
        )


def _output_bytes(call: Arguments) -> int:
    """Bytes of outputs that are yet to be made; levels in bytes."""
    k, n, wanted = call.sources.shape[0], call.data.nrows, call.outputs
    a_vertex = ("counts" in wanted) + 2 * ("level_sums" in wanted)
    levels = "levels" in wanted and wanted["levels"] is None and not call.sparse
    # On a GPU a file of parents is filled from there.
    in_memory = "parents" in wanted and (wanted["parents"] is None or call.device == "cuda")
    a_pair = levels + (call.data.indices.dtype.itemsize * in_memory)
    return n * (8 * a_vertex + k * a_pair)


def joined(call: Arguments, prepared: Prepared) -> bool:
    """Whether searches are joined: as asked for, else where one of them says that they meet."""
    if call.sources.shape[0] == 0 or "per_level" in call.outputs:
        return call.sources.shape[0] > 0
    if prepared.batch == 1 or call.batch is not None:
        return prepared.batch > 1
    data = call.data
    derived = data.derived
    if derived.frontier_sizes is None:
        if planner_many.joint_likely(data.nrows, data.nvals, prepared.batch):
            prepared.joint.expect(data, prepared.batch)
        made = _frontier_sizes(call, prepared.single)
        with keeping:
            if derived.frontier_sizes is None:
                derived.frontier_sizes = made
    return searches_meet(data, prepared.batch)


def _frontier_sizes(call: Arguments, single: Searches) -> Ints:
    """Vertices at every level of one search, from the vertex of most edges, whatever this call's
    limit: what is found is kept for others.

    Small graphs on a GPU are searched by the host, which has no layout of them to build, nor
    kernels to compile.
    """
    data = call.data
    if call.device == "cuda" and planner_many.shown_by_host(data.nvals):
        indptr, indices = on_host(data.indptr), on_host(data.indices)
        pattern = iso_array(np.ones(1, np.bool_), indices.shape[0])
        data = MatrixData(data.nrows, data.ncols, indptr, indices, pattern)
        single = searches_of(data, get_engine("cpu").searches)
    degrees = data.indptr[1:] - data.indptr[:-1]
    found = run_alone(single, data, int(degrees.argmax()), None, call.threads)
    level = on_host(found.array("levels"))
    return np.bincount(level[level >= 0])


def searches_meet(data: MatrixData, searches: int) -> bool:
    """Whether so many searches are better joined, by the levels of the one that is known."""
    derived = data.derived
    if derived.joint_pays is None:
        derived.joint_pays = {}
    known = derived.joint_pays.get(searches)
    if known is None:
        assert derived.frontier_sizes is not None
        known = planner_many.joint_pays(derived.frontier_sizes.tolist(), searches)
        derived.joint_pays[searches] = known
    return known
