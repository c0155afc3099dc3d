"""What every rank of a job asserts, of any size; `test_processes` runs it with a folder."""

from __future__ import annotations

import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

import numpy as np
import pytest
from rank_graphs import CASES, matrix, spread

import spbfs as sb
from spbfs.distributed.exchange.mpi import ranks_of
from spbfs.exceptions import FileMissing, FormatError, InvalidValue, RankFailed

folder = Path(sys.argv[1])

with sb.distributed.job() as comm:
    ranks = ranks_of(comm)
    for name, cut in (("one vertex", "rows"), ("ladder down", "grid"), ("random 0", "rows")):
        n, edges = CASES[name]
        D = spread(ranks, n, edges, cut=cut)
        here = sb.bfs(D, n // 2)
        assert here.levels.gather().isequal(sb.bfs(matrix(n, edges), n // 2).levels), name
        sb.verify.bfs_tree(D, n // 2, here)

    # A file, each rank a slice of it; and one that all write.
    for file in ("graph.sg", "graph.el", "graph.csr", "graph.wel"):
        read = sb.distributed.read(folder / file, comm)
        whole = sb.read(folder / file)
        assert read.gather().isequal(whole, check_dtype=True), file
        assert read.local.nvals <= whole.nvals and read.nbytes > 0
    found = sb.bfs(read, 0)
    found.levels.to_file(folder / "levels.npy")
    comm.Barrier()
    assert (np.load(folder / "levels.npy") == found.levels.gather().to_dense(-1)).all()

    # What a result tells, at every rank; fewer vertices than ranks.
    whole_found = sb.bfs(whole, 0)
    assert np.array_equal(found.order, whole_found.order)
    deepest = int(found.order[-1])
    path = found.path_to(deepest)
    assert path[0] == 0 and path[-1] == deepest and len(path) == found.depth + 1
    assert sb.sssp(read, 0).distances.gather().isequal(sb.sssp(whole, 0).distances)
    single = sb.distributed.from_edges([], [], comm=comm, n=1)
    assert sb.components(single).gather().to_dict() == {0: 0}

    # Errors that all ranks have, whoever saw what is wrong; the job goes on.
    with pytest.raises(FileMissing):
        sb.distributed.read(folder / "none.sg", comm)
    with pytest.raises(FormatError):
        sb.distributed.read(folder / "broken.el", comm)
    with pytest.raises(InvalidValue, match="devices: expected one for each"):
        sb.distributed.read(folder / "graph.sg", comm, devices=["cpu"] * (comm.size + 1))
    with pytest.raises(sb.exceptions.BackendUnavailable):
        sb.distributed.read(folder / "graph.sg", comm, devices=["cpu"] * (comm.size - 1) + ["cuda"])
    function = sb.unary.register_anonymous(lambda x: x if x != 3 else int("three"))
    with pytest.raises((ValueError, RankFailed), match="three"):
        read.apply(function).new()
    assert sb.bfs(read, 0).reached == found.reached
    if comm.size > 1:
        with pytest.raises(InvalidValue, match="source: expected the same at every rank"):
            sb.bfs(read, 0 if comm.rank else 1 << 60)
        with pytest.raises(InvalidValue, match="vertex: expected the same at every rank"):
            found.path_to(comm.rank)
        with pytest.raises(InvalidValue, match="A: expected the same at every rank"):
            sb.pagerank(single if comm.rank else read)

        def tell(*args: object) -> None:
            raise ValueError("enough")

        with pytest.raises((ValueError, RankFailed), match="enough"):
            sb.pagerank(read, progress=tell if comm.rank else None)
        with pytest.raises(InvalidValue, match="path: expected the same at every rank"):
            sb.distributed.read(folder / f"graph.{'sg' if comm.rank else 'el'}", comm)
        with pytest.raises(InvalidValue, match="n: expected the same at every rank"):
            sb.distributed.from_edges([], [], comm=comm, n=comm.rank)
        version, sb.__version__ = sb.__version__, str(comm.rank)
        with pytest.raises(InvalidValue, match="__version__: expected the same"):
            sb.distributed.from_edges([], [], comm=comm, n=1)
        sb.__version__ = version
    if comm.rank == 0:
        time.sleep(3)  # the others tell that they wait at the end
with sb.distributed.job() as comm:
    assert sb.bfs(read, 0).reached == found.reached
    if comm.rank == 0:
        print("all is well at", comm.size)
