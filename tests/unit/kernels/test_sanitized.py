"""Every CUDA source has a case for the tools of compute-sanitizer, which need a GPU."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import spbfs

FOLDER = Path(__file__).resolve().parents[3] / ".ci"

if not FOLDER.is_dir():
    pytest.skip("the cases are in the repository only", allow_module_level=True)


@pytest.fixture
def cases(monkeypatch: pytest.MonkeyPatch) -> dict[Any, str]:
    monkeypatch.syspath_prepend(FOLDER)
    import sanitize_cases

    return sanitize_cases.CASES


def test_every_source_has_a_case(cases: dict[Any, str]) -> None:
    stems = {path.stem for path in (spbfs.kernels_path() / "cuda").glob("*/*.cu")}
    named = {stem for listed in cases.values() for stem in listed.split()}
    assert named == stems
    assert all(cases.values())


def test_every_case_is_run(cases: dict[Any, str]) -> None:
    from sanitized import algorithms, graphs, many, products, searches, shares

    written = {
        name
        for module in (algorithms, many, products, searches, shares)
        for name in module.__all__
        if name not in graphs.__all__
    }
    assert {case.__name__ for case in cases} == written
