"""Modules list what is public in them, and names of other packages are answered."""

from __future__ import annotations

import sys
from types import ModuleType

import pytest

import spbfs as sb

MODULES = ("csgraph", "distributed", "dtypes", "exceptions", "generate", "io", "verify", "viz")


@pytest.mark.parametrize("name", MODULES)
def test_a_module_lists_its_public_names(name: str) -> None:
    module = getattr(sb, name)
    assert dir(module) == sorted(module.__all__)
    for public in dir(module):
        getattr(module, public)


def test_every_public_module_is_one_of_these() -> None:
    modules = {n for n in sb.__all__ if isinstance(getattr(sb, n), ModuleType)}
    operators = {n for n in modules if type(getattr(sb, n)).__name__ == "OpPath"}
    assert modules - operators == set(MODULES)
    for name in operators:
        assert "annotations" not in dir(getattr(sb, name))
    assert sys.modules["spbfs.generate"] is sb.generate


@pytest.mark.parametrize(
    ("expression", "meant"),
    [
        ("sb.generate.grid", "did you mean grid2d or grid3d?"),
        ("sb.generate.random", "did you mean uniform?"),
        ("sb.generate.erdos_renyi", "did you mean uniform?"),
        ("sb.generate.qqqq", "dir(spbfs.generate) lists them"),
        ("sb.verify.bfs_tre", "did you mean bfs_tree"),
        ("sb.io.raed", "did you mean read"),
        ("sb.agg.average", "did you mean mean?"),
        ("sb.agg.std", "did you mean stdp"),
        ("sb.binary.multiply", "did you mean times?"),
        ("A.to_numpy", "write to_dense(fill_value=0)"),
        ("A.reduce", 'write reduce_scalar("plus").new()'),
        ("v.to_list", "write to_dense(fill_value=0).tolist()"),
        ("v.reduce_scalar", 'write reduce("plus").new()'),
    ],
)
def test_a_name_of_another_package_is_answered(expression: str, meant: str) -> None:
    names = {"sb": sb, "A": sb.Matrix(int, 2, 2), "v": sb.Vector(int, 2)}
    with pytest.raises(AttributeError) as error:
        eval(expression, names)
    assert meant in str(error.value)
