"""What a search was asked for, checked; and what it found, told to a trace."""

from __future__ import annotations

from operator import is_
from typing import Any

from spbfs.algorithms.bfs.arguments import (
    as_depth,
    as_direction,
    as_expansion,
    as_neighbour_order,
    as_part_edges,
    as_peers,
    as_relabelling,
    as_searching_device,
    as_source,
    as_strategies,
    as_tree,
)
from spbfs.algorithms.bfs.result import BFSResult
from spbfs.base import tracing
from spbfs.base.threads import resolve_threads
from spbfs.engines import get_engine
from spbfs.engines.bfs import DIRECTIONS, SearchRequest, SearchResult
from spbfs.objects.checks import as_flag, as_index
from spbfs.objects.placement.devices import DEVICES
from spbfs.planner.lanes import total_use
from spbfs.planner.strategies import Chooser

__all__ = ["as_request", "noted"]


#: Of the arguments that say how to search, but for `devices` and `trace`, what nobody gave.
_HOW = (None, "auto", "auto", "auto", None, 1, None, None)


def as_request(
    source: Any, n: int, devices: tuple[str, ...], planned: bool, *asked: Any
) -> tuple[SearchRequest, Chooser | None]:
    """The arguments of a search of n vertices of a matrix on these devices, checked, and who
    chooses its strategies.

    How nobody said need not be checked: of a small graph a search takes no longer.
    """
    levels, parents, max_depth, target, direction, *how, peers, trace = asked
    (where, *elsewhere) = devices
    if elsewhere or where not in DEVICES or trace is not False or not all(map(is_, how, _HOW)):
        return _checked(source, n, devices, planned, *asked)
    at = as_source(source, n, where)
    request = SearchRequest(
        at,
        levels is True or as_flag(levels, "levels"),
        "any" if parents is True else as_tree(parents),
        None if max_depth is None else as_depth(max_depth),
        None if target is None else as_index(target, n, "target"),
        DIRECTIONS[0] if direction is DIRECTIONS[0] else as_direction(direction),
        None,
        "auto",
        False,
        planned,
    )
    request.device = where
    if peers is not None:
        derives = request.several or request.parents == "min"
        request.devices = as_peers(peers, where, {}, derives=derives)
        request.device = "cuda"
    return request, None


def _checked(
    source: Any,
    n: int,
    devices: tuple[str, ...],
    planned: bool,
    levels: Any,
    parents: Any,
    max_depth: Any,
    target: Any,
    direction: Any,
    threads: Any,
    relabel: Any,
    neighbours: Any,
    expansion: Any,
    strategy: Any,
    interval: Any,
    part_edges: Any,
    device: Any,
    peers: Any,
    trace: Any,
) -> tuple[SearchRequest, Chooser | None]:
    """The same, whatever they are."""
    others = {
        "direction": (direction, "auto"),
        "expansion": (expansion, "auto"),
        "part_edges": (part_edges, None),
        "device": (device, None),
        "devices": (peers, None),
    }
    spread = None if devices[0] in DEVICES else get_engine(devices[0]).spread
    if spread is None:
        chooser = as_strategies(strategy, interval, devices, others)
    else:
        chooser = as_strategies(strategy, interval, spread.devices, others, over_ranks=True)
    alone = {name: others[name] for name in ("expansion", "part_edges", "device")}
    where, tree = as_searching_device(device, devices[0], part_edges), as_tree(parents)
    # Before the first level of these the host looks at its vertices.
    read = chooser is not None or part_edges is not None
    at = as_source(source, n, where, read=read)
    several = not isinstance(at, int) and at.shape[0] > 1
    gpus = as_peers(peers, devices[0], alone, derives=several or tree == "min")
    if gpus:
        where = "cuda"
    request = SearchRequest(
        at,
        as_flag(levels, "levels"),
        tree,
        None if max_depth is None else as_depth(max_depth),
        None if target is None else as_index(target, n, "target"),
        as_direction(direction),
        None if threads is None else resolve_threads(threads),
        as_relabelling(relabel),
        as_flag(trace, "trace"),
        planned,
        as_expansion(expansion, where, direction, target),
        as_neighbour_order(neighbours),
        as_part_edges(part_edges, relabel, neighbours, expansion),
        where,
        gpus,
    )
    return request, chooser


def noted(
    request: SearchRequest, found: SearchResult, device: str, where: str | None = None
) -> BFSResult:
    """The result, told to a trace where there is one; its arrays may be on another device yet."""
    if tracing.current() is not None:
        _note(request, found, where or device)
    return BFSResult(found, device, where)


def _note(request: SearchRequest, found: SearchResult, device: str) -> None:
    """The line of a whole search in a trace."""
    sources = 1 if isinstance(request.source, int) else int(request.source.shape[0])
    tracing.record(direction=request.direction, kernel="bfs", frontier=sources, edges=found.edges)
    if request.expansion is not None and request.expansion.count_lanes:
        used = total_use(step.lanes for step in found.counts.trace or ())
        tracing.record(me=used.me, ua=used.ua, ur=used.ur)
    tracing.finish("bfs", device, found.counts.seconds, found.counts.reached)
