"""The engines, by name; each is imported when it is first asked for."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from spbfs.exceptions import BackendUnavailable, InvalidValue

if TYPE_CHECKING:
    from spbfs.engines.protocol import Engine

__all__ = ["get_engine", "is_registered", "register_engine"]


class _Engines(dict[str, "Engine"]):
    """Those that were asked for: looked up by every statement, so that a call would be felt."""

    def __missing__(self, name: str) -> Engine:
        return self.setdefault(name, _engine(name))


def _engine(name: str) -> Engine:
    if name == "cpu":
        from spbfs.engines.cpu.engine import CpuEngine

        return CpuEngine()
    if name == "reference":
        from spbfs.engines.reference.engine import ReferenceEngine

        return ReferenceEngine()
    if name == "cuda":
        try:
            from spbfs.engines.cuda.engine import CudaEngine
        except ImportError as error:
            # CuPy is missing, or was built for another CUDA.
            raise BackendUnavailable(
                f"device 'cuda': CuPy cannot be imported: {error}; "
                "pip install 'spbfs[cuda13]' brings it, or 'spbfs[cuda12]'"
            ) from None
        return CudaEngine()
    raise InvalidValue(f"device: expected 'cpu', 'cuda' or 'reference', got {name!r}")


def register_engine(engine: Engine) -> None:
    """Have an engine under its name, which is a device from now on: one that was made, not one of
    those above."""
    _ENGINES[engine.name] = engine


def is_registered(name: str) -> bool:
    """Whether an engine of that name was made or asked for."""
    return name in _ENGINES


_ENGINES = _Engines()
#: The engine called "cpu", "cuda" or "reference", or as one that was registered.  Raises
#: `InvalidValue` when none has that name, and `BackendUnavailable` when it cannot run here: never
#: another engine in its place.
get_engine: Callable[[str], Engine] = _ENGINES.__getitem__
