"""The layout of one GPU's share of a graph, where several search it together."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from spbfs.base.gpu_memory import release
from spbfs.engines.cuda.graph import shares
from spbfs.engines.cuda.graph.build import BLOCK, Builder, Share
from spbfs.engines.cuda.graph.layout import MOST_NARROW, SLAB_BYTES, Layout, numbered, prefix_width
from spbfs.engines.cuda.graph.shares import SPARE, EntryReader, Numbers
from spbfs.engines.cuda.runtime.pinned import empty_pinned
from spbfs.planner.peers import own_list_rows, run_shift
from spbfs.planner.residence import share_bytes
from spbfs.planner.search import NeighbourOrder, Relabelling
from spbfs.planner.search_cuda import GraphCounts, LayoutChoice, listed_rows, search_layout
from spbfs.storage.arrays import Memory

__all__ = ["lay_out_share"]

Array = Any

#: What is made when the layout is there.
_SEARCH = (
    "visited bits, two",
    "lists of finds, two",
    "rows of a frontier",
    "levels, two",
    "outputs, two",
)


def lay_out_share(
    read: Callable[[], EntryReader],
    place: int,
    gpus: int,
    *,
    relabel: Relabelling,
    neighbours: NeighbourOrder,
    to_host: Callable[[Array], Array],
    begin: Callable[[bool, LayoutChoice], None] | None = None,
) -> Layout:
    """The share of the current GPU in the layout that the planner chooses.

    Parameters
    ----------
    read : callable
        Gives the graph as this GPU reads it.
    place, gpus : int
        Which of how many GPUs this is.
    relabel, neighbours
        As `spbfs.bfs` has them.
    to_host : callable
        Brings an array that is the same on all of these GPUs to memory of the host that they read.
    begin : callable, optional
        As `lay_out` has it.
    """
    reader = read()
    n, entries = int(reader.bounds[0].shape[0]) - 1, reader.entries
    out, into = reader.bounds = _widened(reader.bounds, entries)
    build = Builder(out.dtype)
    wide = out.dtype == np.int64

    def choose(counts: GraphCounts) -> LayoutChoice:
        choice = search_layout(counts, relabel)
        if begin is not None:
            begin(wide, choice)
        return choice

    by_degree = None if neighbours == "auto" else neighbours == "degree"
    counts, _, kept, hubs, label, rank, order, _ = numbered(
        build, (out, into), None, entries, choose, by_degree
    )
    share = Share(run_shift(-(-kept // BLOCK), gpus), gpus, place)
    words = None
    if gpus == 1 and rank is not None and hubs < kept:
        words = build.words(rank, hubs)  # its results are by label
    degrees = build.lengths(out, label, kept)
    own = shares.own_labels(build, label, kept, share)
    lengths = build.lengths(out if into is None else into, own, share.of(kept))
    symmetric = into is None
    del own
    into_rows = shares.own_rows(
        build,
        reader,
        Numbers(rank, order[1], share),
        order[0],
        lengths,
    )
    del reader, read, out, into, lengths
    here = int(into_rows[1].shape[0])
    sizes = _Sizes(n, kept, gpus, build.offset.itemsize, label is not None)
    ranks, pushes = residence(sizes, here, release())
    if ranks == "pinned" and (words is not None or (rank is not None and gpus > 1)):
        rank = to_host(rank)
    if pushes == "device":
        out_indices = shares.padded(build.cp, here)
    else:
        out_indices = empty_pinned(here, np.dtype(np.int32))
    pushed = shares.turned(build, into_rows, kept, order, share, out_indices)
    del order
    first_labels = parents = None
    if label is not None:
        first_labels = build.prefix_labels(*into_rows, label)
        first_labels, parents = shares.by_id(build, first_labels, kept, share)
    width = prefix_width(label)
    row_prefix = build.row_prefix(*into_rows, width)
    slab = sizes.search(lean=ranks == "pinned") + sizes.slab + SPARE <= release()
    return Layout(
        n=kept,
        rows=counts.rows,
        caller_n=n,
        hubs=hubs,
        out_indptr=pushed[0],
        out_indices=pushed[1],
        in_indptr=into_rows[0],
        in_indices=into_rows[1],
        row_prefix=row_prefix,
        ell_slab=build.ell_slab(*into_rows, width) if slab else None,
        records=None,
        prefix_labels=first_labels,
        label=label,
        rank=rank,
        words=words,
        edges=entries,
        even=counts.even,
        symmetric=symmetric,
        share=share,
        degrees=degrees,
        parents=parents,
    )


def _widened(bounds: tuple[Array, Array | None], entries: int) -> tuple[Array, Array | None]:
    """Offsets of one type, in which every number of an edge that a search computes has room."""
    out, into = bounds
    if entries <= MOST_NARROW and (into is None or into.dtype == out.dtype):
        return bounds
    return tuple(x if x is None else x.astype("int64", copy=False) for x in bounds)  # type: ignore


class _Sizes:
    """What a GPU will have beside its entries, when it has the rows of its own vertices."""

    def __init__(self, n: int, kept: int, gpus: int, offset_bytes: int, relabelled: bool) -> None:
        self._of = n, kept, gpus, offset_bytes, relabelled
        self.rank = 4 * n if relabelled else 0
        self.slab = SLAB_BYTES * -(-kept // gpus)

    def search(self, lean: bool) -> int:
        """Bytes of a search and its outputs; `lean`: with shorter lists."""
        sizes = self._sizes(lean)
        return sum(sizes.get(name, 0) for name in _SEARCH)

    def pushed(self, lean: bool) -> int:
        """What is still to come before and with a search, but for the slab and entries."""
        sizes, kept = self._sizes(lean), self._of[1]
        # The order of neighbours goes before prefixes come.
        prefixes = sizes["row_prefix"] + sizes.get("prefix_labels and parents", 0)
        later = self.search(lean) + prefixes - 8 * kept
        return sizes["out_indptr"] + max(later, 4 * kept)

    def _sizes(self, lean: bool) -> dict[str, int]:
        n, kept, gpus, offset_bytes, relabelled = self._of
        listed = listed_rows(kept, pinned=lean)
        lists = own_list_rows(listed, -(-kept // gpus), gpus), listed
        return share_bytes(n, kept, gpus, lists, offset_bytes, relabelled)


def residence(sizes: _Sizes, entries: int, free: int) -> tuple[Memory, Memory]:
    """Where numbers by label and the entries that a push reads are kept, so many of these."""
    needed = 4 * entries + SPARE
    if needed + sizes.pushed(lean=False) <= free:
        return "device", "device"
    # A search asks for the numbers of its sources, and gathering for all of them, no more.
    fits = needed + sizes.pushed(lean=True) <= free + sizes.rank
    return "pinned", "device" if fits else "pinned"
