"""Modules of kernels, compiled once a process: when they are asked for, or begun before.

NVRTC takes a tenth of a second to some seconds for a module, on one core and without Python's lock.
Whoever knows what will be needed therefore begins it, and other threads compile side by side while
the caller goes on; what CuPy finds on disk is loaded by them as well.

Machine code that the package brings needs no compiler (`cubins`).

NVRTC's own way of compiling in haste, `--Ofast-compile`, is not for a process that goes on:
whatever is compiled after it lacks some optimisations (docs/performance-notes-cuda-python.md).
"""

from __future__ import annotations

from concurrent.futures import Future, ThreadPoolExecutor
from functools import cache
from threading import Lock
from typing import Any

from spbfs.base.threads import get_threads
from spbfs.engines.cuda.runtime import cubins
from spbfs.engines.cuda.runtime.source import Specialisation

__all__ = ["begin", "load"]

#: More are never begun at once.
_MOST_THREADS = 8
#: Every module that was begun or asked for.
_modules: dict[Specialisation, Future[Any]] = {}
_lock = Lock()


@cache
def _pool() -> ThreadPoolExecutor:
    """Its threads are waited for where the interpreter ends: NVRTC cannot be interrupted."""
    return ThreadPoolExecutor(min(_MOST_THREADS, get_threads()), "spbfs-compile")


def _brought_or_compiled(specialisation: Specialisation) -> Any:
    return cubins.find(specialisation) or _compiled(specialisation)


def _compiled(specialisation: Specialisation) -> Any:
    import cupy as cp

    # Not as one of cooperative groups, whose kernels are launched by others (`launch.Kernel`): CuPy
    # before 14.2 compiles these to be linked with `libcudadevrt.a`, which the CUDA toolkit brings.
    module = cp.RawModule(
        code=specialisation.code,
        options=specialisation.options,
        name_expressions=specialisation.kernels,
    )
    module.compile()
    return module


def load(specialisation: Specialisation) -> Any:
    """The `cupy.RawModule` of a specialisation, which CuPy keeps on disk, or `cubins.Brought`.

    Waits for whoever compiles it already; one that was begun and has to wait for a thread is
    compiled here.
    """
    module = _modules.get(specialisation)
    if module is None or not module.done():
        module = _compiling(specialisation)
    try:
        return module.result()
    except BaseException:
        # The next one tries again.
        with _lock:
            if module.done() and _modules.get(specialisation) is module:
                del _modules[specialisation]
        raise


def _compiling(specialisation: Specialisation) -> Future[Any]:
    """A module that another thread is at work on, or that this one has compiled."""
    with _lock:
        begun = _modules.get(specialisation)
        if begun is not None and not begun.cancel():
            return begun
        module: Future[Any] = Future()
        module.set_running_or_notify_cancel()
        _modules[specialisation] = module
    try:
        module.set_result(_brought_or_compiled(specialisation))
    except BaseException as error:
        module.set_exception(error)
    return module


def begin(*specialisations: Specialisation) -> None:
    """Have modules compiled by other threads, for the current device; returns at once."""
    with _lock:
        for specialisation in specialisations:
            if specialisation not in _modules:
                _modules[specialisation] = _elsewhere(specialisation)


def _elsewhere(specialisation: Specialisation) -> Future[Any]:
    import cupy as cp

    device = cp.cuda.runtime.getDevice()

    def on_device() -> Any:
        with cp.cuda.Device(device):
            return _brought_or_compiled(specialisation)

    return _pool().submit(on_device)
