"""Counters of energy: what a machine shows, and why where it shows none.

RAPL, of processors and their memory, is read from files of Linux; NVML, of a whole graphics card,
from the library that the driver brings.
"""

from __future__ import annotations

import ctypes
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

from spbfs.exceptions import BackendUnavailable

__all__ = ["EnergyCounter", "NoCounter", "NvmlCounter", "RaplCounter", "counters_of"]

#: Where Linux shows RAPL's zones, below the root of its file system.
_POWERCAP = Path("/sys/class/powercap")
#: Zones that count what no other one here does: "psys" has the processors in it, and cores and
#: graphics are parts of a package.
_COUNTED = ("package", "dram")
_NVML = "libnvidia-ml.so.1"


class NoCounter(Exception):
    """There is no counter, or it cannot be read; the message says which and why."""


class EnergyCounter(Protocol):
    """What counts the energy of a device."""

    @property
    def name(self) -> str:
        """Which counter it is."""

    def joules(self) -> float:
        """Joules since some time in the past; `NoCounter` where it cannot be read."""


@dataclass(slots=True)
class RaplCounter:
    """A zone of RAPL.  Its counter wraps around after minutes: whoever uses it reads it often."""

    folder: Path
    name: str
    _wraps_at: int = field(init=False)
    _last: int = field(init=False)
    _wrapped: int = field(default=0, init=False)

    def __post_init__(self) -> None:
        # One that does not say where it wraps around is believed not to.
        limit = self.folder / "max_energy_range_uj"
        self._wraps_at = self._number(limit) if limit.exists() else 0
        self._last = self._number(self.folder / "energy_uj")

    def joules(self) -> float:
        now = self._number(self.folder / "energy_uj")
        if now < self._last:
            if self._wraps_at < self._last:
                raise NoCounter(f"{self.name}: its counter went back from {self._last} to {now} uJ")
            self._wrapped += self._wraps_at
        self._last = now
        return (self._wrapped + now) * 1e-6

    def _number(self, path: Path) -> int:
        try:
            number = int(path.read_text(encoding="ascii"))
        except PermissionError:
            raise NoCounter(
                f"{self.name}: {path} is not readable by this user (many systems let only root)"
            ) from None
        except (OSError, ValueError) as error:
            raise NoCounter(f"{self.name}: {path} cannot be read ({error})") from None
        if number < 0:
            raise NoCounter(f"{self.name}: {path} says {number}")
        return number


class NvmlCounter:
    """The energy of a whole graphics card since its driver was loaded, in millijoules.

    Parameters
    ----------
    bus : str
        The card's address on the PCI bus: NVML and CUDA number cards differently.
    library : ctypes.CDLL, optional
        NVML.
    """

    def __init__(self, bus: str, library: Any = None) -> None:
        self.name = f"NVML {bus}"
        try:
            self._nvml = ctypes.CDLL(_NVML) if library is None else library
            self._nvml.nvmlErrorString.restype = ctypes.c_char_p
        except (OSError, AttributeError) as error:
            raise NoCounter(f"{self.name}: {_NVML} cannot be loaded ({error})") from None
        self._device = ctypes.c_void_p()
        self._call("nvmlInit_v2")
        self._call("nvmlDeviceGetHandleByPciBusId_v2", bus.encode(), ctypes.byref(self._device))
        self.joules()

    def joules(self) -> float:
        counted = ctypes.c_ulonglong()
        self._call("nvmlDeviceGetTotalEnergyConsumption", self._device, ctypes.byref(counted))
        return counted.value * 1e-3

    def _call(self, name: str, *arguments: Any) -> None:
        try:
            code = getattr(self._nvml, name)(*arguments)
        except AttributeError:
            raise NoCounter(f"{self.name}: this driver's NVML has no {name}") from None
        if code:
            said = self._nvml.nvmlErrorString(code)
            reason = said.decode(errors="replace") if said else f"error {code}"
            raise NoCounter(f"{self.name}: {name} says: {reason}")


def counters_of(
    device: str, *, powercap: Path = _POWERCAP, nvml: Any = None
) -> list[EnergyCounter]:
    """The counters of a device: of the CPU all packages and their memory, of CUDA the current card.

    Parameters
    ----------
    device : str
        "cpu" or "reference", "cuda", or several with "+" between.
    powercap : Path, optional
        Where RAPL's zones are.
    nvml : ctypes.CDLL, optional
        NVML.

    Raises
    ------
    NoCounter
        When one of them is missing: a sum without it would be wrong.
    """
    found: list[EnergyCounter] = []
    for one in device.split("+"):
        found += [NvmlCounter(_card(), nvml)] if one == "cuda" else _zones(powercap)
    return found


def _zones(powercap: Path) -> list[EnergyCounter]:
    named = []
    try:
        for folder in sorted(powercap.glob("intel-rapl:*")):
            name = (folder / "name").read_text(encoding="utf-8", errors="replace").strip()
            if name.startswith(_COUNTED):
                named.append((folder, f"{folder.name} {name}"))
    except OSError as error:
        raise NoCounter(f"RAPL: {error.filename} cannot be read ({error.strerror})") from None
    if not named:
        raise NoCounter(f"RAPL: this machine shows no counter of its processors in {powercap}")
    return [RaplCounter(folder, name) for folder, name in named]


def _card() -> str:
    """The address of CUDA's current device."""
    try:
        from cupy.cuda import runtime

        return str(runtime.deviceGetPCIBusId(runtime.getDevice()))
    except (ImportError, AttributeError, RuntimeError, BackendUnavailable) as error:
        raise NoCounter(f"NVML: no GPU to count the energy of ({error})") from None
