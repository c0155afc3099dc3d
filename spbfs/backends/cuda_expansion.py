"""Level-synchronous breadth-first search on the GPU by pushing alone, a kernel a phase.

What `spbfs.expansion` names, as the papers have it: nothing is fused beyond what a name says.  The
host reads a level's counts once and decides the next launch by them; `cuda_bfs` has the search that
decides on the device.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from spbfs import expansion
from spbfs.backends.cuda_source import Specialisation
from spbfs.exceptions import InvalidValue
from spbfs.expansion import Expansion

__all__ = ["LevelSynchronousBFS", "Traversed", "specialisations"]

Array = Any

#: `struct Level`, `Control` and `Traversal` of ``expansion_state.cuh``.
LEVEL = np.dtype([("vertices", "u8"), ("edges", "u8"), ("slots", "u8")])
CONTROL = np.dtype(
    [
        ("level", LEVEL, 3),
        ("vertices", "u8"),
        ("edges", "u8"),
        ("depth", "i4"),
        ("barrier", "u4"),
    ]
)
_POINTERS = (
    "indptr indices sources visited levels parents vertices0 vertices1 edges0 edges1 "
    "origins0 origins1 prefix shift sums locations owners control"
).split()
TRAVERSAL = np.dtype(
    [(name, "u8") for name in _POINTERS]
    + [(name, "i8") for name in ("vertex_capacity", "edge_capacity", "small")]
    + [(name, "i4") for name in ("n", "source", "source_count", "depth", "max_depth", "culling")],
    align=True,
)

#: Threads of a CTA, edges of a section of the merge path, CTAs a multiprocessor (`kCta`, `kTile`,
#: the launch bounds), and how many CTAs may wait for a place: what waits goes where a place is
#: free, but every CTA has to start anew.
CTA, TILE, RESIDENT, WAITING = 256, 1024, 5, 8

#: C++ names of the strategies a CTA can do alone, and how many threads a row can keep busy.
TILED = {
    "thread": ("Groups<1>", 1),
    **{f"warp:{width}": (f"Groups<{width}>", width) for width in (2, 4, 8, 16, 32)},
    "cta": ("Cta", CTA),
    "scan": ("Scan", 1),
    "twc": ("Twc", 1),
}
PATHS = {
    "merge_path:separate": "Located",
    "merge_path:balanced_gather": "Gathered",
    "merge_path:balanced_redistribute": "Redistributed",
}
CULLING = {"none": 0, "warp": 1, "history": 2, "warp+history": 3, "atomic": 4}


@dataclass(frozen=True, slots=True)
class Traversed:
    """What a search went through.

    Parameters
    ----------
    depth : int
        Levels below the sources.
    vertices, edges : int
        Expanded, duplicates included: `edges` over the out-edges of the vertices reached is the
        redundant expansion factor.
    steps : tuple of (int, int, int, str)
        Level, vertices, edges and kernel of every launch that expanded; one for a run of small
        levels.
    """

    depth: int
    vertices: int
    edges: int
    steps: tuple[tuple[int, int, int, str], ...]


def _kernel(name: str, offset: str, strategy: str = "") -> Specialisation:
    arguments = ", ".join(filter(None, (offset, strategy)))
    return _module(f"{name}<{arguments}>", cooperative=name == "run_small")


def _module(*kernels: str, cooperative: bool = False) -> Specialisation:
    defines = (f"TRAVERSAL_BYTES={TRAVERSAL.itemsize}",)
    return Specialisation("expansion", kernels, defines, cooperative=cooperative)


def specialisations() -> Iterator[Specialisation]:
    """Every kernel, in both widths of offsets."""
    yield _module("start")
    for offset in ("int", "long long"):
        plain = ("contract", "collect", "path_sums", "path_rows", "locate")
        names = [f"{name}<{offset}>" for name in plain]
        for strategy in (*(cpp for cpp, _ in TILED.values()), *PATHS.values()):
            kernels = ["expand", "expand_contract"]
            if strategy not in PATHS.values():
                kernels += ["contract_expand", "run_small"]
            names += [f"{kernel}<{offset}, {strategy}>" for kernel in kernels]
        yield _module(*names)


def _pointer(array: Array | None) -> int:
    return 0 if array is None else int(array.data.ptr)


class LevelSynchronousBFS:
    """Searches of one graph in one of the published ways, with the queues they share.

    Parameters
    ----------
    n : int
        Vertices.
    indptr, indices : cupy.ndarray
        Rows of out-edges: n + 1 offsets, int32 or int64, and int32 neighbours.
    how : Expansion, optional
    """

    def __init__(self, n: int, indptr: Array, indices: Array, how: Expansion | None = None) -> None:
        import cupy as cp

        self.how = how or Expansion()
        self._n, self._indptr, self._indices = n, indptr, indices
        self._wide = indptr.dtype == np.int64
        self._offset = "long long" if self._wide else "int"
        self._sms = int(cp.cuda.Device().attributes["MultiProcessorCount"])
        organisation = self.how.organisation
        self._organisation = "hybrid" if organisation == "auto" else organisation
        self._arrays = self._allocate(cp)
        self._read = np.frombuffer(
            cp.cuda.alloc_pinned_memory(CONTROL.itemsize), dtype=CONTROL, count=1
        )
        self._argument = self._fill()
        self._steps: list[tuple[int, int, int, str]] = []

    def _allocate(self, cp: Any) -> dict[str, Array]:
        """Queues of as many kinds as the organisation keeps; edges of a level are those of the
        graph at most, once duplicates are out."""
        n = max(self._n, 1)
        organisation, strategy = self._organisation, self.how.strategy
        vertex_queues = 2 if organisation == "expand_contract" else 1
        edge_queues = 2 if organisation in ("contract_expand", "hybrid") else 1
        edges = n if organisation == "expand_contract" else max(int(self._indices.shape[0]), n)
        self._edge_capacity = edges
        self._most_edges = max(int(self._indices.shape[0]), n)
        arrays = {
            "visited": cp.empty(n // 32 + 1, dtype=cp.uint32),
            "control": cp.zeros(CONTROL.itemsize, dtype=cp.uint8),
        }
        for i in range(vertex_queues):
            arrays[f"vertices{i}"] = cp.empty(n, dtype=cp.int32)
        for i in range(edge_queues):
            arrays[f"edges{i}"] = cp.empty(edges, dtype=cp.int32)
            arrays[f"origins{i}"] = cp.empty(edges, dtype=cp.int32)
        if strategy == "auto" or strategy.startswith("merge_path"):
            arrays["prefix"] = cp.empty(n + 1, dtype=self._indptr.dtype)
            arrays["shift"] = cp.empty(n, dtype=self._indptr.dtype)
            arrays["sums"] = cp.empty(self._sms * RESIDENT, dtype=cp.int64)
        if strategy == "merge_path:separate":
            whole = max(int(self._indices.shape[0]), 1)
            arrays["locations"] = cp.empty(whole, dtype=self._indptr.dtype)
            arrays["owners"] = cp.empty(whole, dtype=cp.int32)
        return arrays

    def _fill(self) -> Any:
        argument = np.zeros((), dtype=TRAVERSAL)
        argument["indptr"], argument["indices"] = _pointer(self._indptr), _pointer(self._indices)
        for name, array in self._arrays.items():
            argument[name] = _pointer(array)
        for kind in ("vertices", "edges", "origins"):
            if f"{kind}1" not in self._arrays:
                argument[f"{kind}1"] = argument[f"{kind}0"]
        argument["n"] = self._n
        argument["vertex_capacity"] = max(self._n, 1)
        argument["edge_capacity"] = self._edge_capacity
        argument["small"] = expansion.SMALL_EDGES
        culling = self.how.culling
        argument["culling"] = CULLING["atomic" if culling == "auto" else culling]
        return argument

    @property
    def nbytes(self) -> int:
        """Bytes of queues and workspace; the graph and the outputs are the caller's."""
        return sum(int(array.nbytes) for array in self._arrays.values())

    def run(
        self,
        source: int | Array,
        levels: Array,
        parents: Array | None,
        *,
        max_depth: int = 2**31 - 2,
    ) -> Traversed:
        """Search on the current stream; the last level's count has been read when it returns.

        Parameters
        ----------
        source : int or cupy.ndarray
            A vertex, or distinct int32 vertices on the device; not checked.
        levels, parents : cupy.ndarray
            int32 outputs, one element a vertex, -1 where not reached; `parents` may be None.
        max_depth : int, optional
            Last level to reach.
        """
        for name, array in (("levels", levels), ("parents", parents)):
            if array is not None and (array.dtype != np.int32 or array.shape != (self._n,)):
                raise InvalidValue(
                    f"{name}: expected int32 of shape ({self._n},), "
                    f"got {array.dtype} of shape {array.shape}"
                )
        argument = self._argument
        argument["levels"], argument["parents"] = _pointer(levels), _pointer(parents)
        if isinstance(source, int | np.integer):
            argument["source"], argument["sources"], argument["source_count"] = source, 0, 1
        else:
            argument["sources"], argument["source_count"] = _pointer(source), source.shape[0]
        argument["depth"], argument["max_depth"] = 0, max_depth
        self._steps = []
        start = _module("start").load().get_function("start")
        start((self._grid(self._n, RESIDENT),), (CTA,), (argument,))
        if self._organisation == "expand_contract":
            depth = self._vertex_levels(max_depth)
        else:
            depth = self._edge_levels(int(argument["source_count"]), max_depth)
        return Traversed(
            depth=depth,
            vertices=sum(step[1] for step in self._steps),
            edges=sum(step[2] for step in self._steps),
            steps=tuple(self._steps),
        )

    # -- organisations ---------------------------------------------------------------------------

    def _vertex_levels(self, max_depth: int) -> int:
        """expand_contract: the host has the size of a vertex queue before it is expanded."""
        d = 0
        self._contract(0, int(self._argument["source_count"]))
        while True:
            vertices, edges = self._vertex_frontier(d)
            if vertices == 0:
                return d - 1
            if d == max_depth or edges == 0:
                return d
            self._expand("expand_contract", d, vertices, edges)
            d += 1

    def _edge_levels(self, slots: int, max_depth: int) -> int:
        """The three whose state between two levels is an edge queue, of `slots` entries."""
        d, fused = 0, self._organisation == "contract_expand"
        while True:
            small = self._organisation == "hybrid" and slots <= expansion.SMALL_EDGES
            if fused or small:
                d, slots = self._fused_levels(d, slots, small)
                if self._read["level"][0][(d - 1) % 3]["vertices"] == 0:
                    return d - 2
                if slots == 0:
                    return d - 1
                if slots <= self._edge_capacity:
                    continue
                d -= 1
                self._again(d)
            else:
                self._contract(d, slots)
            vertices, slots = self._vertex_frontier(d)
            if vertices == 0:
                return d - 1
            if d == max_depth or slots == 0:
                return d
            self._expand("expand", d, vertices, slots)
            d += 1

    def _fused_levels(self, d: int, slots: int, small: bool) -> tuple[int, int]:
        """One level of contract_expand, or as many as are small: the next level and its edges."""
        strategy = self.how.strategy
        if strategy not in TILED:
            strategy = expansion.strategy(0, 0, whole=False)
        kernel = "run_small" if small else "contract_expand"
        grid = self._sms if small else self._grid(slots, RESIDENT)
        self._launch(kernel, d, grid, TILED[strategy][0])
        control = self._counts()
        end = int(control["depth"]) if small else d + 1
        slots = int(control["level"][end % 3]["slots"])
        vertices = int((control if small else control["level"][d % 3])["vertices"])
        edges = int(control["edges"]) if small else slots
        self._steps.append((d, vertices, edges, f"{kernel} {strategy}"))
        return end, slots

    # -- launches --------------------------------------------------------------------------------

    def _grid(self, work: int, per_multiprocessor: int, unit: int = CTA) -> int:
        return max(1, min(-(-work // unit), self._sms * per_multiprocessor))

    def _launch(self, kernel: str, depth: int, grid: int, strategy: str = "") -> None:
        self._argument["depth"] = depth
        specialisation = _kernel(kernel, self._offset, strategy)
        function = specialisation.load().get_function(specialisation.kernels[0])
        function((grid,), (CTA,), (self._argument,))

    def _counts(self) -> Any:
        """The control block, once all that was launched is done."""
        import cupy as cp

        stream = cp.cuda.get_current_stream()
        pinned = self._read.ctypes.data
        self._arrays["control"].data.copy_to_host_async(pinned, CONTROL.itemsize, stream)
        stream.synchronize()
        return self._read[0]

    def _contract(self, depth: int, slots: int) -> None:
        self._launch("contract", depth, self._grid(slots, RESIDENT))

    def _vertex_frontier(self, depth: int) -> tuple[int, int]:
        """Vertices and out-edges of the vertex queue, made again where it overflowed."""
        level = self._counts()["level"][depth % 3]
        if level["vertices"] > self._n or level["edges"] > self._most_edges:
            self._again(depth)
            level = self._counts()["level"][depth % 3]
        return int(level["vertices"]), int(level["edges"])

    def _again(self, depth: int) -> None:
        """The vertex queue of `depth` from the labels, each vertex once."""
        control = self._arrays["control"][: 3 * LEVEL.itemsize].view(np.uint64).reshape(3, 3)
        control[depth % 3, :2] = 0
        control[(depth + 1) % 3] = 0
        self._launch("collect", depth, self._grid(self._n, RESIDENT))

    def _expand(self, kernel: str, depth: int, vertices: int, edges: int) -> None:
        """Expand a vertex queue by the strategy asked for, or by the one that suits it."""
        strategy = self.how.strategy
        if strategy == "auto":
            strategy = expansion.strategy(vertices, edges)
        if strategy in ("merge_path", "merge_path:hybrid"):
            strategy = "merge_path:" + expansion.coupling(vertices, edges, self.how.expand_factor)
        self._steps.append((depth, vertices, edges, f"{kernel} {strategy}"))
        if strategy in TILED:
            name, width = TILED[strategy]
            grid = self._grid(vertices * width, RESIDENT * WAITING)
            self._launch(kernel, depth, grid, name)
            return
        runs = self._grid(vertices, RESIDENT)
        self._launch("path_sums", depth, runs)
        self._launch("path_rows", depth, runs)
        tiles = self._grid(vertices + edges, RESIDENT * WAITING, TILE)
        if strategy == "merge_path:separate":
            self._launch("locate", depth, tiles)
        self._launch(kernel, depth, tiles, PATHS[strategy])
