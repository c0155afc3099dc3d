"""The rates of this machine: graphs made and searched while there is time, two models fitted."""

from __future__ import annotations

import datetime
import os
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, Literal

from spbfs.base.machine import this_machine
from spbfs.base.progress import progress_bar
from spbfs.base.threads import resolve_threads
from spbfs.base.wording import brief
from spbfs.calibration.cpu import cpu_calibration
from spbfs.calibration.cuda import cuda_calibration
from spbfs.calibration.levels import Measured, measured
from spbfs.calibration.switch import switch_rates
from spbfs.calibration.training import TrainingGraph, training_set
from spbfs.engines import get_engine
from spbfs.exceptions import DomainMismatch, InvalidValue
from spbfs.io.rates import write_rates
from spbfs.planner.calibrated import Calibration, Training
from spbfs.storage.arrays import Device

__all__ = ["calibrate"]

_DEVICES = ("cpu", "cuda", "cpu+cuda")
#: Graphs that are measured however short the time is: one of every kind, all small.
_LEAST_GRAPHS = 5


def calibrate(
    path: str | os.PathLike[str] | None = None,
    *,
    device: Literal["cpu", "cuda", "cpu+cuda"] = "cpu",
    seconds: float = 60.0,
    threads: int | None = None,
    progress: bool | None = None,
) -> Calibration:
    """Measure what searches cost on this machine, for `set_rates`.

    The training set of Zhang et al. (R-MAT graphs of 2^16 to 2^19 vertices, 20 draws of their
    probabilities each), grids, roads, uniform and small-world graphs are generated and searched in
    both directions, level by level.  Two models are fitted to the levels: the paper's averages, and
    a price for every kind of thing that a level looks at, by which the planner goes.  The result
    says how well each one tells and chooses.

    Parameters
    ----------
    path : str or os.PathLike, optional
        The rates file to write, whole or not at all; None: none.
    device : {"cpu", "cuda", "cpu+cuda"}, optional
        What to measure.
    seconds : float, optional
        How long that may take, on each device.  Graphs that would take longer are left out; one
        small graph of each kind is measured in any case.
    threads : int, optional
        Of the CPU.  Default: as for a search.
    progress : bool, optional
        Whether to show progress: True, False, or where there is a terminal.

    Returns
    -------
    Calibration

    Raises
    ------
    InvalidValue, DomainMismatch
        When an argument is not what is described above.
    BackendUnavailable
        When the device is not there.
    FileError
        When the file cannot be written.

    Examples
    --------
    >>> import spbfs as sb
    >>> found = sb.calibrate(device="cpu", seconds=0.1, progress=False)
    >>> found.cpu.rates.push_edge > 0, found.cuda is None
    (True, True)
    """
    if not isinstance(device, str) or device not in _DEVICES:
        known = ", ".join(_DEVICES)
        raise InvalidValue(f"device: expected one of {known}, got {brief(device)}")
    if isinstance(seconds, bool) or not isinstance(seconds, int | float):
        raise DomainMismatch(f"seconds: expected a number, got {brief(seconds)}")
    if not seconds > 0:
        raise InvalidValue(f"seconds: expected more than 0, got {seconds}")
    workers = resolve_threads(threads)
    devices: list[Any] = device.split("+")
    for one in devices:
        get_engine(one)
    made = {one: _calibrated(one, float(seconds), workers, progress) for one in devices}
    found = Calibration(
        _version(),
        datetime.datetime.now(datetime.UTC).date().isoformat(),
        this_machine(gpu="cuda" in devices),
        made.get("cpu"),
        made.get("cuda"),
        switch_rates() if len(devices) == 2 else None,
    )
    if path is not None:
        write_rates(path, found)
    return found


def _calibrated(device: Device, seconds: float, threads: int, progress: bool | None) -> Any:
    """The rates of one device."""
    graphs = training_set(device)
    searches, training = measure(graphs, device, seconds, threads, progress)
    fitted: Callable[..., Any] = cuda_calibration if device == "cuda" else cpu_calibration
    return fitted(searches, training)


def measure(
    graphs: Sequence[TrainingGraph],
    device: Device,
    seconds: float,
    threads: int,
    progress: bool | None,
) -> tuple[list[Measured], Training]:
    """Searches of as many of the graphs as there is time for."""
    begun = time.monotonic()
    searches: list[Measured] = []
    done = 0
    longest: dict[str, float] = {}
    bar = progress_bar(len(graphs), "graphs", f"calibrating {device}", progress)
    try:
        for place, (name, make) in enumerate(graphs):
            started = time.monotonic()
            # One like it took so long.
            kind = " ".join(name.split()[:2])
            ends = started - begun + longest.get(kind, 0.0)
            if place < _LEAST_GRAPHS or ends < seconds:
                searches += measured(name, make(), device, threads)
                done += 1
                longest[kind] = max(longest.get(kind, 0.0), time.monotonic() - started)
            if bar is not None:
                bar.update(1)
    finally:
        if bar is not None:
            bar.close()
    training = Training(
        graphs=done,
        asked=len(graphs),
        searches=len(searches),
        levels=sum(len(search.levels) for search in searches),
        seconds=time.monotonic() - begun,
        threads=threads,
    )
    return searches, replace(training, seconds=round(training.seconds, 3))


def _version() -> str:
    import spbfs

    return spbfs.__version__
