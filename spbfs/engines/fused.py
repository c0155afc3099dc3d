"""Algorithms that an engine runs in a call of its own, where the algebra takes rounds of products.

A field of `Fused` is None where an engine has no such call: the composed program of
``spbfs/algorithms`` runs then, on the same matrix.  What a call takes and gives is a protocol here;
arguments were checked above, matrices are as the protocol says, and arrays are the engine's.
`Told` is called at the end, and before that where the engine can: on the CPU ten times a second.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol

import numpy as np

from spbfs.base.progress import Told
from spbfs.engines.betweenness import Dependencies
from spbfs.engines.greedy import Colouring, IndependentSet, SmallestLast
from spbfs.engines.paths import (
    BfsDag,
    DistancesByPotential,
    DistancesFromEach,
    PathBetween,
    ShortestPaths,
    TopologicalLevels,
    WidestPaths,
)
from spbfs.engines.rounds import Recorder, Watcher
from spbfs.storage.data import MatrixData

__all__ = [
    "MANY_SWEEPS",
    "AcyclicReach",
    "Aim",
    "BfsOrder",
    "CommunityMoves",
    "Components",
    "CoreNumbers",
    "Csr",
    "Dijkstra",
    "Forest",
    "Fused",
    "MinimumSpanningForest",
    "Mirrored",
    "NumberedComponents",
    "Numbers",
    "Order",
    "PageRank",
    "Paths",
    "Scores",
    "SearchTree",
    "Triangles",
    "Truss",
    "Walk",
    "WeightedCsr",
]

Array = Any  # numpy.ndarray or cupy.ndarray
WeightedCsr = tuple[Array, Array, Array]  # offsets, columns, weights (float64)
Paths = tuple[Array, Array | None, Array | None]  # distances, predecessors, origins
Csr = tuple[Array, Array]  # offsets of the rows, columns of their entries
Order = tuple[Array, Array, Array | None]  # vertices in order, parents, levels
Numbers = tuple[int, Array]  # how many components there are, and everybody's


class AcyclicReach(Protocol):
    """Whom the vertices of a square matrix without cycles and loops reach, some hundred at once."""

    def __call__(self, A: MatrixData, own: Array) -> Callable[[int, int], MatrixData]:
        """A function of vertices `first` to `last`, without it: a matrix of a column for each of
        these, with an entry in the rows of all to which a path of one edge or more leads from it,
        and in its own where `own`, flags of the vertices, says so."""


class BfsOrder(Protocol):
    """A search with one queue, from distinct sources in range, along arrays that nobody checked."""

    def __call__(
        self,
        rows: Csr,
        columns: Csr | None,
        sources: Array,
        max_depth: int | None,
        levels: bool,
        nobody: int = -1,
    ) -> Order | None:
        """Vertices in the order in which they are found; parents, and levels where they are asked
        for, of all vertices: `nobody` and -1 where not reached, the parent of a source is itself.

        Behind a row the search follows the same row of `columns`, the transpose, where directions
        do not count.  None where the arrays are no CSR.
        """


class Mirrored(Protocol):
    """Whether a pattern is its own transpose, of arrays that nobody checked."""

    def __call__(self, rows: Csr) -> bool:
        """False also where rows are out of order, hold an entry twice or are no CSR."""


class Dijkstra(Protocol):
    """Searches for shortest paths along arrays that nobody checked, no weight negative or NaN."""

    def __call__(
        self,
        rows: WeightedCsr,
        columns: WeightedCsr | None,
        sources: Array,
        limit: float,
        *,
        nearest: bool,
        predecessors: bool,
        nobody: int,
    ) -> Paths | None:
        """Distances from each of the sources, a row each, or from the `nearest`; infinity where
        there is no path of at most `limit`.

        With `predecessors` these, and of the nearest source its number, `nobody` where none is.
        Behind a row a search follows the same row of `columns`, where directions do not count.
        None where the arrays are no CSR.
        """


class SearchTree(Protocol):
    """The edges by which a search found its vertices, along arrays that nobody checked."""

    def __call__(
        self, rows: WeightedCsr, parents: Array, start: int, directed: bool
    ) -> WeightedCsr | None:
        """They as rows with their weights, columns in order, offsets and columns int32.

        `parents` (int32) are negative for `start` and those not found.  Weights of an entry that
        occurs twice are added up; without directions the lesser of two that are not 0 counts.  None
        where the arrays are no CSR.
        """


class Components(Protocol):
    """Components of a square matrix: weak ones, its edges taken without direction, or strong."""

    def __call__(self, A: MatrixData, threads: int | None) -> Array:
        """The least vertex of everybody's component, int64."""


class NumberedComponents(Protocol):
    """Components along arrays that nobody checked: weak ones, or strong ones."""

    def __call__(self, rows: Csr, strong: bool) -> Numbers | None:
        """How many there are, and the number of everybody's, of the type of the columns.

        Weak ones are numbered in the order of their least vertices; strong ones as a depth-first
        search is done with them, which begins at vertex 0 and takes the last neighbour of a row
        first.  None where the arrays are no CSR, or columns of weak ones do not rise in a row.
        """


class Forest(NamedTuple):
    """Edges of a spanning forest, in any order: ends, weights, and each edge's place in the matrix.

    Where both directions have an entry it is that of the lesser weight, of equal ones that in the
    row of the lesser end.
    """

    low: Array
    high: Array
    weights: Array
    places: Array


class MinimumSpanningForest(Protocol):
    """The one forest of least weight of a square matrix, its edges taken without direction.

    Where weights are equal an edge is less whose lesser end is, or else whose greater end is.
    """

    def __call__(self, A: MatrixData, threads: int | None) -> Forest | MatrixData | None:
        """The edges chosen, or the matrix of them, both directions, where that is what the engine
        makes; None where a weight is NaN."""


class CoreNumbers(Protocol):
    """How far everybody is peeled, of a symmetric pattern whose loops are passed over."""

    def __call__(self, A: MatrixData, threads: int | None) -> Array:
        """The core number of every vertex, int64."""


class Triangles(Protocol):
    """Triangles of a symmetric pattern whose loops are passed over."""

    def __call__(self, A: MatrixData, threads: int | None, told: Told | None = None) -> Array:
        """How many every vertex is a corner of, int64; `told` of rows."""


class Truss(Protocol):
    """What is left of a symmetric pattern without loops when edges in few triangles go."""

    def __call__(self, A: MatrixData, least: int) -> Array:
        """Of every entry whether it is left, all of them being in `least` triangles of such ones or
        more."""


#: No community changes so often.
MANY_SWEEPS = 1 << 30


class Aim(NamedTuple):
    """What moves between communities are for, and when they end.

    They maximise `total` times the weight within communities, counted both ways, less `resolution`
    times the sum of the squares of the communities' degrees.
    """

    total: float
    resolution: float
    #: Of a sweep over all vertices, for another to follow.
    least_gain: float
    #: The most sweeps.
    sweeps: int


class CommunityMoves(Protocol):
    """Vertices that move to where they gain most, as long as they do."""

    def __call__(
        self,
        A: MatrixData,
        degrees: Array,
        classes: list[Array],
        labels: Array,
        aim: Aim,
        threads: int | None,
        told: Told | None = None,
    ) -> Array:
        """Everybody's community, int64, that is `labels` at first, from 0 to n - 1; `told` of
        sweeps.

        `A` has positive weights in FP64, symmetric, and no loops; `degrees` are the sums of its
        rows, with loops; `classes` are all vertices, those of one without edges between them.
        """


@dataclass(frozen=True, slots=True)
class Walk:
    """A random walk whose scores are asked for; arrays are float64, n long, and sum to 1."""

    damping: float
    #: Where it begins anew, and scores to begin with; None for everywhere alike, or as it begins.
    restart: Array | None
    start: Array | None
    #: What the weights of everybody's out-edges sum to; None where all edges are alike.
    weights: Array | None
    #: A round that changes less is the last one; None: all rounds are made.
    tolerance: float | None
    iterations: int
    dtype: np.dtype[Any]


class Scores(NamedTuple):
    """Scores of a walk, which sum to 1; rounds made, the last change, and whether it suffices."""

    values: Array
    rounds: int
    change: float
    converged: bool


class PageRank(Protocol):
    """Scores of a random walk along the edges of a square matrix."""

    def __call__(
        self, A: MatrixData, walk: Walk, threads: int | None, told: Told | None = None
    ) -> Scores:
        """As many rounds as the walk says; `told` of them."""


@dataclass(frozen=True, slots=True)
class Fused:
    """The calls that one engine has."""

    acyclic_reach: AcyclicReach | None = None
    colouring: Colouring | None = None
    bfs_dag: BfsDag | None = None
    bfs_order: BfsOrder | None = None
    community_moves: CommunityMoves | None = None
    components: Components | None = None
    strong_components: Components | None = None
    numbered_components: NumberedComponents | None = None
    minimum_spanning_forest: MinimumSpanningForest | None = None
    core_numbers: CoreNumbers | None = None
    dependencies: Dependencies | None = None
    dijkstra: Dijkstra | None = None
    distances_by_potential: DistancesByPotential | None = None
    distances_from_each: DistancesFromEach | None = None
    triangles: Triangles | None = None
    truss: Truss | None = None
    maximal_independent_set: IndependentSet | None = None
    mirrored: Mirrored | None = None
    smallest_last: SmallestLast | None = None
    pagerank: PageRank | None = None
    path_between: PathBetween | None = None
    recorder: Recorder | None = None
    search_tree: SearchTree | None = None
    shortest_paths: ShortestPaths | None = None
    topological_levels: TopologicalLevels | None = None
    watch: Watcher | None = None
    widest_paths: WidestPaths | None = None
