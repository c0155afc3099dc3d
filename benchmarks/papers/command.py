"""``python -m benchmarks papers``: what has no result yet is run, then all is written."""

from __future__ import annotations

import argparse
import math
import sys
import time
import traceback
from pathlib import Path

from benchmarks.papers.catalogue import PAPERS, chosen
from benchmarks.papers.figure import Figure, Setting
from benchmarks.papers.pages import BEGIN, END, ROOT, files, with_index
from benchmarks.papers.parts import Parts
from benchmarks.papers.results import load, path_of, save
from spbfs import set_rates

RESULTS = ROOT / "benchmarks" / "results" / "papers"
PAGES = ROOT / "docs" / "papers"
#: The project's first page, with a row a paper.
FIRST = ROOT / "README.md"


def add_options(p: argparse.ArgumentParser) -> None:
    p.set_defaults(module=__name__)
    p.add_argument("--paper", help=f"one of {', '.join(PAPERS)}; all by default")
    p.add_argument(
        "--figure", help="by number or name: 15, fig-15, table-1 or 18,19,21; all by default"
    )
    p.add_argument("--device", choices=["cpu", "cuda"], default="cpu")
    p.add_argument("--quick", action="store_true", help="small graphs, minutes on two cores")
    p.add_argument(
        "--seconds",
        type=float,
        default=math.inf,
        help="a figure begins no other graph after so long, and says which it left out",
    )
    p.add_argument(
        "--graphs",
        type=lambda names: tuple(names.split(",")),
        help="of figures that are made graph by graph: just these, HW,PK say, kept in the output's "
        "folder parts, and no result; in several processes, each with a GPU of its own",
    )
    p.add_argument(
        "--merge", action="store_true", help="such figures of what is kept, on any machine"
    )
    p.add_argument("--rates", help="rates file by which searches choose, of this machine")
    p.add_argument("--again", action="store_true", help="also what has a result of this version")
    p.add_argument("--pages", action="store_true", help="run nothing: plots and pages alone")
    p.add_argument(
        "--output",
        type=Path,
        default=RESULTS,
        help="folder for JSON and SVG, and, unless it is the default, for pages",
    )


def run(options: argparse.Namespace) -> list[Path]:
    """Run what is asked for and write plots and pages of all results there are."""
    options.output = options.output.resolve()
    wanted = chosen(options.paper, options.figure)
    if options.graphs or options.merge:
        wanted = _by_graph(wanted, options)
    set_rates(options.rates)
    failed: list[str] = []
    if not options.pages:
        failed = _run_each(_on(wanted, options), options)
    written = [] if options.graphs else write(options.output)
    if failed:
        raise SystemExit(f"{len(failed)} failed: {', '.join(failed)}; the others are written")
    return written


def write(output: Path) -> list[Path]:
    """Plots, pages, the index and the README's rows, of the results in a folder; the paths of what
    has changed."""
    own = output == RESULTS
    pages = PAGES if own else output
    wanted = files(output, pages)
    index = pages / "README.md"
    text = index.read_text(encoding="utf-8") if own else f"# Papers\n\n{BEGIN}{END}\n"
    wanted[index] = with_index(text, output, pages, index.parent)
    if own:
        text = FIRST.read_text(encoding="utf-8")
        wanted[FIRST] = with_index(text, output, pages, ROOT, short=True)
    written = []
    for path, content in wanted.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        if not path.exists() or path.read_text(encoding="utf-8") != content:
            path.write_text(content, encoding="utf-8")
            written.append(path)
    return written


def _on(wanted: tuple[Figure, ...], options: argparse.Namespace) -> list[Figure]:
    """Those that the device has; the program ends where one was named that it has not."""
    found = [figure for figure in wanted if options.device in figure.devices]
    if options.figure and not found:
        devices = ", ".join(wanted[0].devices)
        raise SystemExit(f"--device {options.device}: {wanted[0].name} runs on {devices}")
    return found


def _by_graph(wanted: tuple[Figure, ...], options: argparse.Namespace) -> tuple[Figure, ...]:
    """Those that are made graph by graph; the program ends where others were named."""
    found = tuple(figure for figure in wanted if options.device in figure.parts)
    others = [figure.name for figure in wanted if figure not in found]
    if not found or (options.figure and others):
        told = ", ".join(others)
        raise SystemExit(f"--device {options.device}: {told} is not made graph by graph")
    return found


def _run_each(wanted: list[Figure], options: argparse.Namespace) -> list[str]:
    """Run what has no result; the names of those that failed."""
    began, failed = time.perf_counter(), []
    for i, figure in enumerate(wanted, 1):
        name = f"{figure.paper} {figure.name}"
        path = path_of(options.output, figure, options.device, options.quick)

        def say(text: str, name: str = name, i: int = i) -> None:
            passed = time.perf_counter() - began
            done = f"[{i}/{len(wanted)} {passed:4.0f} s]"
            print(f"{done} {name}: {text}", file=sys.stderr, flush=True)

        if load(path) and not (options.again or options.graphs or options.merge):
            say("has a result")
            continue
        say(figure.title)
        start = time.perf_counter()
        again = options.again and not options.merge
        parts = Parts(options.output / "parts", options.device, again, options.merge)
        ends = start + options.seconds
        setting = Setting(
            options.device, options.quick, say, ends, graphs=options.graphs, parts=parts
        )
        try:
            found = figure.run(setting)
            if options.graphs:
                say("kept; --merge makes the figure of it")
            else:
                save(options.output, figure, setting, found, time.perf_counter() - start)
        except KeyboardInterrupt:
            write(options.output)
            raise SystemExit("stopped; the same command goes on where it was") from None
        except Exception as error:  # the others are not lost
            failed.append(name)
            at = traceback.extract_tb(error.__traceback__)[-1]
            place = f"{Path(at.filename).name}:{at.lineno}"
            say(f"failed at {place}, {type(error).__name__}: {error}")
    return failed
