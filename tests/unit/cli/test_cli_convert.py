"""``spbfs convert``: options that choose the way through memory, and words of the command line."""

from __future__ import annotations

import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

import spbfs

Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def people(tmp_path: Path) -> Path:
    path = tmp_path / "people.csv"
    path.write_text("from,to\nann,bob\nbob,cid\n")
    return path


def test_columns_are_not_passed_over(run: Run, tmp_path: Path) -> None:
    path, folder = tmp_path / "a.csv", tmp_path / "a.csr"
    path.write_text("who,whom,from,to\n0,1,7,8\n")
    for options, vertices in (((), 9), (("--columns", "who,whom"), 2)):
        assert run("convert", path, folder, *options, "--force")[0] == 0
        assert spbfs.read(folder).nrows == vertices
    code, _, err = run("convert", path, folder, *options, "--force", "--memory", "1G")
    assert code == 1 and "without --compact and --columns" in err


def test_names_for_a_folder_are_refused_in_words_of_the_command(run: Run, people: Path) -> None:
    folder = people.with_suffix(".csr")
    code, _, err = run("convert", people, folder)
    assert code == 1 and "error: graph: " in err and "--compact reads all of it" in err
    assert run("convert", people, folder, "--compact")[0] == 0
    assert spbfs.read(folder).nvals == 2


def test_a_folder_may_end_in_a_slash(run: Run, tmp_path: Path) -> None:
    path, folder = tmp_path / "a.txt", f"{tmp_path}/a.csr/"
    path.write_text("0 1\n1 2\n")
    assert run("convert", path, folder)[0] == 0
    code, out, _ = run("bfs", folder, "--source", 0, "--output", "-")
    assert code == 0 and out.endswith("\n2,2,1\n")


@pytest.mark.parametrize("to", ["gr", "wsg", "graph", "npz.xz"])
def test_standard_output_is_called_by_its_format(run: Run, people: Path, to: str) -> None:
    code, out, err = run("convert", people, "-", "--to", to)
    assert (code, out) == (1, "")
    assert to in err and f"graph.{to}" not in err and "path:" not in err


def test_names_do_not_count_from_one(run: Run, people: Path) -> None:
    code, _, err = run("info", people, "--one-based")
    assert code == 1 and "--one-based: " in err and "has names" in err
    with pytest.raises(spbfs.exceptions.InvalidValue, match="one_based"):
        spbfs.read(people, one_based=True)


def test_what_is_half_written_is_removed_when_the_process_is_terminated(tmp_path: Path) -> None:
    program = (
        "import sys, time; from spbfs.cli import main; from spbfs.io.files.sink import Sink;"
        "Sink.write = lambda *_: (print('writing', flush=True), time.sleep(60));"
        "sys.exit(main(['generate', 'path', '9', '-o', sys.argv[1]]))"
    )
    output = tmp_path / "a.txt"
    with subprocess.Popen(
        [sys.executable, "-c", program, str(output)], stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "writing\n"
        assert [path.suffix for path in tmp_path.iterdir()] == [".partial"]
        begun = time.monotonic()
        process.send_signal(signal.SIGTERM)
        assert process.wait(timeout=60) == 143 and time.monotonic() - begun < 30
    assert not list(tmp_path.iterdir())


def test_who_has_sigterm_keeps_it(run: Run, people: Path) -> None:
    def own(*_: object) -> None: ...

    before = signal.signal(signal.SIGTERM, own)
    try:
        assert run("info", people)[0] == 0
        assert signal.getsignal(signal.SIGTERM) is own
    finally:
        signal.signal(signal.SIGTERM, before)
    assert run("info", people)[0] == 0
    assert signal.getsignal(signal.SIGTERM) is before
