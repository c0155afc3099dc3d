"""A kernel's stem is the same everywhere: kernels/cpu/*/X.cpp, kernels/cuda/*/X.cu, its launchers.

A stem that one engine alone has is listed here with the reason; a reason that holds no longer,
because the other engine has it now or it is gone, fails as well.
"""

from __future__ import annotations

import pytest

import spbfs
from spbfs import _cpu
from spbfs.engines.cuda.specialisations import specialisations

CPU_ONLY = {
    "bfs_resumed": "levels of a search that another goes on with; bfs.cu takes seeds itself",
    "bfs_as_given": "for arrays of the host; on a GPU they are copied anyway",
    "bfs_between": "two searches that end after few vertices, less than a launch takes",
    "bfs_dag": "the order of one queue is that of one thread; composed of products on a GPU",
    "bfs_listed": "on a GPU a launch takes as long as what little is reached",
    "bfs_one_host": "ranks that see one memory of the host; GPUs see one another's (bfs_peers.cuh)",
    "bfs_order": "the order of one queue is that of one thread; composed of products on a GPU",
    "bfs_ranks": "ranks with GPUs go level by level through products; flags cross between them",
    "bfs_many_int32": "bfs_many.cpp for one width of indices, so that no file takes minutes",
    "bfs_many_int64": "... for another",
    "bfs_many_int64_offsets": "... and for wide offsets alone",
    "block_operators": "operators of program.cpp; a CUDA kernel is compiled for its own",
    "community_moves": "composed of products on a GPU",
    "compress": "absent elements cost a GPU no more than others",
    "coo": "a matrix from entries in any order, which CuPy's sort makes on a GPU",
    "diagonal": "found by bisection; on a GPU all entries are looked at at once",
    "adjacency": "objects of Python's are made by the host",
    "dijkstra": "a queue is for one thread; rounds of products on a GPU",
    "dijkstra_between": "two searches that end after few vertices, less than a launch takes",
    "distances_by_potential": "a heap is for one thread",
    "edits": "copies between single entries; on a GPU whole matrices are written under a mask",
    "evaluate": "values two by two, which CuPy's element-wise kernels do on a GPU",
    "ewise": "unions and intersections, which the array engine makes over CuPy on a GPU",
    "ewise_dense": "the same of vectors with an element of memory for each of theirs",
    "extract": "a submatrix, which the array engine makes over CuPy on a GPU",
    "format": "text is written by the host",
    "hubs": "part of bfs_layout.cu",
    "kronecker": "which the array engine makes over CuPy on a GPU",
    "mapped": "files are mapped into memory of the host",
    "meetings": "of ranks that see one memory of the host; GPUs meet in bfs_meeting.cuh",
    "mxm_program": "mxm.cpp over operators that are programs; mxm.cu is compiled for them",
    "numbering": "vertices are dealt out to ranks by the host",
    "overlay": "sets of keys are united and cut by operations of arrays on a GPU",
    "operators": "types are told apart at run time; CUDA kernels are compiled for theirs on demand",
    "parse": "text is read by the host",
    "parse_adjacency": "text is read by the host",
    "parse_named": "text is read by the host",
    "path_lists": "objects of Python's are made by the host",
    "program": "users' operators as steps over blocks; a CUDA kernel is compiled for its own",
    "pull_blocks": "pull.cpp over operators called for a block; pull.cu is compiled for them",
    "pull_fp32": "pull.cpp for one type, so that no file takes minutes",
    "pull_fp64": "... for another",
    "pull_int32": "... for another",
    "pull_int64": "... for another",
    "relabel": "part of bfs_layout.cu",
    "scaled": "products with a diagonal, which take mxm.cu's way on a GPU",
    "search_edges": "the edges of bfs_order.cpp",
    "search_tree": "a tree along arrays of the host",
    "segment_sums": "the sums of pull_blocks.cpp",
    "select": "selections by position, which the array engine makes over CuPy on a GPU",
    "smallest_last": "composed of products on a GPU",
    "sssp_each": "many searches, a thread each; a GPU makes them one after the other",
    "sssp_edges": "rows as sssp.cpp reads them",
    "strong_components": "composed of products on a GPU",
    "threads": "how many threads the other kernels start",
    "topological_order": "the order of one queue is that of one thread",
    "transitive_closure": "vertices in topological order, one after the other",
    "transitive_reduction": "vertices in topological order, one after the other",
    "truss": "edges go one after the other; rounds of products on a GPU",
    "weighted_betweenness": "a heap is for one thread",
    "widest_paths": "a heap is for one thread; rounds of products on a GPU",
}
CUDA_ONLY = {
    "bfs_layout_counts": "what the form of a layout is chosen by; NumPy counts it on the CPU",
    "bfs_layout": "the graph as the fused search reads it: hubs.cpp, relabel.cpp and more",
    "bfs_layout_share": "what of it is one GPU's, of several that search together",
    "bfs_peers_check": "the same, checked where it was found",
    "bfs_peers_gather": "what these have found; threads of the CPU share their memory",
    "bfs_many_cut": "rows cut into pieces for CTAs; bfs_many.cpp takes them whole",
    "bfs_many_emit": "bits to levels; bfs_many.cpp writes levels as it goes",
    "bfs_many_parents": "parents from levels; bfs_many.cpp writes parents as it goes",
    "bfs_many_plain": "bits without what bfs_many.cu adds; CpuManySearches can leave that out",
    "bfs_many_sums": "bits to counts; bfs_many.cpp counts as it goes",
    "bfs_many_hubs": "hubs of sources, which NumPy finds on the host",
    "bfs_many_vertices": "the same of vertices, and those of a level",
    "bfs_least_parents": "least parents and owners, which bfs.cpp finds as it goes",
    "changes": "what a round changes, which the CPU compares as any vectors",
    "count": "flags and reached vertices counted, which NumPy does on the CPU",
    "expansion": "the published ways to push on a GPU, kept for comparison",
    "expansion_in_order": "the same with tiles in the order of the queue, a few at a time",
    "graph500": "edges drawn where they are searched; NumPy draws those of generate.kronecker",
    "hubs_first": "columns in an order of which L1 keeps more; a core of a CPU has a larger cache",
    "lookahead_begin": "a search computed before statements ask for its steps: its begin",
    "lookahead_counts": "... what the host knows of it",
    "lookahead_vectors": "... and the vectors that statements ask for",
    "marked_entries": "the CPU's forest is a list of edges",
    "mxm_long_rows": "columns as bits of shared memory; mxm.cpp has its caches",
    "mxm_lookups": "how many look-ups dots of rows take; mxm.cpp sums rows of the result",
    "mxm_members": "dots of rows, the longer of them as bits of shared memory",
    "mxm_moved_rows": "rows of room for all products moved together; workers of mxm.cpp have lists",
    "mxm_sizes": "rows by their products; mxm.cpp asks row by row",
    "mxm_sorted_rows": "short rows in registers; those of mxm.cpp are short_rows.h",
    "push_over_bus": "rows that cross a bus; push.cpp reads its own memory",
    "symmetric": "part of transpose.cpp",
}


def _stems(engine: str, suffix: str) -> set[str]:
    found = {path.stem for path in (spbfs.kernels_path() / engine).glob(f"*/*{suffix}")}
    return found - {"module"}  # which only registers the others


def test_stems_agree_but_for_those_with_a_reason() -> None:
    cpu, cuda = _stems("cpu", ".cpp"), _stems("cuda", ".cu")
    assert cpu - cuda == set(CPU_ONLY)
    assert cuda - cpu == set(CUDA_ONLY)


@pytest.mark.parametrize("stem", sorted(_stems("cpu", ".cpp") & _stems("cuda", ".cu")))
def test_a_shared_stem_is_launched_under_its_name(stem: str) -> None:
    if stem == "convert":
        pytest.skip("holds one small kernel for each pair of forms")
    kernels = {k.partition("<")[0] for s in specialisations() if s.stem == stem for k in s.kernels}
    assert any(kernel.startswith(stem) for kernel in kernels)
    assert any(name.startswith(stem) for name in dir(_cpu))
