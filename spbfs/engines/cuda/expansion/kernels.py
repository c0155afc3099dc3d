"""Kernels of the level-synchronous searches by their C++ names, and what they share with Python."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from spbfs.engines.cuda.runtime.source import Specialisation

__all__ = [
    "CONTROL",
    "CTA",
    "CULLING",
    "LANES",
    "LEVEL",
    "PATHS",
    "QUEUES",
    "RESIDENT",
    "SUITED",
    "TILE",
    "TILED",
    "TRAVERSAL",
    "WAITING",
    "counted",
    "kernel",
    "specialisations",
]

#: `struct Level`, `Control` and `Traversal` of ``expansion_state.cuh``.
LEVEL = np.dtype([(name, "u8") for name in ("vertices", "edges", "slots", "longest")])
CONTROL = np.dtype(
    [("level", LEVEL, 3), ("vertices", "u8"), ("edges", "u8"), ("depth", "i4"), ("barrier", "u4")]
    + [("turns", [("taken", "u4"), ("written", "u4")], 2)]
)
_POINTERS = (
    "indptr indices sources visited levels parents vertices0 vertices1 edges0 edges1 "
    "origins0 origins1 prefix shift sums locations owners control"
).split()
#: `struct LaneCounts` of ``expand_counted.cuh``.
LANES = np.dtype([(name, "u8") for name in ("steps", "active", "taken", "sectors", "lines")])
_LONGS = "vertex_capacity edge_capacity small".split()
_INTS = "n source source_count depth max_depth culling width longest".split()
TRAVERSAL = np.dtype(
    [(name, "u8") for name in _POINTERS]
    + [(name, "i8") for name in _LONGS]
    + [(name, "i4") for name in _INTS]
    + [("lanes", "u8")],
    align=True,
)

#: Threads of a CTA, steps of a section of the merge path, CTAs a multiprocessor (`kCta`, `kTile`,
#: the launch bounds), and how many CTAs may wait for a place: what waits goes where a place is
#: free, but every CTA has to start anew.
CTA, TILE, RESIDENT, WAITING = 256, 2048, 5, 8

#: C++ names of the strategies: those that a CTA can do alone, and those of the merge path.
TILED = {
    "thread": "Groups<1>",
    **{f"warp:{width}": f"Groups<{width}>" for width in (2, 4, 8, 16, 32)},
    "cta": "Cta",
    "scan": "Scan",
    "twc": "Twc",
}
#: What a run of levels with few edges takes where no strategy is asked for that a CTA can do alone.
SUITED = "Suited"
#: Vertex queues and edge queues that an organisation keeps.
QUEUES = {
    "auto": (2, 0),
    "expand_contract": (2, 0),
    "contract_expand": (1, 2),
    "two_phase": (1, 1),
    "hybrid": (1, 2),
}
PATHS = {
    "merge_path:separate": "Located",
    "merge_path:balanced_gather": "Gathered",
    "merge_path:balanced_redistribute": "Redistributed",
}
#: Kernels of many levels, of one CTA a multiprocessor: every one more makes their barriers dearer.
COOPERATIVE = ("run_few", "run_small")
CULLING = {"none": 0, "warp": 1, "history": 2, "warp+history": 3, "atomic": 4}


def counted(strategy: str) -> str:
    """The C++ name of a strategy that counts what lanes do."""
    return f"Counted<{strategy}>"


def kernel(name: str, *arguments: str) -> Specialisation:
    """One kernel alone: a search compiles only what it runs."""
    expression = f"{name}<{', '.join(arguments)}>" if arguments else name
    stem = "expansion_in_order" if name.endswith("_in_order") else "expansion"
    return _module(expression, stem=stem, cooperative=name in COOPERATIVE)


def _module(*kernels: str, stem: str = "expansion", cooperative: bool = False) -> Specialisation:
    return Specialisation(stem, kernels, cooperative=cooperative)


def specialisations() -> Iterator[Specialisation]:
    """Every kernel, in both widths of offsets; of those that count, every strategy in one kernel
    and every kernel with one."""
    yield _module("start")
    for offset in ("int", "long long"):
        plain = ("contract", "collect", "path_sums", "path_rows", "locate")
        names = [f"{name}<{offset}>" for name in plain]
        for strategy in (*TILED.values(), *PATHS.values()):
            kernels = ["expand", "expand_contract"]
            if strategy not in PATHS.values():
                kernels += ["contract_expand", "run_small", "run_few"]
            names += [f"{kernel}<{offset}, {strategy}>" for kernel in kernels]
        yield _module(*names, f"run_few<{offset}, {SUITED}>")
        ordered = (f"expand_in_order<{offset}, {strategy}>" for strategy in TILED.values())
        yield _module(f"contract_in_order<{offset}>", *ordered, stem="expansion_in_order")
    every = (*TILED.values(), *PATHS.values())
    yield _module(*(f"expand<int, {counted(strategy)}>" for strategy in every))
    wide = ("expand", "expand_contract", "contract_expand", "run_small", "run_few")
    yield _module(*(f"{name}<long long, {counted('Twc')}>" for name in wide))
    yield _module(f"run_few<long long, {counted(SUITED)}>")
