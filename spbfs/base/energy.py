"""Joules of something that is done again and again, until a counter of energy has moved enough."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from operator import index
from typing import Any

from spbfs.base.energy_counters import EnergyCounter, NoCounter, counters_of
from spbfs.base.html import facts_and_table
from spbfs.base.progress import Progress, Report
from spbfs.base.wording import brief
from spbfs.exceptions import DomainMismatch, InvalidValue

__all__ = ["Energy", "measure_energy"]

#: Devices whose energy can be asked for.
_DEVICES = ("cpu", "cuda", "reference", "cpu+cuda")
#: Seconds between two looks at a counter while nothing is done.
_NAP = 0.001
#: Between two looks is run for as many times as long as a look takes: NVML takes milliseconds to
#: answer, in which searches of microseconds would be a small part of what is counted.
_BETWEEN = 20


@dataclass(frozen=True, slots=True, weakref_slot=True)
class Energy:
    """What a run takes, as counted; everything that an idle machine takes is in it.

    Attributes
    ----------
    joules : float or None
        Of one run; None where it could not be counted, and `reason` says why.
    seconds : float
        Of one run, among its repetitions.
    idle_watts : float or None
        What the same counters say while nothing runs.
    runs, steps : int
        How often it was run, and how often the counters moved meanwhile.
    counters : tuple of str
        What was counted.
    reason : str or None
        Why nothing was.
    """

    joules: float | None = None
    seconds: float = 0.0
    idle_watts: float | None = None
    runs: int = 0
    steps: int = 0
    counters: tuple[str, ...] = ()
    reason: str | None = None

    @property
    def watts(self) -> float | None:
        """Mean power of the runs."""
        return None if self.joules is None or not self.seconds else self.joules / self.seconds

    def _repr_html_(self) -> str:
        known = [
            ("joules", self.joules),
            ("seconds", self.seconds),
            ("watts", self.watts),
            ("idle watts", self.idle_watts),
        ]
        facts = [(name, "" if value is None else f"{value:.4g}") for name, value in known]
        facts += [("runs", f"{self.runs:,}"), ("counters", ", ".join(self.counters))]
        if self.reason is not None:
            facts.append(("reason", self.reason))
        return facts_and_table("Energy of a run", facts)

    def per_joule(self, work: float) -> float | None:
        """Work of one run a joule: of edges, TEPS a watt.

        Parameters
        ----------
        work : float
            Of one run.

        Returns
        -------
        float or None
            None where joules are not known, or none were counted.

        Examples
        --------
        >>> Energy(joules=0.5, seconds=0.01, runs=100).per_joule(2000)
        4000.0
        """
        return work / self.joules if self.joules else None

    def record(self, edges: int) -> dict[str, Any]:
        """What a program wants to know of it, as JSON types.

        Parameters
        ----------
        edges : int
            Of one run.

        Returns
        -------
        dict

        Examples
        --------
        >>> Energy(reason="no counter").record(2000)["energy_reason"]
        'no counter'
        """
        return {
            "joules": self.joules,
            "watts": self.watts,
            "idle_watts": self.idle_watts,
            "teps_per_watt": self.per_joule(edges),
            "energy_runs": self.runs,
            "energy_steps": self.steps,
            "energy_counters": list(self.counters),
            "energy_reason": self.reason,
        }


def measure_energy(
    run: Callable[[], Any],
    device: str = "cpu",
    *,
    steps: int = 20,
    most_seconds: float = 30.0,
    progress: bool | Progress | None = None,
) -> Energy:
    """Joules of one run of something, which is repeated until it can be told.

    Counters move in steps: NVML's about ten times a second, RAPL's a thousand times.  The clock
    starts when a counter moves and stops when it has moved `steps` times more, so that what is
    measured is wrong by about one part in `steps`, or by one run where that takes longer.

    Parameters
    ----------
    run : callable
        Without arguments.  It returns when the work is done: on CUDA it waits for it.
    device : {"cpu", "cuda", "cpu+cuda", "reference"}, optional
        Whose energy: of the CPU that of all packages and their memory (RAPL), of CUDA that of the
        whole current card (NVML), other programs' work included.
    steps : int, optional
        How often the counters have to move.
    most_seconds : float, optional
        When to give up; twice, as the idle machine is measured as well.
    progress : bool or callable, optional
        True shows a bar of the counters' moves, `steps` of the idle machine and as many while it
        runs; a function is called with moves, all of them, and 0.

    Returns
    -------
    Energy
        Without joules, and with the reason, where the machine shows no counter, it cannot be read,
        or it has not moved in time.

    Raises
    ------
    InvalidValue, DomainMismatch
        When an argument is not what is described above.

    Examples
    --------
    >>> import spbfs as sb
    >>> A = sb.generate.grid2d(30)
    >>> used = sb.measure_energy(lambda: sb.bfs(A, 0).seconds, steps=5)
    >>> (used.joules is None) == (used.reason is not None)
    True
    """
    if not callable(run):
        raise DomainMismatch(f"run: expected a function without arguments, got {brief(run)}")
    if not isinstance(device, str) or device not in _DEVICES:
        known = ", ".join(_DEVICES)
        raise InvalidValue(f"device: expected one of {known}, got {brief(device)}")
    moves = _at_least_one(steps)
    if isinstance(most_seconds, bool) or not isinstance(most_seconds, int | float):
        raise DomainMismatch(f"most_seconds: expected a number, got {brief(most_seconds)}")
    if not most_seconds > 0:
        raise InvalidValue(f"most_seconds: expected more than 0, got {most_seconds}")
    try:
        counters = counters_of(device)
        with Report(progress, 2 * moves, "measure_energy", "step") as report:
            return measure(run, counters, steps=moves, most_seconds=most_seconds, report=report)
    except NoCounter as absent:
        return Energy(reason=str(absent))


def _at_least_one(steps: Any) -> int:
    try:
        count = index(steps)
    except TypeError:
        raise DomainMismatch(f"steps: expected an integer, got {brief(steps)}") from None
    if isinstance(steps, bool) or count < 1:
        raise InvalidValue(f"steps: expected 1 or more, got {brief(steps)}")
    return count


def measure(
    run: Callable[[], Any],
    counters: Sequence[EnergyCounter],
    *,
    steps: int,
    most_seconds: float,
    clock: Callable[[], float] = time.monotonic,
    sleep: Callable[[float], None] = time.sleep,
    report: Report | None = None,
) -> Energy:
    """`measure_energy` with given counters; `NoCounter` where they do not do."""

    def total() -> float:
        return sum(counter.joules() for counter in counters)

    told = report or Report(None, None)
    limits = steps, most_seconds
    idle = _counted(lambda: sleep(_NAP), total, *limits, clock, lambda moves: told(moves, 0))
    used = _counted(run, total, *limits, clock, lambda moves: told(steps + moves, 0))
    return Energy(
        used.joules / used.runs,
        used.seconds / used.runs,
        idle.joules / idle.seconds,
        used.runs,
        steps,
        tuple(counter.name for counter in counters),
    )


@dataclass(frozen=True, slots=True)
class _Count:
    """All runs between the first move of a counter and the last."""

    joules: float
    seconds: float
    runs: int


def _counted(
    run: Callable[[], Any],
    total: Callable[[], float],
    steps: int,
    most_seconds: float,
    clock: Callable[[], float],
    moved: Callable[[int], None],
) -> _Count:
    begun, still = clock(), total()
    while (first := total()) == still:
        if clock() - begun > most_seconds:
            raise NoCounter(f"the counter has not moved in {most_seconds:g} seconds")
        run()
    started, last, moves, runs, look = clock(), first, 0, 0, 0.0
    at = started
    while moves < steps:
        looks = at + _BETWEEN * look
        while True:
            run()
            runs += 1
            if (asked := clock()) >= looks:
                break
        now, at = total(), clock()
        look = at - asked
        if now != last:
            moves, last = moves + 1, now
            moved(moves)
        if moves < steps and at - begun > most_seconds:
            raise NoCounter(
                f"the counter has moved {moves} times in {most_seconds:g} seconds, expected {steps}"
            )
    return _Count(last - first, at - started, runs)
