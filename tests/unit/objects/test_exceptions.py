"""The errors that programs written for python-graphblas catch by name."""

from __future__ import annotations

import pytest

import spbfs as sb
from spbfs import exceptions
from spbfs.exceptions import DomainMismatch, InvalidValue, SpbfsError

NAMES = {
    "EmptyObject": InvalidValue,
    "InvalidObject": SpbfsError,
    "OutputNotEmpty": InvalidValue,
    "NotImplementedException": DomainMismatch,
    "UdfParseError": DomainMismatch,
}


@pytest.mark.parametrize("name", NAMES)
def test_error_of_the_dialect_is_one_of_ours(name: str) -> None:
    assert issubclass(getattr(exceptions, name), NAMES[name])
    assert name in exceptions.__all__


def test_base_of_all_errors_has_both_names() -> None:
    with pytest.raises(exceptions.GraphblasException):
        sb.Vector(int, -1)
    assert exceptions.GraphblasException is SpbfsError


def test_an_index_beyond_a_dimension_has_both_names() -> None:
    with pytest.raises(exceptions.InvalidIndex):
        sb.Vector(int, 3)[7].new()
