"""Joules of a run, from counters that are files and a library made up for the test."""

from __future__ import annotations

import ctypes
import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import spbfs as sb
from spbfs.base import energy_counters
from spbfs.base.energy import measure
from spbfs.base.energy_counters import NoCounter, NvmlCounter, RaplCounter, counters_of
from spbfs.exceptions import DomainMismatch, InvalidValue

KARATE = Path(__file__).parents[3] / "examples" / "data" / "karate.mtx"


def zone(root: Path, number: str, name: str, energy: object, limit: object = 1_000_000) -> Path:
    folder = root / f"intel-rapl:{number}"
    folder.mkdir(parents=True)
    (folder / "name").write_text(f"{name}\n")
    (folder / "energy_uj").write_text(f"{energy}\n")
    if limit is not None:
        (folder / "max_energy_range_uj").write_text(f"{limit}\n")
    return folder


class Nvml:
    """A library as ctypes shows one: 75 W idle, the counter moves every tenth of a second."""

    def __init__(self, fails: dict[str, int] | None = None) -> None:
        self.millijoules, self.calls, self.fails = 5000, [], fails or {}
        self.nvmlErrorString = lambda code: b"Not Supported" if code == 3 else None

        def called(name: str, work: Callable[..., None]) -> Callable[..., int]:
            def function(*arguments: Any) -> int:
                self.calls.append(name)
                if name in self.fails:
                    return self.fails[name]
                work(*arguments)
                return 0

            return function

        def handle(bus: bytes, device: Any) -> None:
            assert bus == b"0000:1B:00.0"
            device._obj.value = 77

        def energy(device: ctypes.c_void_p, counted: Any) -> None:
            assert device.value == 77
            counted._obj.value = self.millijoules

        self.nvmlInit_v2 = called("nvmlInit_v2", lambda: None)
        self.nvmlDeviceGetHandleByPciBusId_v2 = called("handle", handle)
        self.nvmlDeviceGetTotalEnergyConsumption = called("energy", energy)


def test_packages_and_their_memory_are_counted_once(tmp_path: Path) -> None:
    zone(tmp_path, "0", "package-0", 100)
    zone(tmp_path, "0:0", "core", 60)
    zone(tmp_path, "0:1", "dram", 20)
    zone(tmp_path, "1", "package-1", 200)
    zone(tmp_path, "2", "psys", 900)
    found = counters_of("cpu", powercap=tmp_path)
    assert [c.name.split()[1] for c in found] == ["package-0", "dram", "package-1"]
    assert sum(c.joules() for c in found) == pytest.approx(320e-6)


def test_a_counter_that_wraps_around_goes_on(tmp_path: Path) -> None:
    folder = zone(tmp_path, "0", "package-0", 999_990)
    counter = RaplCounter(folder, "package-0")
    before = counter.joules()
    for now in (10, 500_000, 20):
        (folder / "energy_uj").write_text(str(now))
        after = counter.joules()
    assert after - before == pytest.approx((2_000_000 + 20 - 999_990) * 1e-6)


def test_a_counter_that_goes_back_without_a_limit_is_refused(tmp_path: Path) -> None:
    folder = zone(tmp_path, "0", "package-0", 50, limit=None)
    counter = RaplCounter(folder, "package-0")
    (folder / "energy_uj").write_text("49")
    with pytest.raises(NoCounter, match="went back from 50 to 49"):
        counter.joules()


@pytest.mark.parametrize("energy", ["", "many", "-5", "1e3"])
def test_a_counter_that_makes_no_sense_is_refused(tmp_path: Path, energy: str) -> None:
    zone(tmp_path, "0", "package-0", energy)
    with pytest.raises(NoCounter, match=r"package-0: .*energy_uj"):
        counters_of("cpu", powercap=tmp_path)


def test_a_counter_that_nobody_may_read_is_said_to_be_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    zone(tmp_path, "0", "package-0", 1)
    secret = zone(tmp_path, "1", "package-1", 1) / "energy_uj"
    secret.chmod(0)
    if os.access(secret, os.R_OK):  # root reads everything
        read = Path.read_text

        def refused(path: Path, *args: Any, **options: Any) -> str:
            if path == secret:
                raise PermissionError(13, "Permission denied", str(path))
            return read(path, *args, **options)

        monkeypatch.setattr(Path, "read_text", refused)
    with pytest.raises(NoCounter, match=r"package-1: .* is not readable by this user"):
        counters_of("cpu", powercap=tmp_path)


def test_no_zones_are_no_counter(tmp_path: Path) -> None:
    zone(tmp_path, "0", "psys", 1)
    for root in (tmp_path, tmp_path / "absent"):
        with pytest.raises(NoCounter, match="shows no counter"):
            counters_of("cpu", powercap=root)


def test_the_card_is_asked_by_its_address() -> None:
    nvml = Nvml()
    counter = NvmlCounter("0000:1B:00.0", nvml)
    assert counter.joules() == 5.0
    nvml.millijoules += 2500
    assert counter.joules() == 7.5


@pytest.mark.parametrize(
    ("fails", "said"),
    [({"energy": 3}, "says: Not Supported"), ({"handle": 6}, "error 6"), ({"nvmlInit_v2": 9}, "9")],
)
def test_a_card_that_counts_nothing_says_why(fails: dict[str, int], said: str) -> None:
    with pytest.raises(NoCounter, match=said):
        NvmlCounter("0000:1B:00.0", Nvml(fails))


def test_a_library_that_is_not_there_or_lacks_a_function(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(energy_counters, "_NVML", "libspbfs-absent.so.1")
    with pytest.raises(NoCounter, match="cannot be loaded"):
        NvmlCounter("0000:1B:00.0")
    old = Nvml()
    del old.nvmlDeviceGetTotalEnergyConsumption
    with pytest.raises(NoCounter, match="has no nvmlDeviceGetTotalEnergyConsumption"):
        NvmlCounter("0000:1B:00.0", old)


class Machine:
    """A clock and a counter that moves every tenth of a second: 75 W, 300 W in a run."""

    name = "made up"

    def __init__(
        self, idle: float = 75.0, busy: float = 300.0, run: float = 0.004, look: float = 0.0
    ) -> None:
        self.idle, self.busy, self.now, self.used, self.shown, self.runs = idle, busy, 0.0, 0, 0, 0
        self.due, self.each, self.look = 0.1, run, look

    def spend(self, seconds: float, watts: float) -> None:
        self.now += seconds
        self.used += seconds * watts
        while self.now >= self.due:
            self.shown, self.due = self.used, self.due + 0.1

    def run(self) -> None:
        self.runs += 1
        self.spend(self.each, self.busy)

    def joules(self) -> float:
        self.spend(self.look, self.idle)
        return self.shown

    def measured(self, **options: Any) -> sb.Energy:
        return measure(
            self.run,
            [self],
            clock=lambda: self.now,
            sleep=lambda seconds: self.spend(seconds, self.idle),
            **{"steps": 20, "most_seconds": 30.0, **options},
        )


def test_a_run_is_repeated_until_the_counter_has_moved_enough() -> None:
    machine = Machine()
    used = machine.measured()
    assert used.joules == pytest.approx(0.004 * 300, rel=0.05)
    assert used.seconds == pytest.approx(0.004)
    assert used.watts == pytest.approx(300, rel=0.05)
    assert used.idle_watts == pytest.approx(75, rel=0.05)
    assert (used.steps, used.runs) == (20, 500) and machine.runs >= 500
    assert used.per_joule(1200) == pytest.approx(1000, rel=0.05)
    assert used.reason is None and used.counters == ("made up",)


def test_a_counter_that_is_slow_to_answer_is_asked_seldom() -> None:
    used = Machine(run=0.0001, look=0.003).measured()
    assert used.joules == pytest.approx(0.0001 * 300, rel=0.1)
    assert used.seconds == pytest.approx(0.0001, rel=0.1)


def test_a_counter_that_does_not_move_is_given_up() -> None:
    with pytest.raises(NoCounter, match="has not moved in 30 seconds"):
        Machine(idle=0.0).measured()
    with pytest.raises(NoCounter, match=r"moved [1-9] times in 1 seconds, expected 20"):
        Machine().measured(most_seconds=1)


@pytest.mark.parametrize(
    ("arguments", "error", "said"),
    [
        ({"run": 3}, DomainMismatch, "run: .*got 3"),
        ({"device": "tpu"}, InvalidValue, "device: .*got 'tpu'"),
        ({"device": None}, InvalidValue, "device: .*got None"),
        ({"steps": 0}, InvalidValue, "steps: .*got 0"),
        ({"steps": 1.5}, DomainMismatch, "steps: .*got 1.5"),
        ({"most_seconds": 0}, InvalidValue, "most_seconds: .*got 0"),
        ({"most_seconds": float("nan")}, InvalidValue, "most_seconds: .*got nan"),
        ({"most_seconds": "1"}, DomainMismatch, "most_seconds: .*got '1'"),
    ],
)
def test_arguments_are_checked(
    arguments: dict[str, Any], error: type[Exception], said: str
) -> None:
    with pytest.raises(error, match=said):
        sb.measure_energy(**{"run": lambda: None, **arguments})


def test_where_nothing_is_shown_the_reason_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        energy_counters.counters_of, "__kwdefaults__", {"powercap": tmp_path, "nvml": None}
    )
    used = sb.measure_energy(lambda: None)
    assert (used.joules, used.watts, used.per_joule(5)) == (None, None, None)
    assert used.reason is not None and "no counter" in used.reason


@pytest.mark.parametrize("command", ["bfs", "trace"])
@pytest.mark.parametrize("shown", [True, False])
def test_the_command_says_it(
    run: Any, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, command: str, shown: bool
) -> None:
    class Ticking:
        name, ticks = "ticking", 0

        def joules(self) -> float:
            self.ticks += 1
            return float(self.ticks)

    def counters(device: str) -> list[Any]:
        assert device == "cpu"
        return [Ticking()] if shown else counters_of(device, powercap=tmp_path)

    monkeypatch.setattr("spbfs.base.energy.counters_of", counters)
    arguments = (command, KARATE, "--source", 0, "--device", "cpu", "--energy")
    code, out, err = run(*arguments, "--json")
    assert (code, err) == (0, "")
    record = json.loads(out)
    if shown:
        # Between two looks it is run once, or more often where a look was slow.
        assert record["energy_steps"] == 20 and record["energy_runs"] >= 20
        assert record["joules"] == pytest.approx(record["energy_steps"] / record["energy_runs"])
        assert record["teps_per_watt"] == pytest.approx(record["edges"] / record["joules"])
        assert record["energy_counters"] == ["ticking"] and record["idle_watts"] > 0
    else:
        assert record["joules"] is None and "no counter" in record["energy_reason"]
    line = next(x for x in run(*arguments)[1].splitlines() if x.startswith("energy"))
    assert ("TEPS/W" in line and "idle" in line) if shown else "not known: RAPL" in line
