"""Modules of kernels, compiled once a process: when they are asked for, or begun before.

NVRTC takes a tenth of a second to some seconds for a module, on one core and without Python's lock.
Whoever knows what will be needed therefore begins it, and other threads compile side by side while
the caller goes on; what CuPy finds on disk is loaded by them as well.

Machine code that the package brings needs no compiler (`cubins`).

What takes seconds may be compiled twice, with all optimisations and in haste, and its first use has
what is there first (`load_first`): a search that is slower, and answers earlier.
"""

from __future__ import annotations

from concurrent.futures import Future, ThreadPoolExecutor, wait
from functools import cache
from threading import Lock
from typing import Any, NamedTuple

from spbfs.base.threads import get_threads
from spbfs.engines.cuda.runtime import cubins
from spbfs.engines.cuda.runtime.device import limits
from spbfs.engines.cuda.runtime.source import Specialisation

__all__ = ["begin", "load", "load_first"]

#: More are never begun at once.
_MOST_THREADS = 8
#: Without most optimisations, in a third to a quarter of the time: by NVRTC of CUDA 12.6 to 13.0.
_HASTE = "--Ofast-compile=max"
#: Seconds in which what is there or on disk has been loaded, which needs no haste.
_ON_DISK = 0.25


class _Task(NamedTuple):
    specialisation: Specialisation
    in_haste: bool = False

    def compiled(self) -> Any:
        """What `_compiled_in_haste` or `_brought_or_compiled` makes of it."""
        made = _compiled_in_haste if self.in_haste else _brought_or_compiled
        return made(self.specialisation)


#: Every module that was begun or asked for; of one in haste, whether it is, too.
_modules: dict[_Task, Future[Any]] = {}
#: Those of which a first use has been served.
_served: set[Specialisation] = set()
_lock = Lock()


@cache
def _pool() -> ThreadPoolExecutor:
    """Its threads are waited for where the interpreter ends: NVRTC cannot be interrupted."""
    return ThreadPoolExecutor(min(_MOST_THREADS, get_threads()), "spbfs-compile")


def _brought_or_compiled(specialisation: Specialisation) -> Any:
    return cubins.find(specialisation) or _compiled(specialisation)


def _compiled(specialisation: Specialisation, *options: str) -> Any:
    import cupy as cp

    # Not as one of cooperative groups, whose kernels are launched by others (`launch.Kernel`): CuPy
    # before 14.2 compiles these to be linked with `libcudadevrt.a`, which the CUDA toolkit brings.
    module = cp.RawModule(
        code=specialisation.code,
        options=(*specialisation.options, *options),
        name_expressions=specialisation.kernels,
    )
    module.compile()
    return module


def _compiled_in_haste(specialisation: Specialisation) -> tuple[Any, bool]:
    """A module, and whether it is in haste: not where the other is there at once, or where this
    NVRTC knows no haste."""
    import cupy as cp

    begin(specialisation)
    thorough = _modules.get(_Task(specialisation))
    if thorough is not None:
        wait([thorough], _ON_DISK)
    # One that was cancelled is compiled by whoever needed it.
    if thorough is None or not thorough.done() or thorough.cancelled():
        try:
            return _compiled(specialisation, _HASTE), True
        except cp.cuda.compiler.CompileException:
            pass
    return load(specialisation), False


def load(specialisation: Specialisation) -> Any:
    """The `cupy.RawModule` of a specialisation, which CuPy keeps on disk, or `cubins.Brought`.

    Waits for whoever compiles it already; one that was begun and has to wait for a thread is
    compiled here.
    """
    return _result(_Task(specialisation))


def load_first(specialisation: Specialisation) -> tuple[Any, bool]:
    """A module for one use, and whether it was compiled in haste.

    The first to ask may get it so; whoever comes later waits for the other, so that all but one use
    run at full speed.
    """
    from spbfs.base.gpu_memory import has_room_for_stacks, keep_stack  # imports CuPy

    begin(specialisation, in_haste=True)
    with _lock:
        served = specialisation in _served
        _served.add(specialisation)
    if served or not has_room_for_stacks(limits().sms):
        return load(specialisation), False
    module, in_haste = _result(_Task(specialisation, in_haste=True))
    if in_haste:
        keep_stack()
    return module, in_haste


def _result(task: _Task) -> Any:
    module = _modules.get(task)
    if module is None or not module.done():
        module = _compiling(task)
    try:
        return module.result()
    except BaseException:
        # The next one tries again.
        with _lock:
            if module.done() and _modules.get(task) is module:
                del _modules[task]
        raise


def _compiling(task: _Task) -> Future[Any]:
    """A module that another thread is at work on, or that this one has compiled."""
    with _lock:
        begun = _modules.get(task)
        if begun is not None and not begun.cancel():
            return begun
        module: Future[Any] = Future()
        module.set_running_or_notify_cancel()
        _modules[task] = module
    try:
        module.set_result(task.compiled())
    except BaseException as error:
        module.set_exception(error)
    return module


def begin(*specialisations: Specialisation, in_haste: bool = False) -> None:
    """Have modules compiled by other threads, for the current device; returns at once.

    With `in_haste` they are compiled both ways, for `load_first`.
    """
    with _lock:
        for specialisation in specialisations:
            _begin(_Task(specialisation))
            if in_haste and specialisation not in _served:
                _begin(_Task(specialisation, in_haste=True))


def _begin(task: _Task) -> None:
    if task not in _modules:
        _modules[task] = _elsewhere(task)


def _elsewhere(task: _Task) -> Future[Any]:
    import cupy as cp

    device = cp.cuda.runtime.getDevice()

    def on_device() -> Any:
        with cp.cuda.Device(device):
            return task.compiled()

    return _pool().submit(on_device)
