"""Rates files: what searches cost on a machine, as ``spbfs calibrate`` has measured it, in JSON.

One is read only where somebody names it, and as a stranger's: everything in it is checked before
anything is used, and one of another machine is refused.
"""

from __future__ import annotations

import json
import math
import os
from dataclasses import fields, is_dataclass
from typing import Any, NoReturn, TypeVar, get_type_hints

from spbfs.base.machine import this_machine
from spbfs.base.wording import brief
from spbfs.exceptions import BackendUnavailable, FormatError, InvalidValue
from spbfs.io.files.source import Source
from spbfs.planner import rates as planner
from spbfs.planner.calibrated import Calibration, CpuCalibration, CudaCalibration
from spbfs.planner.expansion import STRATEGIES
from spbfs.planner.rates import BUILT_IN, SearchRates, SwitchRates

__all__ = ["read_rates", "set_rates", "write_rates"]

#: The format's number: files of another one are refused.
VERSION = 2
#: Bytes of the largest file that is one, and the largest number in it: more than any
#: nanoseconds or edges a second there will be.
_LARGEST = 1 << 16
_MOST = 1e15
#: Characters of a name or a date.
_LONGEST = 200

T = TypeVar("T")


def set_rates(path: str | os.PathLike[str] | None) -> None:
    """Let searches choose directions and devices by a rates file from now on.

    Only choices depend on it, and so how long a search takes; what it finds never does.  No file is
    read that was not named.

    Parameters
    ----------
    path : str or os.PathLike, or None
        What `calibrate` has written on this machine; None: the built-in rates of a named one.

    Raises
    ------
    FileMissing, FileError
        When it is not there or cannot be read.
    FormatError
        When it is no rates file, damaged, or has a number that is no rate.
    InvalidValue
        When it is of another machine or another version.  Nothing has changed then, as after every
        error.

    Examples
    --------
    >>> import spbfs as sb
    >>> sb.set_rates(None)
    """
    planner.use(None if path is None else rates_from(path))


def rates_from(path: str | os.PathLike[str]) -> SearchRates:
    """The rates in a file, of what it says nothing of the built-in ones."""
    found = read_rates(path)
    return SearchRates(
        found.cpu.rates if found.cpu else BUILT_IN.cpu,
        found.cuda.rates if found.cuda else BUILT_IN.cuda,
        found.switch or BUILT_IN.switch,
    )


def write_rates(path: str | os.PathLike[str], calibration: Calibration) -> None:
    """Write a rates file, whole or not at all.

    Parameters
    ----------
    path : str or os.PathLike
    calibration : Calibration
    """
    from spbfs.io.arguments import path_of
    from spbfs.io.files.sink import Sink

    record = {"spbfs rates": VERSION, **_record(calibration)}
    with Sink(path_of(path), 0, progress=False) as sink:
        sink.write((json.dumps(record, indent=1, allow_nan=False) + "\n").encode())


def read_rates(path: str | os.PathLike[str]) -> Calibration:
    """What a rates file of this machine says; errors are those of `set_rates`.

    Parameters
    ----------
    path : str or os.PathLike

    Returns
    -------
    Calibration
    """
    from spbfs.io.arguments import path_of

    with Source(path_of(path), progress=False) as source:
        record = _parsed(source)
        version = record.pop("spbfs rates", None)
        if version is None:
            raise source.error("has no 'spbfs rates': it was written by something else")
        if version != VERSION or isinstance(version, bool):
            raise InvalidValue(
                f"path: {source.name!r} is a rates file of version {version!r:.40}; expected "
                f"{VERSION}: calibrate again"
            )
        found: Calibration = _Reader(source).made(Calibration, record, "")
    _check_machine(str(path), found)
    return found


def _check_machine(name: str, found: Calibration) -> None:
    try:
        here = this_machine(gpu=found.cuda is not None)
    except (ImportError, AttributeError, RuntimeError, BackendUnavailable) as error:
        raise InvalidValue(
            f"path: {name!r} has rates of {found.machine.gpu}, and there is no GPU here ({error})"
        ) from None
    if here != found.machine:
        raise InvalidValue(
            f"path: {name!r} was calibrated on another machine ({found.machine}); expected this "
            f"one ({here}): calibrate here"
        )


def _parsed(source: Source) -> dict[str, Any]:
    """The object in a file; whatever is wrong with it is said as `Source.error` does."""
    if source.size > _LARGEST:
        raise source.error(f"has {source.size:,} bytes; a rates file has at most {_LARGEST:,}")
    content = b""
    while part := source.read(_LARGEST + 1):
        content += part
        if len(content) > _LARGEST:
            raise source.error(f"has more than {_LARGEST:,} bytes")

    def refused(constant: str) -> NoReturn:
        raise source.error(f"has {constant}, which is no rate")

    def once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        if len(dict(pairs)) < len(pairs):
            raise source.error("says something twice")
        return dict(pairs)

    try:
        record = json.loads(content, parse_constant=refused, object_pairs_hook=once)
    except FormatError:
        raise
    except RecursionError:
        raise source.error("is nested too deep for a rates file") from None
    except ValueError as error:  # of JSON, of UTF-8, of a number with thousands of digits
        raise source.error(f"is not JSON ({brief(error)})") from None
    if not isinstance(record, dict):
        raise source.error("is not an object of JSON")
    return record


def _record(value: Any) -> Any:
    """A dataclass as JSON's types."""
    if is_dataclass(value) and not isinstance(value, type):
        return {field.name: _record(getattr(value, field.name)) for field in fields(value)}
    return value


class _Reader:
    """Makes dataclasses of records, whose every field is checked against its declared type."""

    def __init__(self, source: Source) -> None:
        self._source = source

    def made(self, kind: Any, record: Any, where: str) -> Any:
        """An instance of a dataclass; `where` is its place in the file, for messages."""
        if not isinstance(record, dict):
            raise self._source.error(f"{where or 'it'} should be an object, and is not")
        types = get_type_hints(kind)
        wanted = {field.name for field in fields(kind)}
        for name in [*wanted - record.keys(), *record.keys() - wanted]:
            fault = "is missing" if name in wanted else "is not known"
            raise self._source.error(f"{_within(where, name)} {fault}")
        values = {
            name: self._value(types[name], record[name], _within(where, name)) for name in wanted
        }
        return kind(**values)

    def _value(self, kind: Any, value: Any, where: str) -> Any:
        if kind in _OPTIONAL:
            return None if value is None else self._value(_OPTIONAL[kind], value, where)
        if kind == dict[str, float]:
            return self._by_name(value, where)
        if is_dataclass(kind):
            return self.made(kind, value, where)
        if kind is str:
            if not isinstance(value, str) or not value.isprintable() or len(value) > _LONGEST:
                raise self._source.error(f"{where} should be a short text, and is not")
            return value
        allowed = (int,) if kind is int else (int, float)
        if isinstance(value, bool) or not isinstance(value, allowed):
            wanted = "a whole number" if kind is int else "a number"
            raise self._source.error(f"{where} should be {wanted}, and is {value!r:.40}")
        if not (math.isfinite(value) and 0 <= value <= _MOST):
            raise self._source.error(f"{where} is {value!r:.40}; expected from 0 to {_MOST:g}")
        return kind(value)

    def _by_name(self, value: Any, where: str) -> dict[str, float]:
        """Rates of the published ways of pushing."""
        if not isinstance(value, dict):
            raise self._source.error(f"{where} should be an object, and is not")
        for name in value:
            if name not in STRATEGIES:
                raise self._source.error(f"{_within(where, name)} is not known")
        return {
            name: self._value(float, rate, _within(where, name)) for name, rate in value.items()
        }


#: Types that may be null, as `get_type_hints` has them.
_OPTIONAL: dict[Any, Any] = {
    CpuCalibration | None: CpuCalibration,
    CudaCalibration | None: CudaCalibration,
    SwitchRates | None: SwitchRates,
    str | None: str,
}


def _within(where: str, name: str) -> str:
    return f"{where}.{name:.40}" if where else f"{name:.40}"
