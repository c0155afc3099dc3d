"""A graph on the disk against the same in memory: how it is made, what memory that takes, and
breadth-first searches.

A Kronecker graph (edge factor 16) as an edge list becomes a CSR folder by `sb.convert`, and a
matrix by `sb.read`; then it is searched from the same sources in memory, mapped by one native call,
and mapped part by part, with the folder in the page cache and without.
"""

from __future__ import annotations

import argparse
import multiprocessing
import os
import tempfile
import time
from collections.abc import Callable
from datetime import date
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np

import spbfs as sb
from benchmarks.common.machine import describe_machine
from benchmarks.common.peak import bytes_from_disk, peak_anonymous
from benchmarks.common.report import Report, method_lines, write

EDGE_FACTOR, SEED = 16, 1
PART_EDGES = 1 << 22

METHOD = {
    "graph": "sb.generate.kronecker(scale, 16, seed=1), each edge in both directions in the list",
    "edges": "stored entries of the rows reached, each direction of an edge one",
    "clock": "of the host, from a call to its complete result, levels and parents; of searches the "
    "least of the repeats from a source, and the mean of sources; a cold search is one, and the "
    "first, which checks what is mapped",
    "processor": "seconds of all threads together, the mean of repeats: other programs change it "
    "least",
    "memory": "the most anonymous memory beyond that before the call, looked at every millisecond; "
    "mapped files are not in it",
    "cold": "the folder's pages dropped (POSIX_FADV_DONTNEED) before a fresh process opens it",
    "processes": "each row in a process of its own",
}


def run(options: argparse.Namespace) -> list[Path]:
    """Measure all of it; the files written."""
    with tempfile.TemporaryDirectory(dir=options.folder) as folder:
        rows = _measured(Path(folder), options)
    report: Report = {
        "date": str(date.today()),
        "machine": describe_machine(),
        "load": os.getloadavg()[0],
        "method": METHOD,
        "scale": options.scale,
        "threads": options.threads,
        "rows": rows,
    }
    return write(report, options.output, "disk", _markdown)


def _measured(folder: Path, options: argparse.Namespace) -> list[dict[str, Any]]:
    text, made = folder / "kron.txt", folder / "kron.csr"
    sb.set_threads(options.threads)
    A = sb.generate.kronecker(options.scale, EDGE_FACTOR, seed=SEED)
    sb.write(text, A)
    filled = np.flatnonzero(np.diff(A.to_csr()[0]))
    sources = np.random.default_rng(SEED).choice(filled, options.sources).tolist()
    del A, filled
    rows = [
        _alone(_converting, text, made, options.memory, options.threads),
        _alone(_reading, text, options.threads),
    ]
    asked = made, sources, options.repeats, options.threads
    warm = ("in memory", "mapped", "mapped, by parts")
    rows += [_alone(_searching, how, *asked) for how in warm]
    for how in ("mapped", "mapped, by parts"):
        _drop_pages(made)
        rows.append(_alone(_searching, how, made, sources[:1], 1, options.threads, True))
    for row in rows:
        print({name: x for name, x in row.items() if name != "read"})
    return rows


def _alone(work: Any, *arguments: Any) -> dict[str, Any]:
    """What work returns that is done in a fresh process."""
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        row: dict[str, Any] = pool.apply(work, arguments)
    return row


def _converting(text: Path, made: Path, memory: int, threads: int) -> dict[str, Any]:
    what = f"convert, {memory >> 20} MiB"
    row = _made(what, threads, lambda: sb.convert(text, made, memory=memory))
    return {**row, "size": sum(p.stat().st_size for p in made.iterdir())}


def _reading(text: Path, threads: int) -> dict[str, Any]:
    held: list[sb.Matrix] = []
    row = _made("read", threads, lambda: held.append(sb.read(text)))
    return {**row, "size": held[0].nbytes}


def _made(what: str, threads: int, make: Callable[[], None]) -> dict[str, Any]:
    sb.set_threads(threads)
    with peak_anonymous() as peak:
        began, used = time.perf_counter(), time.process_time()
        make()
        seconds, used = time.perf_counter() - began, time.process_time() - used
    return {"what": what, "seconds": seconds, "processor": used, "peak": peak.bytes}


def _searching(
    how: str, made: Path, sources: list[int], repeats: int, threads: int, cold: bool = False
) -> dict[str, Any]:
    sb.set_threads(threads)
    parts = {"part_edges": PART_EDGES} if "parts" in how else {}
    # What is loaded once.
    import_module("spbfs.io.mapped.csr_folder")
    sb.bfs(sb.generate.path(9), 0, **parts)
    with peak_anonymous() as peak:
        began = time.perf_counter()
        A = sb.read(made) if how == "in memory" else sb.open_csr(made)
        opened, fetched = time.perf_counter() - began, bytes_from_disk()
        seconds, edges, looked_at, used = 0.0, 0, 0, time.process_time()
        for source in sources:
            times = []
            for _ in range(repeats):
                began = time.perf_counter()
                found = sb.bfs(A, source, trace="parts" in how, **parts)
                times.append(time.perf_counter() - began)
            seconds, edges = seconds + min(times), edges + found.edges
            looked_at += sum(step.read for step in found.trace or ())
            del found
        used = time.process_time() - used
    return {
        "what": f"search {how}" + (", cold, the first one" if cold else ""),
        "opened": opened,
        "seconds": seconds,
        "processor": used / repeats,
        "searches": len(sources),
        "edges": edges,
        "peak": peak.bytes,
        "looked at": looked_at,
        "fetched": bytes_from_disk() - fetched,
    }


def _drop_pages(folder: Path) -> None:
    for path in folder.iterdir():
        with open(path, "rb") as file:
            os.fsync(file.fileno())
            os.posix_fadvise(file.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)


def _markdown(report: Report) -> str:
    lines = [f"# A graph on the disk, {report['date']}", "", report["machine"] + "."]
    lines += [f"Scale {report['scale']}, {report['threads']} threads, load {report['load']:.1f}."]
    lines += ["", *method_lines(report), ""]
    lines += ["| what | s | processor, s | most memory, MB | result, MB |", "|---|" + "--:|" * 4]
    made = [row for row in report["rows"] if "size" in row]
    for row in made:
        sizes = f"{row['peak'] / 1e6:.0f} | {row['size'] / 1e6:.0f}"
        times = f"{row['seconds']:.2f} | {row['processor']:.2f}"
        lines.append(f"| {row['what']} | {times} | {sizes} |")
    names = ["what", "to open, s", "s a search", "processor, s a search", "MTEPS"]
    names += ["most memory, MB"]
    names += ["columns looked at a search, MB", "fetched from the disk, MB"]
    lines += ["", f"| {' | '.join(names)} |", "|---" + "|--:" * 7 + "|"]
    for row in report["rows"]:
        if "size" not in row:
            n = row["searches"]
            times = f"{row['seconds'] / n:.4f} | {row['processor'] / n:.4f}"
            speed = f"{row['edges'] / row['seconds'] / 1e6:.0f}"
            sizes = row["peak"], row["looked at"] / n, row["fetched"]
            shown = " | ".join(f"{size / 1e6:.0f}" for size in sizes)
            lines.append(f"| {row['what']} | {row['opened']:.3f} | {times} | {speed} | {shown} |")
    return "\n".join(lines) + "\n"
