"""What Python and the CUDA kernels share lies the same on both sides.

A kernel's struct is the definition.  Its header says, in a SHARED_STRUCT, its size and where the
fields are that the host knows; the compiler checks that, and these tests compare it with the dtypes
and constants of the launchers.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

import spbfs
from spbfs.engines.cuda.algorithms import (
    betweenness,
    colouring,
    components,
    maximal_independent_set,
    minimum_spanning_forest,
    pagerank,
    rows,
    triangles,
)
from spbfs.engines.cuda.bfs import state as search_state
from spbfs.engines.cuda.bfs.least_parents import CHUNK, CHUNK_BYTES, STATE_BYTES
from spbfs.engines.cuda.bfs_many import fused as many
from spbfs.engines.cuda.bfs_many import layout as many_layout
from spbfs.engines.cuda.bfs_many import results as many_results
from spbfs.engines.cuda.expansion import kernels as expansion
from spbfs.engines.cuda.graph import build as layout_build
from spbfs.engines.cuda.lookahead import kernels as ahead_kernels
from spbfs.engines.cuda.products import kernels
from spbfs.engines.cuda.rounds import changes
from spbfs.engines.cuda.runtime.launch import PADDING
from spbfs.planner.peers import MOST_PEERS

CUDA = spbfs.kernels_path() / "cuda"

_STRUCT = re.compile(r"^SHARED_STRUCT\((\w+), (\d+)((?:,?\s*FIELD\(.*?\))*)\);", re.M)
_FIELD = re.compile(r"FIELD\(([\w\[\]]+), (\d+)\)")

#: (bytes, offset by field) by (file, struct); "visited[1]" is called visited1, as in dtypes.
SHARED = {
    (path.name, name): (
        int(size),
        {re.sub(r"[\[\]]", "", field): int(at) for field, at in _FIELD.findall(fields)},
    )
    for path in sorted(CUDA.glob("*/*.cu*"))
    for name, size, fields in _STRUCT.findall(path.read_text("utf-8"))
}

#: Structs that the host knows field by field.
DTYPES = {
    ("bfs_state.cuh", "Search"): search_state.SEARCH,
    ("bfs_state.cuh", "Summary"): search_state.SUMMARY,
    ("bfs_peers.cuh", "Peers"): search_state.PEERS,
    ("bfs_many_state.cuh", "ManySearch"): many.MANY,
    ("bfs_many_planes.cuh", "ManyPlanes"): many_results.PLANES,
    ("bfs_layout_counts.cu", "LayoutCounts"): layout_build.COUNTS,
    ("bfs_many_cut.cu", "CutCounts"): many_layout.CUT_COUNTS,
    ("pagerank.cu", "Walk"): pagerank.WALK,
    ("changes.cu", "Changes"): changes.CHANGES,
    ("pagerank.cu", "WalkState"): pagerank.STATE,
    ("betweenness_state.cuh", "BetweennessState"): betweenness.STATE,
    ("maximal_independent_set.cu", "Drawn"): maximal_independent_set.DRAWN,
    ("expansion_state.cuh", "Control"): expansion.CONTROL,
    ("expansion_state.cuh", "Traversal"): expansion.TRAVERSAL,
    ("discovery.cuh", "Level"): expansion.LEVEL,
    ("expand_counted.cuh", "LaneCounts"): expansion.LANES,
}
#: Structs of which the host knows the size.
SIZES = {
    ("bfs_least_parents.cuh", "LeastParentsState"): STATE_BYTES,
    ("bfs_least_parents.cuh", "Chunk"): CHUNK_BYTES,
    ("bfs_peers.cuh", "Told"): search_state.TOLD_BYTES,
    ("bfs_peers.cuh", "Meeting"): search_state.MEETING_BYTES,
    ("colouring.cu", "ColouringState"): colouring.STATE_BYTES,
    ("components.cu", "ComponentsState"): components.STATE_BYTES,
    ("forest_listing.cuh", "ForestState"): minimum_spanning_forest.STATE_BYTES,
    ("mxm_members.cu", "OwnedEntries"): kernels.TASK_BYTES,
    ("pagerank_parts.cuh", "CutPart"): pagerank.PART_BYTES,
    ("triangles.cu", "TriangleState"): triangles.STATE_BYTES,
    ("rounds.cuh", "Rounds"): rows.STATE_BYTES,
    ("row_groups.cuh", "RowPart"): betweenness.PART_BYTES,
    ("work_items.cuh", "WorkItem"): rows.ITEM_BYTES,
    ("row_pieces.cuh", "RowPiece"): rows.PIECE_BYTES,
}
#: Structs for which the host has room to spare.
ROOM = {
    ("bfs_state.cuh", "Control"): search_state.CONTROL_BYTES,
    ("bfs_many_state.cuh", "ManyControl"): many_results.CONTROL_BYTES,
}
#: Structs that tests of their own are about.
OTHERS = {
    ("bfs_many_state.cuh", "Piece"),
    ("counts.cuh", "Totals"),
    ("lookahead_begin.cu", "LevelCounts"),
    ("semiring_sums.cuh", "Piece"),
}


def _constant(file: str, name: str) -> int:
    found = re.search(
        rf"constexpr int {name} = (\d+);", next(CUDA.glob(f"*/{file}")).read_text("utf-8")
    )
    assert found is not None, f"{file} has no {name}"
    return int(found[1])


def test_every_shared_struct_is_compared() -> None:
    assert set(SHARED) == {*DTYPES, *SIZES, *ROOM, *OTHERS}


def test_no_field_escapes_the_pattern() -> None:
    macros = "".join(path.read_text("utf-8") for path in CUDA.glob("*/*.cu*"))
    definition = (CUDA / "grid" / "shared_struct.cuh").read_text("utf-8")
    for word, found in (
        ("SHARED_STRUCT(", len(SHARED)),
        ("FIELD(", sum(len(fields) for _, fields in SHARED.values())),
    ):
        assert macros.count(word) - definition.count(word) == found


@pytest.mark.parametrize("struct", sorted(DTYPES), ids=" ".join)
def test_a_dtype_is_its_struct_field_for_field(struct: tuple[str, str]) -> None:
    dtype: Any = DTYPES[struct]
    size, fields = SHARED[struct]
    assert dtype.names is not None
    assert fields == {name: dtype.fields[name][1] for name in dtype.names}
    assert dtype.itemsize == size


@pytest.mark.parametrize("struct", sorted(SIZES), ids=" ".join)
def test_the_host_knows_the_size(struct: tuple[str, str]) -> None:
    assert SHARED[struct][0] == SIZES[struct]


@pytest.mark.parametrize("struct", sorted(ROOM), ids=" ".join)
def test_there_is_room(struct: tuple[str, str]) -> None:
    assert SHARED[struct][0] <= ROOM[struct]


def test_the_control_block_of_many_searches_begins_with_their_summary() -> None:
    _, fields = SHARED["bfs_many_state.cuh", "ManyControl"]
    dtype: Any = many.SUMMARY
    assert fields == {name: dtype.fields[name][1] for name in dtype.names}
    assert fields["depth"] == 0  # `ManyPlanes::depth` is the address of the block
    assert fields["bad_source"] == 4  # cleared there by `ManyBFS.summary`


def test_pieces_of_many_searches_are_two_words() -> None:
    """`cut_records` writes begin, and row with length in the upper half."""
    assert SHARED["bfs_many_state.cuh", "Piece"] == (16, {"begin": 0, "row": 8, "length": 12})


def test_counts_before_those_of_levels() -> None:
    assert SHARED["lookahead_begin.cu", "LevelCounts"] == (
        4 * ahead_kernels.HEADER,
        {"outside": 0, "seeds": 4},
    )


def test_totals_and_pieces_of_products() -> None:
    size, fields = SHARED["counts.cuh", "Totals"]
    assert (fields["found"], fields["edges"]) == (0, 8)  # what `Mailbox` copies
    package = Path(spbfs.__file__).parent  # read as text: its module imports CuPy
    sources = (path.read_text("utf-8") for path in package.rglob("*.py"))
    known = [int(n) for text in sources for n in re.findall(r"^TOTALS = (\d+)$", text, re.M)]
    assert known == [size]
    assert SHARED["semiring_sums.cuh", "Piece"][0] == kernels.PIECE_BYTES
    assert _constant("semiring_sums.cuh", "kLongRow") == kernels.LONG_ROW
    assert _constant("semiring_sums.cuh", "kPiece") == kernels.PIECE


def test_other_numbers_that_both_sides_know() -> None:
    assert _constant("bfs_least_parents.cuh", "kChunk") == CHUNK
    assert _constant("row_pieces.cuh", "kPieceEntries") == rows.PIECE_ENTRIES
    assert _constant("row_groups.cuh", "kPartEntries") == betweenness.PART_ENTRIES
    assert _constant("betweenness_state.cuh", "kSources") == betweenness.BATCH
    assert _constant("pagerank_parts.cuh", "kPartEntries") == 2 * pagerank.CUT_ENTRIES
    assert _constant("row_prefix.cuh", "kBlock") == layout_build.BLOCK
    assert _constant("bfs_peers.cuh", "kMostPeers") == MOST_PEERS
    assert _constant("row_prefix.cuh", "kSlabWidth") == PADDING
    assert _constant("bfs_many_planes.cuh", "kEmitThreads") == many_results.EMIT_THREADS
    assert _constant("expand_gather.cuh", "kCta") == expansion.CTA
    assert 8 * expansion.CTA == expansion.TILE  # kGather
