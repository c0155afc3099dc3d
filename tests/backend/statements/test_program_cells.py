"""A fixed slice of the programs that take every operation to every type, mask and accumulator."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.programs.__main__ import main, read_tally
from tests.programs.running import cells_of, cells_of_program, run
from tests.programs.tables import TYPES

PROGRAMS = 330


@pytest.fixture
def theirs() -> Iterator[Any]:
    """python-graphblas, which computes expressions where they are used as masks."""
    graphblas = pytest.importorskip("graphblas", reason="python-graphblas is not installed")
    with graphblas.config.set(autocompute=True):
        yield graphblas


@pytest.mark.parametrize("group", range(6))
def test_programs_of_the_slice(device: str, theirs: Any, group: int) -> None:
    for seed in range(group, PROGRAMS, 6):
        assert len(list(run(seed, theirs, [device]))) > 2, seed


def test_the_cells_are_gone_through() -> None:
    """As many programs as there are cells for leave none out."""
    for i, dtype in enumerate(TYPES):
        cells = cells_of(dtype)
        assert len(set(cells)) == len(cells) > 5000
        enough = range(i, i + len(TYPES) * (len(cells) // 6 + 1), len(TYPES))
        assert {cell for seed in enough for cell in cells_of_program(seed)} == set(cells)


def test_the_command_prints_the_table(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    words = ["programs", "11", "--devices", "cpu,reference", "--alone"]
    monkeypatch.setattr("sys.argv", words)
    assert main() == 1  # eleven programs leave cells empty
    printed = capsys.readouterr().out
    assert "subassign part m" in printed and "0 programs differ" in printed


def test_a_run_goes_on_from_its_tally(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    for count, statements in (("2", 12), ("3", 18)):
        words = ["programs", count, "--devices", "cpu", "--alone", "--tally", str(tmp_path / "t")]
        monkeypatch.setattr("sys.argv", words)
        main()
        printed, told = capsys.readouterr()
        assert f"{count} programs, {statements} statements" in printed
        assert told.count("programs") == 1
    told_again = read_tally(tmp_path / "t")
    assert told_again[0] == 3 and told_again[1].total() == 18 and told_again[2] == []
