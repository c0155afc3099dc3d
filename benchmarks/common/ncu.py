"""Nsight Compute's counters of kernels, where it is installed and may read them."""

from __future__ import annotations

import csv
import subprocess
from collections.abc import Sequence
from pathlib import Path
from shutil import which

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
    """How ``ncu`` is called: clocks as they are, numbers without prefixes, a launch a kernel.

    Parameters
    ----------
    program : sequence of str
    kernels : str
        A regular expression of their names without template arguments.
    metrics : sequence of str
    """
    options = ["--clock-control", "none", "--csv", "--print-units", "base"]
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
    program: Sequence[str], kernels: str, metrics: Sequence[str], folder: Path, timeout: float = 240
) -> Counters | str:
    """The counters of a program that is run from `folder`, or why there are none."""
    if which("ncu") is None:
        return "ncu is not installed"
    try:
        run = subprocess.run(
            command(program, kernels, metrics),
            cwd=folder,
            capture_output=True,
            text=True,
            timeout=timeout,
        )
    except subprocess.TimeoutExpired:
        return f"ncu took more than {timeout:.0f} s"
    found = parse(run.stdout)
    if found and run.returncode == 0:
        return found
    said = (run.stderr + run.stdout).strip().splitlines()
    return f"ncu: {said[-1] if said else 'no kernel was profiled'}"
