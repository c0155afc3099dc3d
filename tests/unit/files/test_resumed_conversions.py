"""Conversions of lists of edges that are stopped, killed, and gone on with."""

from __future__ import annotations

import signal
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import spbfs as sb
from spbfs.exceptions import FileBusy, FormatError, InvalidValue
from spbfs.io.conversion import edge_lists, external_sort
from spbfs.io.conversion.progress import Progress
from spbfs.io.files import source, tokens
from spbfs.io.files.lock import FileLock
from spbfs.io.mapped import csr_writer
from tests.edge_lists import put, random_list
from tests.processes import finished


@pytest.mark.parametrize("name", ["a.wel", "a.txt.gz"])
@pytest.mark.parametrize("late", [False, True])
def test_a_conversion_that_is_stopped_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, late: bool
) -> None:
    """Stopped before or after it has written down how far it is, each third time, until the end."""
    monkeypatch.setattr(source, "PIECE", 4096)
    monkeypatch.setattr(edge_lists, "capacity_of", lambda room, valued: 700)
    path, target = random_list(tmp_path, name, 4000), tmp_path / "a.csr"
    save, saves, read, stops = Progress.save, [0], [0], 0

    def saved(self: Progress, folder: Path) -> None:
        saves[0] += 1
        if late:
            save(self, folder)
        if saves[0] % 3 == 0:
            raise KeyboardInterrupt
        if not late:
            save(self, folder)

    def counted(*arguments: Any) -> Any:
        for piece in tokens.parsed(*arguments):
            read[0] += piece.lines
            yield piece

    monkeypatch.setattr(Progress, "save", saved)
    monkeypatch.setattr(edge_lists, "parsed", counted)
    while not target.exists():
        try:
            sb.convert(path, target)
        except KeyboardInterrupt:
            stops += 1
    assert stops > 8 and 4000 <= read[0] < 4000 + 700 * stops
    assert sb.open_csr(target, verify=True).isequal(sb.read(path))
    assert {p.name for p in tmp_path.iterdir()} == {name, "a.csr"}


def test_a_conversion_that_is_killed_goes_on(tmp_path: Path) -> None:
    program = """
    import os, signal, sys, spbfs as sb
    from spbfs.io.conversion import edge_lists, progress
    from spbfs.io.files import source
    source.PIECE = 4096
    edge_lists.capacity_of = lambda room, valued: 700
    save, saves = progress.Progress.save, 0
    def saved(self, folder):
        global saves
        saves += 1
        save(self, folder)
        if saves == int(sys.argv[3]):
            os.kill(os.getpid(), signal.SIGKILL)
    progress.Progress.save = saved
    sb.convert(sys.argv[1], sys.argv[2])
    print(saves)
    """
    path, target = random_list(tmp_path, "a.wel", 4000), tmp_path / "a.csr"
    killed = finished("", program, path, target, 12)
    assert killed.returncode == -signal.SIGKILL and not target.exists(), killed.stderr
    ended = finished("", program, path, target, 0)
    assert ended.returncode == 0 and 0 < int(ended.stdout) < 24, ended.stderr
    assert sb.open_csr(target, verify=True).isequal(sb.read(path))


@pytest.mark.parametrize("name", ["a.wel", "a.txt"])
@pytest.mark.parametrize("capacities", [(700, 1 << 20), (1 << 20, 300), (300, 700), (700, 90)])
def test_another_call_may_have_other_memory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, capacities: tuple[int, int]
) -> None:
    """Stopped after every number of saves once, and gone on with as much as the other call has."""
    monkeypatch.setattr(source, "PIECE", 4096)
    path, save = random_list(tmp_path, name, 2000), Progress.save
    expected, left = sb.read(path), [0]

    def saved(self: Progress, folder: Path) -> None:
        save(self, folder)
        left[0] -= 1
        if left[0] == 0:
            raise KeyboardInterrupt

    monkeypatch.setattr(Progress, "save", saved)
    stopped = 1
    while True:
        target = tmp_path / f"{stopped}.csr"
        monkeypatch.setattr(edge_lists, "capacity_of", lambda *_: capacities[0])
        left[0] = stopped
        try:
            sb.convert(path, target)
            break
        except KeyboardInterrupt:
            monkeypatch.setattr(edge_lists, "capacity_of", lambda *_: capacities[1])
            sb.convert(path, target)
        assert sb.open_csr(target, verify=True).isequal(expected), stopped
        stopped += 1 + stopped // 6
    assert stopped > 4


@pytest.mark.parametrize("kind", ["keys", "values"])
@pytest.mark.parametrize("damage", ["a bit", "a high byte", "cut", "longer", "gone"])
@pytest.mark.parametrize("phase", ["rows", "columns"])
def test_a_run_that_was_damaged_meanwhile_is_an_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str, damage: str, phase: str
) -> None:
    """Also in what has been merged of it in part, and the next call begins again."""
    monkeypatch.setattr(source, "PIECE", 4096)
    monkeypatch.setattr(external_sort, "BLOCK", 1 << 10)
    monkeypatch.setattr(csr_writer, "BLOCK", 1 << 10)
    monkeypatch.setattr(edge_lists, "BLOCK", 1 << 12)
    monkeypatch.setattr(edge_lists, "capacity_of", lambda *_: 700)
    path, target, save = random_list(tmp_path, "a.wel", 3000), tmp_path / "a.csr", Progress.save

    def saved(self: Progress, folder: Path) -> None:
        save(self, folder)
        if self.phase == phase and getattr(self, phase).entries > 500:
            raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(Progress, "save", saved)
        with pytest.raises(KeyboardInterrupt):
            sb.convert(path, target)
    run = tmp_path / "a.csr.partial" / f"{phase}-00001.{kind}"
    content = bytearray(run.read_bytes())
    if damage == "a bit":
        content[-8] ^= 1
    if damage == "a high byte":
        content[-2] ^= 64
    run.write_bytes({"cut": content[:-8], "longer": content + b"8" * 8}.get(damage, content))
    if damage == "gone":
        run.unlink()
    with pytest.raises(FormatError, match=rf"{phase}-00001\.{kind}.*the same call begins again"):
        sb.convert(path, target)
    assert [left.name for left in tmp_path.iterdir()] == ["a.wel"]
    monkeypatch.setattr(csr_writer, "BLOCK", edge_lists.BLOCK)
    monkeypatch.setattr(external_sort, "BLOCK", edge_lists.BLOCK)
    sb.convert(path, target)
    assert sb.open_csr(target, verify=True).isequal(sb.read(path))


def test_a_row_beyond_the_last_one_is_not_handed_out(tmp_path: Path) -> None:
    """Whatever is written of it is as long, and a block's checksum is known at its end."""
    runs: list[external_sort.Run] = []
    writer = external_sort.RunWriter(tmp_path, "rows", 100, runs)
    writer.add(external_sort.keys_of(np.arange(100), np.arange(100)), None)
    writer.flush()
    path = runs[0].path(tmp_path, "keys")
    content = bytearray(path.read_bytes())
    content[8 * 41 + 6] ^= 64
    path.write_bytes(content)
    parts = external_sort.merged(tmp_path, runs, [50 << 32], 0, 100 << 32)
    with pytest.raises(FormatError, match=r"rows-00000\.keys.* has an entry of the row 4,194,345"):
        next(parts)


def test_only_a_folder_that_is_whole_gets_its_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, target = put(tmp_path, "a.txt", "0 1\n1 2\n2 4\n"), tmp_path / "a.csr"
    finish = edge_lists.finish_folder

    def damaged(argument: str, partial: Path, *rest: Any) -> None:
        with open(partial / "transpose.columns", "r+b") as file:
            file.truncate(4)
        finish(argument, partial, *rest)

    monkeypatch.setattr(edge_lists, "finish_folder", damaged)
    with pytest.raises(FormatError, match=r"transpose\.columns' has 4 bytes, .*; expected 12"):
        sb.convert(path, target)
    assert [left.name for left in tmp_path.iterdir()] == ["a.txt"]


def test_what_another_conversion_left_is_not_gone_on_with(tmp_path: Path) -> None:
    path, target = put(tmp_path, "a.txt", "0 1\n1 2\n"), tmp_path / "a.csr"
    program = "import sys, spbfs as sb\nfrom spbfs.io.conversion import edge_lists\n"
    program += "edge_lists.finish_folder = lambda *_: sys.exit(9)\nsb.convert(*sys.argv[1:])"
    assert finished("", program, path, target).returncode == 9
    assert (tmp_path / "a.csr.partial").is_dir() and not target.exists()
    with pytest.raises(InvalidValue, match="another conversion, with directed True"):
        sb.convert(path, target, directed=False)
    state = tmp_path / "a.csr.partial" / "progress.json"
    kept = state.read_text()
    for damage in ("", "{", "[]", "{}", kept[: len(kept) // 2], kept.replace('"runs"', '"ran"')):
        state.write_text(damage)
        with pytest.raises(FormatError, match="cannot be read"):
            sb.convert(path, target)
    state.write_text(kept)
    sb.convert(path, target)
    assert sb.open_csr(target).nvals == 2
    path.write_text("0 1\n1 2\n2 3\n")
    sb.convert(path, target)
    assert sb.open_csr(target).nvals == 3


def test_what_was_replaced_is_not_taken_for_what_was_made(tmp_path: Path) -> None:
    """The next call of one that was killed as the two had exchanged their names."""
    path, target = put(tmp_path, "a.txt", "0 1\n1 2\n"), tmp_path / "a.csr"
    sb.convert(path, target)
    path.write_text("0 2\n2 1\n")
    program = "import os, sys, spbfs as sb\nfrom spbfs.io.mapped import csr_writer\n"
    program += "exchange = csr_writer._exchange\n"
    program += "csr_writer._exchange = lambda *pair: exchange(*pair) and os._exit(9)\n"
    program += "sb.convert(*sys.argv[1:])"
    if finished("", program, path, target).returncode != 9:
        pytest.skip("the file system cannot exchange two names")
    for _ in range(2):
        assert sb.open_csr(target).to_coo()[1].tolist() == [2, 1]
        sb.convert(path, target)
    assert sorted(left.name for left in tmp_path.iterdir()) == ["a.csr", "a.txt"]


def test_a_list_that_is_refused_leaves_nothing(tmp_path: Path) -> None:
    for text in ("0 1\n1\n", "0 1\n1e3 2\n", "0 99999999999\n"):
        path = put(tmp_path, "a.txt", text)
        with pytest.raises((FormatError, InvalidValue)):
            sb.convert(path, tmp_path / "a.csr")
        assert [left.name for left in tmp_path.iterdir()] == ["a.txt"]


def test_one_call_at_a_time(tmp_path: Path) -> None:
    path = put(tmp_path, "a.txt", "0 1\n")
    lock = FileLock("target", tmp_path / "a.csr")
    with pytest.raises(FileBusy):
        sb.convert(path, tmp_path / "a.csr")
    lock.release()
    sb.convert(path, tmp_path / "a.csr")
