"""A small run of every CUDA kernel, for the tools of compute-sanitizer: see .ci/sanitize.

Results are compared with the reference engine's.  A kernel that is listed in
``cuda_specialisations`` and not launched here is an error.  Names of cases run these only.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np

import spbfs as sb
from spbfs.backends.cuda_source import Specialisation
from spbfs.backends.cuda_specialisations import specialisations

BEGAN = time.perf_counter()

launched: set[str] = set()


def _entry(name: str) -> str:
    """A kernel without its template arguments."""
    return name.partition("<")[0]


class _Recorded:
    """A module that notes which of its kernels are asked for."""

    def __init__(self, module: Any) -> None:
        self._module = module

    def get_function(self, name: str) -> Any:
        launched.add(_entry(name))
        return self._module.get_function(name)


def _record() -> None:
    load = Specialisation.load
    options = Specialisation.options.fget
    Specialisation.load = lambda self: _Recorded(load(self))
    Specialisation.options = property(lambda self: (*options(self), "-lineinfo"))


def _compile() -> None:
    """All modules at once: alone they would take a minute."""
    import cupy as cp

    device = cp.cuda.Device()

    def compile_one(specialisation: Specialisation) -> None:
        with device:
            specialisation.load()._module.compile()

    wanted = [s for s in specialisations() if s.capability <= int(device.compute_capability)]
    with ThreadPoolExecutor(len(os.sched_getaffinity(0))) as pool:
        list(pool.map(compile_one, wanted))


def _graphs() -> Iterator[sb.Matrix]:
    """A deep one, and one with hubs, loops, isolated vertices and long rows."""
    yield sb.generate.grid2d(12, 11)
    rng = np.random.default_rng(3)
    u, v = ((rng.random((2, 2500)) ** 3) * 700).astype(np.int64)
    label = rng.permutation(800)
    u, v = label[np.r_[u, v]], label[np.r_[v, u]]
    yield sb.Matrix.from_coo(u, v, True, nrows=800, ncols=800)


def _device_csr(A: sb.Matrix, wide: bool) -> tuple[Any, Any]:
    import cupy as cp

    indptr, indices, _ = A.to_csr()
    return cp.asarray(indptr.astype(np.int64 if wide else np.int32)), cp.asarray(indices)


def _progress(what: str) -> None:
    """A line each, so that what a tool hangs in is known."""
    print(f"{time.perf_counter() - BEGAN:6.1f} s  {what}", flush=True)


def _outputs(n: int) -> tuple[Any, Any]:
    import cupy as cp

    return cp.full(n, -7, dtype=cp.int32), cp.full(n, -7, dtype=cp.int32)


def fused_searches() -> None:
    from spbfs.backends.cuda_bfs import CLUSTER, FusedBFS, Tuning
    from spbfs.backends.cuda_layout import build_layout

    layouts: tuple[dict[str, Any], ...] = (
        {}, {"head": 4}, {"hubs": 0}, {"hubs": 100}, {"hubs": 1 << 30}, {"records": True},
    )  # fmt: skip
    early = Tuning(cluster_enter=200, cluster_leave=300, solo_enter=0, cached=0)
    deep, with_hubs = _graphs()
    for A, k in [(deep, 0), (deep, 5), *((with_hubs, k) for k in range(len(layouts)))]:
        n, source = A.nrows, 5
        built = build_layout(n, *_device_csr(A, wide=k % 2 == 1), **layouts[k])
        for tuning, directions in ((Tuning(), ("auto", "push", "pull")), (early, ("auto",))):
            plan = FusedBFS(built, tuning=tuning)
            # The tools follow every thread: two CTAs, or one cluster, show what many would.
            plan._grid = CLUSTER if plan._deep else 2
            for direction in directions:
                levels, parents = _outputs(n)
                plan.run(source, levels, parents, direction=direction)
                sb.verify.bfs_tree(A, source, parents.get(), levels.get())
                _progress(f"{n} vertices, {layouts[k]}, {direction}")


def expansions() -> None:
    from spbfs.backends.cuda_expansion import LevelSynchronousBFS
    from spbfs.expansion import ORGANISATIONS, STRATEGIES, Expansion

    for A in _graphs():
        for k, strategy in enumerate(STRATEGIES):
            arrays = _device_csr(A, wide=k % 2 == 1)
            for organisation in ORGANISATIONS[1:]:
                if strategy.startswith("merge_path") and organisation == "contract_expand":
                    continue
                how = Expansion(strategy, ("warp+history", "atomic")[k % 2], organisation)
                levels, parents = _outputs(A.nrows)
                plan = LevelSynchronousBFS(A.nrows, *arrays, how)
                plan._sms = 1
                plan.run(5, levels, parents)
                sb.verify.bfs_tree(A, 5, parents.get(), levels.get())


def operations() -> None:
    """Every method of the engine on random arguments, as the tests judge them."""
    import test_random_calls as tests

    from spbfs.backends import get_backend

    engine = get_backend("cuda")
    for method, arguments in tests.CALLS.items():
        for seed in range(6):
            args, keywords = arguments(tests.Source(seed, (5, 70, 20)[seed % 3]))
            complaint = tests._judge(engine, method, args, keywords)
            assert complaint is None, f"{method}, seed {seed}: {complaint}"


CASES: tuple[Callable[[], None], ...] = (operations, expansions, fused_searches)


def main() -> None:
    entries = sorted({_entry(kernel) for s in specialisations() for kernel in s.kernels})
    if sys.argv[1:] == ["--filters"]:
        print(*(word for name in entries for word in ("--kernel-name", f"kns={name}")))
        return
    _record()
    _compile()
    for case in CASES:
        if case.__name__ in sys.argv[1:] or not sys.argv[1:]:
            case()
            _progress(case.__name__)
    missed = set(entries) - launched
    assert sys.argv[1:] or not missed, f"kernels that no case launches: {', '.join(sorted(missed))}"


if __name__ == "__main__":
    main()
