"""Every example in a docstring runs and prints what it says; every parameter is described."""

import doctest
import importlib
import inspect
import pkgutil
import re
from typing import Any

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


def _public() -> dict[str, Any]:
    """Functions, and methods of classes, that ``import spbfs`` gives and what these return."""
    from spbfs.objects.mask import Mask
    from spbfs.objects.operands.expression import MatrixExpression, VectorExpression
    from spbfs.objects.operands.transposed import TransposedMatrix
    from spbfs.objects.scalars.expression import ScalarExpression

    things = [getattr(spbfs, name) for name in spbfs.__all__]
    things += [MatrixExpression, VectorExpression, ScalarExpression, TransposedMatrix, Mask]
    for module in filter(inspect.ismodule, list(things)):
        things += [getattr(module, name) for name in getattr(module, "__all__", ())]
    # Not those of SciPy's that `spbfs.csgraph` hands through.
    functions = [f for f in filter(inspect.isfunction, things) if f.__module__.startswith("spbfs")]
    found = {f"{f.__module__}.{f.__name__}": f for f in functions}
    bases = [b for c in filter(inspect.isclass, things) for b in c.__mro__]
    for base in bases:
        if base.__module__.startswith("spbfs."):
            for name, member in vars(base).items():
                function = getattr(member, "__func__", getattr(member, "fget", member))
                if inspect.isfunction(function) and not name.startswith("_"):
                    found[f"{base.__module__}.{base.__name__}.{name}"] = function
    return found


@pytest.mark.parametrize("name", sorted(_public()))
def test_parameters_are_described(name: str) -> None:
    function = _public()[name]
    text = inspect.getdoc(function)
    assert text
    parameters = [p for p in inspect.signature(function).parameters if p not in ("self", "cls")]
    if parameters:
        _, heading, rest = text.partition("Parameters\n----------\n")
        assert heading
        described = re.findall(r"^\*{0,2}(\w.*?)(?: \(.*)?(?: : .*)?$", rest, flags=re.MULTILINE)
        names = {word for line in described for word in re.split(r",\s*\**", line)}
        assert set(parameters) <= names
