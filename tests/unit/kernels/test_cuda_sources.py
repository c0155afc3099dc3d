"""What the CUDA engine compiles is known without CuPy or a GPU, and nothing is left out."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import spbfs
from spbfs.engines.cuda.runtime.source import read_source
from spbfs.engines.cuda.specialisations import specialisations
from spbfs.storage.packed import WORDS

CUDA = spbfs.kernels_path() / "cuda"
PACKAGE = Path(spbfs.__file__).parent


def _kernels(source: str) -> set[str]:
    """Names of the entry functions in a CUDA source."""
    without_bounds = re.sub(
        r"__(launch_bounds|cluster_dims)__\((?:[^()]|\([^()]*\))*\)", "", source
    )
    return set(re.findall(r"__global__\s+void\s+(\w+)\s*\(", without_bounds))


def test_every_kernel_has_a_specialisation() -> None:
    compiled: dict[str, set[str]] = {}
    for s in specialisations():
        compiled.setdefault(s.stem, set()).update(re.split("<", k)[0] for k in s.kernels)
    assert compiled == {path.stem: _kernels(read_source(path.stem)) for path in CUDA.glob("*/*.cu")}


def test_specialisations_are_listed_once() -> None:
    listed = list(specialisations())
    assert len(listed) == len(set(listed))


@pytest.mark.parametrize("capability", [70, 75, 80, 86, 89, 90, 100, 120])
def test_every_generation_has_one_form_of_joined_searches(capability: int) -> None:
    here = [
        (s.kernels, "BFS_PINNED=1" in s.defines)
        for s in specialisations()
        if s.stem == "bfs_many" and s.capability <= capability < (s.below or capability + 1)
    ]
    assert len(here) == len(set(here)) == 2 * 2 * len(WORDS)


def test_headers_are_written_in_once_and_in_place() -> None:
    source = read_source("bfs")
    assert '#include "' not in source
    assert source.count('#line 1 "cuda/bfs/bfs_state.cuh"') == 1
    assert source.index('"cuda/bfs/bfs_state.cuh"') < source.index("__global__")


def test_modules_are_loaded_where_kernels_come_from() -> None:
    """Of a compiler, or with the package."""
    users = {p.name for p in PACKAGE.rglob("*.py") if "RawModule(" in p.read_text("utf-8")}
    assert users == {"cubins.py", "modules.py"}


def test_sums_of_a_warp_have_a_form_for_older_gpus() -> None:
    """The instruction came with compute capability 8.0, the engine promises 7.0."""
    users = {p.name for p in CUDA.glob("*/*.cu*") if "__reduce_" in p.read_text("utf-8")}
    assert users == {"warp_reduce.cuh"}
