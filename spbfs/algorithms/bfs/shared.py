"""Graphs larger than one GPU's memory, made where they are searched."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

from spbfs.algorithms.bfs.arguments import as_peers
from spbfs.algorithms.bfs.request import as_request, noted
from spbfs.algorithms.bfs.result import BFSResult
from spbfs.base.html import facts_and_table, size
from spbfs.base.wording import brief
from spbfs.engines import get_engine
from spbfs.exceptions import InvalidCall, InvalidValue, VerificationError
from spbfs.objects.checks import as_size

__all__ = ["SharedGraph"]

#: Initiator of the Graph500 specification.
_GRAPH500 = (0.57, 0.19, 0.19)
_MOST_SCALE = 30


class SharedGraph:
    """A graph of which each of several GPUs has its share, and no memory the whole.

    `kronecker` makes one.  It is searched as a matrix is by ``bfs(A, source, devices=...)``; what
    is found stays on the GPUs until an output is asked for, which is then in memory of the host.
    """

    _entries: Any
    _gpus: tuple[int, ...]

    def __init__(self, *graph: Any, **options: Any) -> None:
        raise InvalidCall(
            "SharedGraph: made by SharedGraph.kronecker(scale, devices=[0, 1]) only; several GPUs "
            "search a matrix by bfs(A, source, devices=[0, 1])"
        )

    @classmethod
    def kronecker(
        cls,
        scale: int,
        edge_factor: int = 16,
        *,
        seed: int = 0,
        devices: Sequence[str | int],
    ) -> SharedGraph:
        """Graph500's Kronecker graph, which every GPU draws for itself some rows at a time.

        A GPU needs memory for its share, eight bytes an entry divided by the number of GPUs, for
        about 60 bytes a vertex that has entries and eight for all others, and little more while the
        share is made.  Where there is no room for all, entries that only a push reads, half of the
        share, are kept in pinned memory of the host.

        Parameters
        ----------
        scale : int
            The graph has ``2**scale`` vertices, at most 2**30.
        edge_factor : int, default 16
            Undirected edges drawn per vertex; loops are dropped and duplicates merged.
        seed : int, default 0
            Same seed, same graph, whatever the devices; another one than
            `spbfs.generate.kronecker` draws.
        devices : sequence of str or int
            GPUs of this machine, at least two, as for `bfs`.

        Returns
        -------
        SharedGraph

        Raises
        ------
        InvalidValue
            When an argument is out of range.
        BackendUnavailable
            When there are no such GPUs, or they cannot read each other's memory.
        OutOfMemory
            When a share does not fit.

        Examples
        --------
        >>> import spbfs as sb
        >>> G = sb.SharedGraph.kronecker(29, devices=[0, 1])  # doctest: +SKIP
        >>> found = G.bfs(7)  # doctest: +SKIP
        >>> G.verify(found)  # doctest: +SKIP
        """
        scale, edge_factor = as_size(scale, "scale"), as_size(edge_factor, "edge_factor")
        if scale > _MOST_SCALE:
            raise InvalidValue(f"scale: expected at most {_MOST_SCALE}, got {scale}")
        seed = as_size(seed, "seed")
        gpus = as_peers(devices, "cuda", {}, derives=False)
        if len(gpus) < 2:
            raise InvalidValue(f"devices: expected at least two GPUs, got {len(gpus)}")
        engine: Any = get_engine("cuda")  # none of the others has it
        entries = engine.shared_kronecker(scale, edge_factor << scale, seed, _GRAPH500)
        made = object.__new__(cls)
        made._entries, made._gpus = entries, gpus
        made.bfs(0, max_depth=0).depth  # noqa: B018  shares are made by a first search
        return made

    @property
    def nrows(self) -> int:
        """Vertices."""
        n: int = self._entries.n
        return n

    @property
    def nvals(self) -> int:
        """Stored entries: every undirected edge counts twice."""
        entries: int = self._entries.nvals
        return entries

    @property
    def nbytes(self) -> int:
        """Bytes of all shares, and of what searches need beside them."""
        nbytes: int = self._entries.nbytes
        return nbytes

    def bfs(
        self,
        source: int,
        *,
        levels: bool = True,
        parents: bool | Literal["any"] = True,
        max_depth: int | None = None,
        target: int | None = None,
        direction: Literal["auto", "push", "pull"] = "auto",
        trace: bool = False,
    ) -> BFSResult:
        """Search from a vertex, by all GPUs together; arguments and result as of `bfs`.

        Parameters
        ----------
        source : int
        levels, parents, max_depth, target, direction, trace : optional

        Returns
        -------
        BFSResult
            Levels and parents are brought to memory of the host when they are first asked for.

        Examples
        --------
        >>> import spbfs as sb
        >>> G = sb.SharedGraph.kronecker(29, devices=[0, 1])  # doctest: +SKIP
        >>> G.bfs(7).depth  # doctest: +SKIP
        8
        """
        asked: tuple[Any, ...] = levels, parents, max_depth, target, direction, None
        asked += "auto", "auto", "auto", None, 1, None, None, self._gpus, trace
        request, _ = as_request(source, self.nrows, ("cuda",), True, *asked)
        if not isinstance(request.source, int):
            raise InvalidValue(f"source: expected one vertex, got {brief(source)}")
        if request.parents == "min":
            raise InvalidValue("parents: expected 'any', True or False, got 'min'")
        return noted(request, self._entries.run(request), "cpu")

    def verify(self, found: BFSResult) -> None:
        """Check levels and parents that a search of this graph found, by the rules of Graph500.

        Every GPU goes through the edges that lead to its own vertices, where it has them, and reads
        what the others have found; `spbfs.verify.bfs_tree` names the rules.  Levels are checked
        once more by the edges as they are drawn, which says that shares have all of them.

        Parameters
        ----------
        found : BFSResult
            Of a search to its end, with levels and parents.

        Raises
        ------
        VerificationError
            At the first rule that is broken; the message says how often.

        Examples
        --------
        >>> import spbfs as sb
        >>> G = sb.SharedGraph.kronecker(29, devices=[0, 1])  # doctest: +SKIP
        >>> G.verify(G.bfs(7))  # doctest: +SKIP
        """
        check = getattr(found._found, "broken", None)
        if check is None:
            raise InvalidValue("found: expected what a search of this graph has found")
        broken = check()
        if broken:
            raise VerificationError(f"found: {broken}")

    def __repr__(self) -> str:
        return f"<SharedGraph {self.nrows} vertices, {self.nvals} entries, GPUs {self._gpus}>"

    def _repr_html_(self) -> str:
        facts = [
            ("vertices", f"{self.nrows:,}"),
            ("entries", f"{self.nvals:,}"),
            ("GPUs", ", ".join(map(str, self._gpus))),
            ("bytes on them", size(self.nbytes)),
        ]
        return facts_and_table("Graph shared by GPUs", facts)
