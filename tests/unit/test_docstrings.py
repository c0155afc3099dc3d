"""Every example in a docstring runs and prints what it says."""

import doctest
import importlib
import pkgutil

import pytest

import spbfs


def _modules() -> list[str]:
    found = pkgutil.walk_packages(spbfs.__path__, "spbfs.")
    return sorted(m.name for m in found if not m.name.endswith(("._cpu", "__main__")))


@pytest.mark.parametrize("name", _modules())
def test_examples_run(name: str) -> None:
    try:
        module = importlib.import_module(name)
    except ModuleNotFoundError as missing:
        if missing.name != "cupy":
            raise
        pytest.skip("CuPy is not installed")
    result = doctest.testmod(module, optionflags=doctest.NORMALIZE_WHITESPACE)
    assert result.failed == 0
