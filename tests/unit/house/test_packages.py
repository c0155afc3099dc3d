"""What is said where a package is missing that not everybody has."""

from __future__ import annotations

import sys
import tomllib
from pathlib import Path

import pytest

from spbfs.base.packages import _EXTRAS, package
from spbfs.exceptions import PackageMissing

PROJECT = Path(__file__).parents[3] / "pyproject.toml"


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
