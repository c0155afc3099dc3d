"""A CSR folder that another one replaces: readers and other writers find one of them, whole."""

from __future__ import annotations

import os
import threading
from pathlib import Path
from typing import Any

import pytest

import spbfs as sb
from spbfs.io.mapped import csr_folder, csr_writer

SHORT, LONG = sb.generate.path(5), sb.generate.path(500)


def _exchanges(folder: Path) -> bool:
    one, other = folder / "one", folder / "other"
    one.mkdir()
    other.mkdir()
    exchanged = csr_writer._exchange(one, other)
    one.rmdir()
    other.rmdir()
    return exchanged


def test_its_name_is_there_at_every_moment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever kills the writer may do so between any two of its steps."""
    if not _exchanges(tmp_path):
        pytest.skip("the file system cannot exchange two names")
    folder = tmp_path / "g.csr"
    sb.write(folder, SHORT)
    steps: list[str] = []

    def spied(name: str) -> None:
        step = getattr(os, name)

        def then_looked(*args: Any, **options: Any) -> Any:
            try:
                return step(*args, **options)
            finally:
                steps.append(name)
                assert (folder / "header.json").is_file()

        monkeypatch.setattr(os, name, then_looked)

    for name in ("rename", "rmdir", "unlink", "mkdir"):
        spied(name)
    sb.write(folder, LONG)
    monkeypatch.undo()
    assert {"rename", "rmdir", "mkdir"} <= set(steps)
    assert sb.open_csr(folder, verify=True).isequal(LONG)
    assert os.listdir(tmp_path) == ["g.csr"]


@pytest.mark.parametrize("exchange", [True, False])
def test_the_last_of_several_writers_stays_and_nothing_beside(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, exchange: bool
) -> None:
    if not exchange:  # as of a system without it
        monkeypatch.setattr(csr_writer, "_exchange", lambda one, other: False)
    folder, errors = tmp_path / "g.csr", []
    sb.write(folder, LONG)

    def repeat(work: Any) -> None:
        try:
            for _ in range(60):
                work()
        except BaseException as error:
            errors.append(error)

    def read() -> None:
        A = sb.open_csr(folder, verify=True)
        assert A.isequal(SHORT) or A.isequal(LONG)

    works = [lambda: sb.write(folder, SHORT), lambda: sb.write(folder, LONG)]
    if exchange and _exchanges(tmp_path):
        works += [read, read]
    threads = [threading.Thread(target=repeat, args=(work,)) for work in works]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not errors and os.listdir(tmp_path) == ["g.csr"]
    read()


def test_a_folder_that_is_replaced_while_it_is_opened(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its header is not believed of another one's arrays."""
    folder, read = tmp_path / "g.csr", csr_folder._read_header
    sb.write(folder, SHORT)

    def then_replaced(*args: Any) -> Any:
        header = read(*args)
        monkeypatch.undo()
        sb.write(folder, LONG)
        return header

    monkeypatch.setattr(csr_folder, "_read_header", then_replaced)
    assert sb.open_csr(folder, verify=True).isequal(LONG)


def test_a_folder_that_cannot_be_replaced_keeps_its_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder, rename = tmp_path / "g.csr", os.rename
    sb.write(folder, SHORT)

    def refused(one: Any, other: Any) -> None:
        if str(one).endswith(".partial") and not os.path.exists(other):
            raise OSError(28, "No space left on device")
        rename(one, other)

    monkeypatch.setattr(csr_writer, "_exchange", lambda one, other: False)
    monkeypatch.setattr(os, "rename", refused)
    with pytest.raises(sb.exceptions.FileError, match="No space left"):
        sb.write(folder, LONG)
    assert sb.open_csr(folder).isequal(SHORT) and os.listdir(tmp_path) == ["g.csr"]


@pytest.mark.parametrize("step", [1, 2])
def test_an_interrupted_write_leaves_a_graph_under_the_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, step: int
) -> None:
    """A signal between the two names, where they cannot be exchanged, and after them."""
    folder, rename, done = tmp_path / "g.csr", os.rename, []
    sb.write(folder, SHORT)

    def interrupted(one: Any, other: Any) -> None:
        rename(one, other)
        done.append(one)
        if len(done) == step:
            raise KeyboardInterrupt

    monkeypatch.setattr(csr_writer, "_exchange", lambda one, other: False)
    monkeypatch.setattr(os, "rename", interrupted)
    with pytest.raises(KeyboardInterrupt):
        sb.write(folder, LONG)
    assert sb.open_csr(folder, verify=True).isequal(SHORT if step == 1 else LONG)
    if step == 1:
        assert os.listdir(tmp_path) == ["g.csr"]


@pytest.mark.parametrize("exchange", [True, False])
def test_what_gets_the_name_meanwhile_and_is_no_graph_is_not_deleted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, exchange: bool
) -> None:
    if not exchange:
        monkeypatch.setattr(csr_writer, "_exchange", lambda one, other: False)
    folder, check = tmp_path / "g.csr", csr_writer._check_whole

    def then_taken(*args: Any) -> None:
        check(*args)
        folder.mkdir()
        (folder / "thesis.txt").write_text("mine")

    monkeypatch.setattr(csr_writer, "_check_whole", then_taken)
    with pytest.raises(sb.exceptions.FileError, match=r"path: .*g\.csr' exists and is no CSR"):
        sb.write(folder, SHORT)
    assert (folder / "thesis.txt").read_text() == "mine"
    assert os.listdir(tmp_path) == ["g.csr"] and os.listdir(folder) == ["thesis.txt"]


@pytest.mark.parametrize("name", ["header.json", "columns"])
def test_folders_in_the_place_of_files_leave_no_descriptor_open(tmp_path: Path, name: str) -> None:
    folder = tmp_path / "g.csr"
    sb.write(folder, SHORT)
    (folder / name).unlink()
    (folder / name).mkdir()
    before = len(os.listdir("/proc/self/fd"))
    for _ in range(5):
        with pytest.raises(sb.exceptions.FileError, match="directory"):
            sb.open_csr(folder)
    assert len(os.listdir("/proc/self/fd")) == before
