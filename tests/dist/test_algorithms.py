"""Every public algorithm over ranks finds what it finds in one process, or says that it does not.

Ranks are threads here; what an algorithm returns is brought to one place and compared.
"""

from __future__ import annotations

import dataclasses
import inspect
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import spbfs as sb
from spbfs.exceptions import InvalidValue, NotImplementedException

N = 40
Call = Callable[[sb.Matrix], Any]


def _graphs() -> dict[str, sb.Matrix]:
    rng = np.random.default_rng(1)
    rows, columns = rng.integers(0, N - 2, (2, 110))
    directed = sb.Matrix.from_coo(
        rows, columns, rng.integers(1, 9, 110), nrows=N, ncols=N, dup_op="min"
    )
    return {
        "directed": directed,
        "real": directed.apply("times", right=0.5).new(),
        "undirected": directed.ewise_add(directed.T, "min").new(),
        "acyclic": directed.select("triu", 1).new(),
        "empty": sb.Matrix(int, N, N),
    }


GRAPHS = _graphs()

#: Every algorithm, by name and arguments, and the graph it is called with.
FOUND: dict[str, tuple[str, Call]] = {
    "apsp": ("directed", lambda A: sb.apsp(A)),
    "betweenness": ("directed", lambda A: sb.betweenness(A)),
    "betweenness of a sample": ("directed", lambda A: sb.betweenness(A, samples=5)),
    "bfs": ("directed", lambda A: sb.bfs(A, 3, parents="min")),
    "bfs backward": ("directed", lambda A: sb.bfs(A.T, 3, parents="min")),
    "bfs of several": ("directed", lambda A: sb.bfs(A, [3, 9, 3], parents="min")),
    "bfs_dag": ("directed", lambda A: sb.bfs_dag(A, 3)),
    "bfs_many": (
        "directed",
        lambda A: sb.bfs_many(A, [3, 4], outputs=["level_sizes", "counts", "level_sums"]),
    ),
    "bfs_many, few": ("directed", lambda A: sb.bfs_many(A, [3, 4], sparse=True, max_depth=2)),
    "bfs_order": ("directed", lambda A: sb.bfs_order(A, 3)),
    "bfs_order both ways": ("directed", lambda A: sb.bfs_order(A, 3, directed=False)),
    "bipartite": ("undirected", lambda A: sb.bipartite(A)),
    "bipartite graph": ("acyclic", lambda A: sb.bipartite(A.select("colgt", 30).new())),
    "closeness": ("directed", lambda A: sb.closeness(A)),
    "closeness of a sample": ("directed", lambda A: sb.closeness(A, [3, 1], samples=7)),
    "colouring": ("undirected", lambda A: sb.colouring(A)),
    "colouring from the last": ("undirected", lambda A: sb.colouring(A, order="smallest_last")),
    "components": ("directed", lambda A: sb.components(A)),
    "components of vertices": ("empty", lambda A: sb.components(A)),
    "core_numbers": ("undirected", lambda A: sb.core_numbers(A)),
    "diameter_bounds": ("undirected", lambda A: sb.diameter_bounds(A)),
    "distances": ("directed", lambda A: sb.distances(A, [3, 4], sparse=True)),
    "eccentricity": ("directed", lambda A: sb.eccentricity(A)),
    "eigenvector": ("undirected", lambda A: sb.eigenvector(A, tolerance=1e-3)),
    "harmonic": ("directed", lambda A: sb.harmonic(A)),
    "harmonic of a sample": ("directed", lambda A: sb.harmonic(A, samples=7)),
    "hits": ("directed", lambda A: sb.hits(A)),
    "k_core": ("undirected", lambda A: sb.k_core(A, 2)),
    "k_core of most": ("undirected", lambda A: sb.k_core(A)),
    "katz": ("directed", lambda A: sb.katz(A, alpha=0.01)),
    "khop": ("directed", lambda A: sb.khop(A, 2, [1, 2])),
    "khop_sizes": ("directed", lambda A: sb.khop_sizes(A, 2)),
    "levels": ("directed", lambda A: list(sb.levels(A, 3))),
    "maximal_independent_set": ("undirected", lambda A: sb.maximal_independent_set(A)),
    "modularity": ("undirected", lambda A: sb.modularity(A, np.arange(N) % 3 - 1)),
    "modularity of a vector": (
        "undirected",
        lambda A: sb.modularity(A, sb.Vector.from_dense(np.arange(N) % 3, device=A.device)),
    ),
    "pagerank": ("directed", lambda A: sb.pagerank(A)),
    "pagerank by weight": ("directed", lambda A: sb.pagerank(A, weighted=True)),
    "pagerank of one": ("directed", lambda A: sb.pagerank(A, personalization={3: 1.0})),
    "pagerank from there": ("directed", lambda A: sb.pagerank(A, start=np.arange(1, N + 1) / N)),
    "preferential_attachment": ("undirected", lambda A: sb.preferential_attachment(A)),
    "shortest_path": ("real", lambda A: sb.shortest_path(A, 3, 9)),
    "shortest_path nowhere": ("real", lambda A: sb.shortest_path(A, 3, N - 1)),
    "shortest_path by edges": (
        "directed",
        lambda A: sb.shortest_path(A, 3, 9, weighted=False).length,
    ),
    "spanning_forest": ("undirected", lambda A: sb.spanning_forest(A)),
    "sssp": ("real", lambda A: sb.sssp(A, 3)),
    "sssp backward": ("real", lambda A: sb.sssp(A.T, 3)),
    "sssp of integers": ("directed", lambda A: sb.sssp(A, [3])),
    "sssp by edges": ("directed", lambda A: sb.sssp(A.apply(sb.unary.one[bool]).new(), 3)),
    "sssp of several": ("real", lambda A: sb.sssp(A, [3, 9, 3, N - 1])),
    "sssp within": ("real", lambda A: sb.sssp(A, [3, 9], limit=5)),
    "sssp up to one": ("real", lambda A: sb.sssp(A, 3, target=5)),
    "sssp, distances": ("real", lambda A: sb.sssp(A, 3, parents=False)),
    "sssp of vertices": ("empty", lambda A: sb.sssp(A, 3)),
    "sssp, a path": ("real", lambda A: sb.sssp(A, 3).path_to(9)),
    "sssp, the tree": ("real", lambda A: sb.sssp(A, 3).tree),
    "strong_components": ("directed", lambda A: sb.strong_components(A)),
    "topological_levels": ("acyclic", lambda A: sb.topological_levels(A)),
    "widest_path": ("real", lambda A: sb.widest_path(A, 3)),
    "widest_path of several": ("directed", lambda A: sb.widest_path(A, [3, 9])),
}

#: Those that ranks have not, and say so by their names.
REFUSED: dict[str, Call] = {
    "adamic_adar": lambda A: sb.adamic_adar(A),
    "clustering": lambda A: sb.clustering(A),
    "common_neighbours": lambda A: sb.common_neighbours(A, [(1, 2)]),
    "jaccard": lambda A: sb.jaccard(A),
    "k_truss": lambda A: sb.k_truss(A, 3),
    "label_propagation": lambda A: sb.label_propagation(A),
    "levels_many": lambda A: sb.levels_many(A, [3, 4]),
    "louvain": lambda A: sb.louvain(A),
    "minimum_spanning_forest": lambda A: sb.minimum_spanning_forest(A),
    "resource_allocation": lambda A: sb.resource_allocation(A),
    "transitive_closure": lambda A: sb.transitive_closure(A),
    "transitivity": lambda A: sb.transitivity(A),
    "triangles": lambda A: sb.triangles(A),
}

#: What is no algorithm of a graph, or not one of its entries, or is tried beside these.
OTHERS = set(
    """calibrate convert get_threads kernels_path lookahead loop measure_energy open_csr read
    repeat set_rates set_threads suggest_device trace write""".split()
)


def test_every_algorithm_is_here() -> None:
    public = {name for name in sb.__all__ if inspect.isfunction(getattr(sb, name))}
    tried = {name.split(" ")[0].rstrip(",") for name in FOUND} | REFUSED.keys()
    assert public == tried | OTHERS


def test_the_page_says_which_they_are() -> None:
    page = Path(__file__).parents[2] / "docs" / "how-to" / "cluster.md"
    rows = [line.split("|")[1:3] for line in page.read_text().splitlines() if line.startswith("|")]
    first = next(i for i, (head, _) in enumerate(rows) if "over ranks" in head)
    runs, refused = (
        set(re.findall(r"`(\w+)`", " ".join(side))) for side in zip(*rows[first + 1 :], strict=True)
    )
    assert runs == {name.split(" ")[0].rstrip(",") for name in FOUND}
    assert refused == {*REFUSED, "KHopIndex"}


def _plain(x: Any) -> Any:
    """What can be compared, of everything that an algorithm returns."""
    if isinstance(x, sb.Vector | sb.Matrix):
        x = x.gather()
        *at, values = x.to_coo()
        return x.shape, x.dtype.name, [a.tolist() for a in at], _plain(values)
    if isinstance(x, np.ndarray):
        return str(x.dtype), x.shape, x.tolist() if x.dtype.names else _rounded(x)
    if isinstance(x, float | np.floating):
        return _rounded(x)
    if isinstance(x, sb.BFSResult):
        return [x.reached, x.depth, x.edges, *map(_plain, (x.levels, x.parents, x.owners))]
    if isinstance(x, sb.SSSPResult):
        return [_plain(vector) for vector in (x.distances, x.parents, x.owners)]
    if isinstance(x, sb.BFSManyResult):
        x.seconds, x.batch, x.joint = 0.0, 0, 0
        for name in ("counts", "level_sums"):
            value = getattr(x, name)
            setattr(x, name, value.gather().to_dense() if isinstance(value, sb.Vector) else value)
        fields = (f.name for f in dataclasses.fields(x) if not f.name.startswith("_"))
        return {name: _plain(getattr(x, name)) for name in fields}
    if isinstance(x, tuple | list | Iterator):
        return [_plain(part) for part in x]
    return x


def _rounded(x: Any) -> Any:
    """Sums are rounded in another order."""
    values = np.asarray(x)
    if values.dtype.kind != "f" or not values.size:
        return values.tolist()
    return [f"{value:.6g}" for value in np.atleast_1d(values.ravel()).tolist()]


def spread(ranks: Any, A: sb.Matrix, **options: Any) -> sb.Matrix:
    """A matrix over ranks, of which this one gives some entries."""
    rows, columns, values = (array[ranks.rank :: ranks.size] for array in A.to_coo())
    return sb.distributed.from_edges(rows, columns, values, ranks, n=A.nrows, **options)


@pytest.mark.parametrize("name", FOUND)
def test_what_is_found_is_what_one_process_finds(name: str) -> None:
    graph, call = FOUND[name]
    one = _plain(call(GRAPHS[graph]))

    for size, options in ((1, {}), (2, {"cut": "grid"}), (3, {"hubs": 3})):

        def program(ranks: Any, options: Any = options) -> None:
            assert _plain(call(spread(ranks, GRAPHS[graph], **options))) == one

        sb.distributed.simulate(size, program)


@pytest.mark.parametrize("name", REFUSED)
def test_what_ranks_do_not_have_is_refused_by_its_name(name: str) -> None:
    def program(ranks: Any) -> None:
        D = spread(ranks, GRAPHS["undirected"])
        with pytest.raises(NotImplementedException, match=rf"^{name}: .* {name}\(A.gather\(\)\)"):
            REFUSED[name](D)

    for size in (1, 2, 3):
        sb.distributed.simulate(size, program)


def test_arguments_that_are_for_one_process() -> None:
    def program(ranks: Any) -> None:
        D = spread(ranks, GRAPHS["directed"])
        with pytest.raises(NotImplementedException, match="lengths from 0 over ranks, got -4"):
            sb.sssp(D.apply("minus", right=5).new(), 3)
        with pytest.raises(InvalidValue, match=r"checkpoint: expected None over ranks"):
            sb.closeness(D, checkpoint="sums.npz")
        with pytest.raises(InvalidValue, match=r"checkpoint: expected None over ranks"):
            sb.betweenness(D, checkpoint="sums.npz")
        with pytest.raises(InvalidValue, match=r"output: expected None over ranks"):
            sb.apsp(D, output="distances.npy")
        with pytest.raises(InvalidValue, match=r"out: expected None over ranks, got ndarray"):
            sb.distances(D, out=np.zeros((N, N), np.uint8))
        with pytest.raises(NotImplementedException, match=r"^KHopIndex: .*A.gather\(\)"):
            sb.KHopIndex(D, k=2)
        with pytest.raises(
            InvalidValue, match=r"^devices: expected None over ranks, got \['cpu'\]"
        ):
            sb.bfs_many(D, [3], devices=["cpu"])
        with pytest.raises(InvalidValue, match=r"^scheduler: expected None over ranks"):
            sb.closeness(D, scheduler="tcp://a:1")
        with pytest.raises(InvalidValue, match="'auto', 'composed'"):
            sb.components(D, method="fused")

    sb.distributed.simulate(2, program)


def test_a_length_that_is_none_is_named() -> None:
    A = GRAPHS["real"].dup()
    rows, columns, _ = A.to_coo()
    for wrong in (np.nan, -np.inf):
        A[rows[20], columns[20]] = wrong

        def program(ranks: Any, wrong: float = wrong) -> None:
            D = spread(ranks, A)
            place = rf"A: entry \({rows[20]}, {columns[20]}\) is {wrong}"
            with pytest.raises(InvalidValue, match=place):
                sb.sssp(D, 3)
            if np.isnan(wrong):
                with pytest.raises(InvalidValue, match=place):
                    sb.widest_path(D, 3)

        sb.distributed.simulate(3, program)
