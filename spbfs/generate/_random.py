"""Random graphs: R-MAT and its Graph500 setting, uniform, and small world."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from spbfs.exceptions import InvalidValue
from spbfs.generate._arguments import MAX_VERTICES, flag, integer, real, rng_of
from spbfs.generate._csr import directed_pattern, drawing, symmetric_pattern
from spbfs.objects.matrix import Matrix

__all__ = ["kronecker", "rmat", "small_world", "uniform"]

Edges = tuple[NDArray[Any], NDArray[Any]]

#: Edges drawn at a time: the arrays of a block stay in a core's second-level cache.
BLOCK = 1 << 16

#: Initiator of the Graph500 specification; what is left of 1 is the fourth quadrant, 0.05.
GRAPH500 = (0.57, 0.19, 0.19)

Seed = int | np.random.Generator


def kronecker(
    scale: int, edge_factor: float = 16, *, seed: Seed = 0, progress: bool | None = None
) -> Matrix:
    """A Graph500 Kronecker graph: power-law degrees, labels permuted at random.

    `rmat` with the parameters of the Graph500 specification (0.57, 0.19, 0.19, 0.05).

    Parameters
    ----------
    scale : int
        The graph has ``2**scale`` vertices, many of them isolated; at most 30.
    edge_factor : float, default 16
        Undirected edges drawn per vertex.  Self-loops are dropped and duplicates merged, so
        fewer are stored.
    seed : int or numpy.random.Generator, default 0
        Same seed, same graph.
    progress : bool, optional
        Whether to show how many edges are drawn: True, False, or where there is a terminal.

    Returns
    -------
    Matrix
        BOOL, ``2**scale`` square, symmetric.

    Raises
    ------
    InvalidValue
        `scale` or `edge_factor` is out of range.
    OutOfMemory
        The graph does not fit; raised before anything is drawn.

    References
    ----------
    Graph500 benchmark specification, section 4; Leskovec et al., "Kronecker graphs" (JMLR 2010).

    Examples
    --------
    >>> import spbfs
    >>> A = spbfs.generate.kronecker(10, seed=1)
    >>> A.shape
    (1024, 1024)
    """
    return rmat(scale, edge_factor, *GRAPH500, seed=seed, progress=progress)


def rmat(
    scale: int,
    edge_factor: float = 16,
    a: float = 0.57,
    b: float = 0.19,
    c: float = 0.19,
    *,
    seed: Seed = 0,
    directed: bool = False,
    progress: bool | None = None,
) -> Matrix:
    """A recursive-matrix (R-MAT) graph with permuted labels.

    Every edge falls, `scale` times over, into one of the four quadrants of the adjacency matrix:
    top left with probability `a`, top right `b`, bottom left `c`, else bottom right.

    Parameters
    ----------
    scale : int
        The graph has ``2**scale`` vertices; at most 30.
    edge_factor : float, default 16
        Edges drawn per vertex, before self-loops are dropped and duplicates merged.
    a, b, c : float
        Probabilities of the first three quadrants; together at most 1.
    seed : int or numpy.random.Generator, default 0
        Same seed, same graph.
    directed : bool, default False
        Keep edges as drawn; otherwise both directions of each are stored.
    progress : bool, optional
        Whether to show how many edges are drawn: True, False, or where there is a terminal.

    Returns
    -------
    Matrix
        BOOL, ``2**scale`` square.

    Raises
    ------
    InvalidValue
        An argument is out of range, or ``a + b + c`` exceeds 1.
    OutOfMemory
        The graph does not fit; raised before anything is drawn.

    References
    ----------
    Chakrabarti, Zhan, Faloutsos: R-MAT: a recursive model for graph mining (SDM 2004).

    Examples
    --------
    >>> import spbfs
    >>> A = spbfs.generate.rmat(8, 4, a=0.45, b=0.22, c=0.22, directed=True)
    >>> A.nrows
    256
    """
    scale = integer("scale", scale, 0, 30)
    edge_factor = real("edge_factor", edge_factor, 0, 2**20)
    a, b, c = (real(name, p, 0, 1) for name, p in (("a", a), ("b", b), ("c", c)))
    if a + b + c > 1 + 1e-9:
        raise InvalidValue(f"a + b + c must be at most 1, got {a + b + c:g}")
    rng = rng_of(seed)
    n = 1 << scale
    drawn = round(n * edge_factor)
    build = directed_pattern if flag("directed", directed) else symmetric_pattern
    blocks = drawing(_rmat_edges(rng, scale, drawn, (a, b, c)), drawn, progress)
    return build(n, blocks, drawn, f"rmat(scale={scale})")


def uniform(
    n: int,
    degree: float,
    *,
    seed: Seed = 0,
    directed: bool = False,
    progress: bool | None = None,
) -> Matrix:
    """A uniform random graph: both ends of every edge drawn evenly (Erdős-Rényi G(n, m)).

    Parameters
    ----------
    n : int
        Number of vertices.
    degree : float
        Mean number of entries in a row, before self-loops are dropped and duplicates merged.
    seed : int or numpy.random.Generator, default 0
        Same seed, same graph.
    directed : bool, default False
        Keep edges as drawn; otherwise both directions of each are stored.
    progress : bool, optional
        Whether to show how many edges are drawn: True, False, or where there is a terminal.

    Returns
    -------
    Matrix
        BOOL, `n` square.

    Raises
    ------
    InvalidValue
        `n` or `degree` is out of range.
    OutOfMemory
        The graph does not fit; raised before anything is drawn.

    Examples
    --------
    >>> import spbfs
    >>> A = spbfs.generate.uniform(1000, 16, seed=3)
    >>> 14_000 < A.nvals <= 16_000
    True
    """
    n = integer("n", n, 0, MAX_VERTICES)
    degree = real("degree", degree, 0, max(0, n - 1))
    rng = rng_of(seed)
    directed = flag("directed", directed)
    drawn = round(n * degree) if directed else round(n * degree / 2)
    build = directed_pattern if directed else symmetric_pattern
    blocks = drawing(_uniform_edges(rng, n, drawn), drawn, progress)
    return build(n, blocks, drawn, f"uniform(n={n}, degree={degree:g})")


def small_world(
    n: int, k: int = 10, p: float = 0.1, *, seed: Seed = 0, progress: bool | None = None
) -> Matrix:
    """A Watts-Strogatz small world: a ring of near neighbours, some edges rewired at random.

    Parameters
    ----------
    n : int
        Number of vertices.
    k : int, default 10
        Every vertex starts joined to its `k` nearest on the ring; even, and less than `n`.
    p : float, default 0.1
        Probability that an edge's far end moves to a vertex drawn evenly from all others.  Where
        two edges come to coincide they are merged.
    seed : int or numpy.random.Generator, default 0
        Same seed, same graph.
    progress : bool, optional
        Whether to show how many edges are drawn: True, False, or where there is a terminal.

    Returns
    -------
    Matrix
        BOOL, `n` square, symmetric.

    Raises
    ------
    InvalidValue
        `k` is odd or not below `n`, or `p` is not a probability.
    OutOfMemory
        The graph does not fit; raised before anything is drawn.

    References
    ----------
    Watts, Strogatz: Collective dynamics of 'small-world' networks (Nature 393, 1998).

    Examples
    --------
    >>> import spbfs
    >>> spbfs.generate.small_world(100, k=4, p=0).nvals
    400
    """
    n = integer("n", n, 0, MAX_VERTICES)
    k = integer("k", k, 0, max(0, n - 1))
    if k % 2:
        raise InvalidValue(f"k must be even, got {k}")
    p = real("p", p, 0, 1)
    rng = rng_of(seed)
    what = f"small_world(n={n}, k={k})"
    drawn = n * (k // 2)
    return symmetric_pattern(n, drawing(_rewired_ring(rng, n, k, p), drawn, progress), drawn, what)


def _rmat_edges(
    rng: np.random.Generator, scale: int, drawn: int, abc: tuple[float, float, float]
) -> Iterator[Edges]:
    label = rng.permutation(np.arange(1 << scale, dtype=np.int32))
    a, ab, c_up_to = (np.float32(p) for p in np.cumsum(abc))
    for begin in range(0, drawn, BLOCK):
        size = min(BLOCK, drawn - begin)
        u, v = np.zeros(size, dtype=np.int32), np.zeros(size, dtype=np.int32)
        r = np.empty(size, dtype=np.float32)
        for _ in range(scale):
            rng.random(dtype=np.float32, out=r)
            down = r >= ab
            u <<= 1
            u |= down
            # Right in the second quadrant and the fourth: past an odd number of thresholds.
            v <<= 1
            v |= (r >= a) ^ down ^ (r >= c_up_to)
        yield label[u], label[v]


def _uniform_edges(rng: np.random.Generator, n: int, drawn: int) -> Iterator[Edges]:
    for begin in range(0, drawn, BLOCK):
        size = min(BLOCK, drawn - begin)
        yield rng.integers(n, size=size, dtype=np.int32), rng.integers(n, size=size, dtype=np.int32)


def _rewired_ring(rng: np.random.Generator, n: int, k: int, p: float) -> Iterator[Edges]:
    for begin in range(0, n, BLOCK):
        u = np.arange(begin, min(begin + BLOCK, n), dtype=np.int64)
        for step in range(1, k // 2 + 1):
            v = (u + step) % n
            moved = np.flatnonzero(rng.random(u.size) < p)
            # 1 to n - 1 places further round the ring: never a self-loop.
            v[moved] = (u[moved] + rng.integers(1, n, size=moved.size)) % n
            yield u, v
