"""``help(operator)`` is about the operator."""

from __future__ import annotations

import pydoc
from typing import Any

import pytest

import spbfs as sb
from spbfs.operators.definitions import BinaryOp
from spbfs.operators.names.descriptions import DESCRIPTIONS
from spbfs.operators.tables import builtin

TABLES: dict[str, dict[str, Any]] = {
    "unary": builtin.UNARY,
    "binary": builtin.BINARY,
    "indexunary": builtin.INDEXUNARY,
    "monoid": builtin.MONOID,
    "semiring": builtin.SEMIRING,
}


def brief(thing: object) -> str:
    return pydoc.plain(pydoc.render_doc(thing))


@pytest.mark.parametrize("kind", DESCRIPTIONS)
def test_every_operator_is_described(kind: str) -> None:
    missing = set(TABLES[kind]) - set(DESCRIPTIONS[kind])
    assert not missing, missing


@pytest.mark.parametrize("kind", TABLES)
def test_help_is_about_the_operator(kind: str) -> None:
    texts = {name: brief(operator) for name, operator in TABLES[kind].items()}
    assert len(set(texts.values())) == len(texts)
    for name, text in texts.items():
        assert f"{kind}.{name}" in text and "Use: " in text, text
        assert "Method resolution order" not in text and "None" not in text


def test_examples_of_help() -> None:
    assert "x + y" in brief(sb.binary.plus) and "commutes" in brief(sb.binary.plus)
    assert "binary.rminus" in brief(sb.binary.minus)
    text = brief(sb.semiring.min_plus)
    assert "monoid.min" in text and "x + y (binary.plus)" in text
    assert "diagonal `thunk`" in brief(sb.select.tril)
    # Of a class it is what it was.
    assert "A function of two values" in (BinaryOp.__doc__ or "")


def test_help_of_a_function_of_ones_own() -> None:
    def twice(x: Any) -> Any:
        """Two times x."""
        return 2 * x

    operator = sb.unary.register_anonymous(twice)
    assert "Two times x." in brief(operator) and "twice" in brief(operator)
