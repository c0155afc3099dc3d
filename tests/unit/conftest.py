"""Calling the ``spbfs`` command from a test."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest

from spbfs import cli

Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Run:
    """Call the command in this process: exit code, standard output, standard error."""

    def call(*arguments: object) -> tuple[int, str, str]:
        code = cli.main([str(a) for a in arguments])
        out, err = capsys.readouterr()
        return code, out, err

    return call


@pytest.fixture
def failed(run: Run) -> Callable[..., str]:
    """Call the command expecting a failure told in one line; return the line."""

    def call(*arguments: object, code: int = 1) -> str:
        got, out, err = run(*arguments)
        assert (got, out) == (code, "")
        assert re.fullmatch(r"spbfs: error: .+\n", err), err
        return err

    return call
