"""The engines, by name; each is imported when it is first asked for."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from spbfs.exceptions import BackendUnavailable, InvalidValue

if TYPE_CHECKING:
    from spbfs.backends.protocol import Backend

__all__ = ["get_backend"]


class _Engines(dict[str, "Backend"]):
    """Those that were asked for: looked up by every statement, so that a call would be felt."""

    def __missing__(self, name: str) -> Backend:
        return self.setdefault(name, _engine(name))


def _engine(name: str) -> Backend:
    if name == "cpu":
        from spbfs.backends.cpu.engine import CpuBackend

        return CpuBackend()
    if name == "reference":
        from spbfs.backends.reference.engine import ReferenceBackend

        return ReferenceBackend()
    if name == "cuda":
        try:
            from spbfs.backends.cuda.engine import CudaBackend
        except ImportError as error:
            # CuPy is missing, or was built for another CUDA.
            raise BackendUnavailable(
                f"device 'cuda': CuPy cannot be imported: {error}; "
                "pip install 'spbfs[cuda13]' brings it, or 'spbfs[cuda12]'"
            ) from None
        return CudaBackend()
    raise InvalidValue(f"device: expected 'cpu', 'cuda' or 'reference', got {name!r}")


#: The engine called "cpu", "cuda" or "reference".  Raises `InvalidValue` when none has that name,
#: and `BackendUnavailable` when it cannot run here: never another engine in its place.
get_backend: Callable[[str], Backend] = _Engines().__getitem__
