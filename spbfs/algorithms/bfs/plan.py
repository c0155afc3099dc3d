"""Searches of one graph that share what they derive from it, and workspace."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from operator import attrgetter
from typing import Any, Literal, cast

from spbfs.algorithms.bfs.arguments import Vertex, Vertices, as_matrix, check_square
from spbfs.algorithms.bfs.request import as_request, noted
from spbfs.algorithms.bfs.result import BFSResult
from spbfs.algorithms.bfs.strategies import search_by
from spbfs.algorithms.named import labelled, numbers
from spbfs.algorithms.together import together
from spbfs.base.html import facts_and_table, size
from spbfs.base.memory import typed_refusals
from spbfs.base.tracing import untraced
from spbfs.engines import get_engine
from spbfs.engines.bfs import Searches, searches_elsewhere, searches_of
from spbfs.objects.operands.matrix_operand import MatrixOperand
from spbfs.objects.placement.residences import residences_of
from spbfs.planner.expansion import Expansion
from spbfs.planner.search import NeighbourOrder, Relabelling
from spbfs.storage.data import MatrixData

__all__ = ["BFSPlan", "searched"]


class BFSPlan:
    """Searches of one graph, with the workspace they share.

    The first run derives what searches of the graph share; after it a search allocates nothing,
    except outputs while the caller still holds those of an earlier run: a result's arrays are its
    own, and come back to the plan when the result and every vector taken from it are gone.  Any
    number of threads may use a plan at once; each search beyond the first has workspace of its own
    for as long as it runs.

    Parameters
    ----------
    A : Matrix, or anything that `Matrix.from_scipy` takes
        Square.  The plans of one `Matrix` share their workspace, and it is counted in ``A.nbytes``.

    Examples
    --------
    >>> import spbfs as sb
    >>> A = sb.Matrix.from_coo([0, 1, 1, 2], [1, 0, 2, 1], True, nrows=4, ncols=4)
    >>> plan = sb.BFSPlan(A)
    >>> [plan.run(s).depth for s in (0, 1)]
    [2, 1]
    """

    def __init__(self, A: Any) -> None:
        self._A = as_matrix(A)
        _searches_of(self._A)

    def __repr__(self) -> str:
        n, held = f"{self._A.nrows:,}", size(self.nbytes)
        return f"BFSPlan({n} vertices, {held} of workspace, on {self._A.device})"

    def _repr_html_(self) -> str:
        facts = [
            ("vertices", f"{self._A.nrows:,}"),
            ("device", self._A.device),
            ("bytes of workspace", size(self.nbytes)),
        ]
        return facts_and_table("Plan of breadth-first searches", facts)

    def __reduce__(self) -> Any:
        # Workspace is made again, as what a matrix keeps is.
        return BFSPlan, (self._A,)

    @property
    def nbytes(self) -> int:
        """Bytes of workspace held, and of outputs that came back; not the matrix.

        On CUDA the copies of the graph that searches read are workspace, too.
        """
        return _searches_of(self._A)[1].nbytes

    @partial(together, matrix_of=attrgetter("_A"))
    @typed_refusals
    def run(
        self,
        source: Vertices,
        *,
        levels: bool = True,
        parents: bool | Literal["any", "min"] = True,
        max_depth: int | None = None,
        target: Vertex | None = None,
        direction: Literal["auto", "push", "pull"] = "auto",
        threads: int | None = None,
        relabel: Relabelling = "auto",
        neighbours: NeighbourOrder = "auto",
        expansion: Expansion | str = "auto",
        strategy: str | Sequence[str] | None = None,
        interval: int = 1,
        part_edges: int | None = None,
        device: str | None = None,
        devices: Sequence[str | int] | None = None,
        trace: bool = False,
    ) -> BFSResult:
        """Search from a source; result and errors are those of `bfs`, too.

        Parameters
        ----------
        source : int or iterable of int
        levels, parents, max_depth, target, direction, threads : optional
        relabel, neighbours, expansion, strategy, interval, part_edges : optional
        device, devices, trace : optional
            As for `bfs`.

        Returns
        -------
        BFSResult

        Examples
        --------
        >>> import spbfs as sb
        >>> A = sb.Matrix.from_coo([0, 1, 1, 2], [1, 0, 2, 1], True)
        >>> plan = sb.BFSPlan(A)
        >>> [plan.run(source).depth for source in range(3)]
        [2, 1, 2]
        """
        labels = self._A.labels
        vertices: tuple[Any, Any] = (source, target)
        if labels is not None:
            vertices = numbers(source, labels, "source"), numbers(target, labels, "target")
        asked: tuple[Any, ...] = levels, parents, max_depth, vertices[1], direction, threads
        asked += relabel, neighbours, expansion, strategy, interval, part_edges
        asked += device, devices, trace
        found = searched(self._A, True, vertices[0], *asked)
        return found if labels is None else cast(BFSResult, labelled(found, labels))


def searched(A: MatrixOperand, planned: bool, source: Any, *asked: Any) -> BFSResult:
    """A search by the arguments of `BFSPlan.run`; `planned`: many are to be expected."""
    data, searches = _searches_of(A)
    home = A.device
    request, chooser = as_request(source, data.nrows, residences_of(A), planned, *asked)
    if chooser is not None:
        found, where = search_by(chooser, A, request)
        return noted(request, found, home, where)
    if request.device != home:
        searches = _elsewhere(data, home, request.device)
    if searches.rehearsals and not (request.devices or request.part_edges or request.expansion):
        _rehearse(A, searches, planned, *asked)
    found = searches.run(data, request)
    # What several GPUs find of a matrix in host memory is brought there when it is asked for.
    device = home if request.devices else request.device
    return noted(request, found, device, request.device)


def _rehearse(
    A: MatrixOperand,
    searches: Searches,
    planned: bool,
    levels: Any,
    parents: Any,
    max_depth: Any,
    target: Any,
    *how: Any,
) -> None:
    """Go the way of a search before the first: the driver brings code to the GPU when it is first
    launched, the interpreter makes quick what it has run, and behind all that was made everything
    takes twice as long.  It is waited for, as the layout is."""
    left, searches.rehearsals = searches.rehearsals, 0
    try:
        with untraced():
            while left:
                # No result is kept: of a large graph there may be no room for the outputs of two.
                _ = searched(A, planned, 0, levels, parents, 0, None, *how[:-1], False).reached
                left -= 1
    finally:
        searches.rehearsals = left


def _searches_of(A: MatrixOperand) -> tuple[MatrixData, Searches]:
    """What A stores now, and what searches of it share, which is kept with it."""
    data = A._ready()  # not `_data`: elements may be waiting to go into it
    check_square(data.nrows, data.ncols)
    return data, searches_of(data, get_engine(A.device).searches)


def _elsewhere(data: MatrixData, home: str, device: str) -> Searches:
    """The searches of a matrix on devices where it is not."""
    at_home, engine = get_engine(home), get_engine(device)
    return searches_elsewhere(data, lambda A: engine.searches_from_host(A, at_home.in_edges))
