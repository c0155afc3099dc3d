"""What is said where a package is missing that not everybody has."""

from __future__ import annotations

import sys
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any, ClassVar

import pytest

import spbfs as sb
from spbfs.base.packages import _EXTRAS, package
from spbfs.engines import _ENGINES
from spbfs.exceptions import BackendUnavailable, PackageMissing

PROJECT = Path(__file__).parents[3] / "pyproject.toml"
#: Calls that take vertices or values in GPU memory, of whatever library.
TAKERS: dict[str, Callable[[sb.Matrix, Any], Any]] = {
    "bfs": sb.bfs,
    "bfs_many": sb.bfs_many,
    "jaccard": sb.jaccard,
    "khop": lambda A, x: sb.khop(A, 1, x),
    "pagerank": lambda A, x: sb.pagerank(A, personalization=x),
}


class _ByInterface:
    """An array in GPU memory of a library that is not CuPy."""

    __cuda_array_interface__: ClassVar = {
        "shape": (1,),
        "typestr": "<i8",
        "data": (0, False),
        "version": 3,
    }

    def __len__(self) -> int:
        return 1


class _ByDLPack:
    def __dlpack_device__(self) -> tuple[int, int]:
        return 2, 0


@pytest.mark.parametrize("kind", [_ByInterface, _ByDLPack])
@pytest.mark.parametrize("name", TAKERS)
def test_arrays_of_a_gpu_without_cupy(
    name: str, kind: type, monkeypatch: pytest.MonkeyPatch
) -> None:
    for module in ("cupy", "spbfs.engines.cuda.engine"):
        monkeypatch.setitem(sys.modules, module, None)
    monkeypatch.delitem(_ENGINES, "cuda", raising=False)
    with pytest.raises(BackendUnavailable, match="CuPy cannot be imported"):
        TAKERS[name](sb.generate.path(5), kind())


@pytest.mark.parametrize("name", ["matplotlib.pyplot", "networkx", "pandas", "pyarrow.parquet"])
def test_the_extra_is_named_that_brings_it(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, name, None)
    top = name.partition(".")[0]
    extra = rf"needs the package {top}, .*pip install 'spbfs\[{_EXTRAS[top]}\]'"
    with pytest.raises(PackageMissing, match=extra):
        package(name, "this")


@pytest.mark.skipif(not PROJECT.exists(), reason="needs the checkout")
def test_extras_bring_the_packages() -> None:
    extras = tomllib.loads(PROJECT.read_text())["project"]["optional-dependencies"]
    for top, extra in _EXTRAS.items():
        assert any(wanted.startswith(top) for wanted in extras[extra])


def test_others_are_named_alone() -> None:
    with pytest.raises(PackageMissing, match=r"of_the_kind, which is not installed$"):
        package("nothing_of_the_kind", "this")
