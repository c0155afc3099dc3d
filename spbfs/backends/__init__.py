"""The engines, by name; each is imported when it is first asked for."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from spbfs.exceptions import BackendUnavailable, InvalidValue

if TYPE_CHECKING:
    from spbfs.backends.protocol import Backend

__all__ = ["get_backend"]


@cache
def get_backend(name: str) -> Backend:
    """The engine called `name`: "cpu", "cuda" or "reference".

    Raises
    ------
    InvalidValue
        When no engine has that name.
    BackendUnavailable
        When it cannot run here; never another engine in its place.
    """
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
