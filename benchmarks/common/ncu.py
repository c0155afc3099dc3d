"""Nsight Compute's counters of kernels, where it is installed and may read them."""

from __future__ import annotations

import csv
import os
import signal
import subprocess
from collections.abc import Sequence
from pathlib import Path
from shutil import which
from tempfile import TemporaryDirectory

__all__ = ["THREADS", "command", "counted", "parse"]

#: Instructions of warps, and the same times the threads that ran them, by predicates or without.
THREADS = (
    "smsp__inst_executed.sum",
    "smsp__thread_inst_executed.sum",
    "smsp__thread_inst_executed_pred_on.sum",
    "l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum",
    "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum",
)
Counters = dict[str, dict[str, float]]


def command(program: Sequence[str], kernels: str, metrics: Sequence[str]) -> list[str]:
    """How ``ncu`` is called: clocks and caches as they are, numbers without prefixes, a launch a
    kernel.

    What is asked of L1 and executed is the same whatever caches hold, so that they need not be
    flushed before every pass.

    Parameters
    ----------
    program : sequence of str
    kernels : str
        A regular expression of their names without template arguments.
    metrics : sequence of str
    """
    options = ["--clock-control", "none", "--cache-control", "none"]
    options += ["--csv", "--print-units", "base"]
    names = ["--kernel-name", f"regex:{kernels}", "--metrics", ",".join(metrics)]
    return ["ncu", *options, *names, *program]


def parse(text: str) -> Counters:
    """Sums over the launches of every kernel, by its name with template arguments.

    Examples
    --------
    >>> text = '''==PROF== Connected
    ... "ID","Kernel Name","Metric Name","Metric Value"
    ... "0","void expand<int>()","a.sum","1,200"
    ... "1","void expand<int>()","a.sum","3"
    ... '''
    >>> parse(text)
    {'void expand<int>()': {'a.sum': 1203.0}}
    """
    lines = text.splitlines()
    begins = [i for i, line in enumerate(lines) if line.startswith('"ID"')]
    found: Counters = {}
    if not begins:
        return found
    table = (line for line in lines[begins[0] :] if line.startswith('"'))
    for row in csv.DictReader(table):
        value = row["Metric Value"].replace(",", "")
        try:
            number = float(value)
        except ValueError:  # "n/a" and the like
            continue
        kernel = found.setdefault(row["Kernel Name"], {})
        kernel[row["Metric Name"]] = kernel.get(row["Metric Name"], 0.0) + number
    return found


def counted(
    program: Sequence[str],
    kernels: str,
    metrics: Sequence[str],
    folder: Path,
    timeout: float = 240,
) -> Counters | str:
    """The counters of a program that is run from `folder`, or why there are none."""
    if which("ncu") is None:
        return "ncu is not installed"
    # Whoever finds its lock in the temporary folder waits, be it for another GPU.
    with TemporaryDirectory(prefix="ncu-") as own:
        process = subprocess.Popen(
            command(program, kernels, metrics),
            cwd=folder,
            env={**os.environ, "TMPDIR": own},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )
        try:
            out, err = process.communicate(timeout=timeout)
        except subprocess.TimeoutExpired:
            return f"ncu took more than {timeout:.0f} s"
        finally:
            if process.poll() is None:  # the program that it runs as well
                os.killpg(process.pid, signal.SIGKILL)
                process.communicate()
    found = parse(out)
    if found and process.returncode == 0:
        return found
    said = (err + out).strip().splitlines()
    return f"ncu: {said[-1] if said else 'no kernel was profiled'}"
