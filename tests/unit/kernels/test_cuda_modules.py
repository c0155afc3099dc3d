"""Modules are compiled once, side by side where they are begun, whatever becomes of them."""

from __future__ import annotations

import sys
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import nullcontext
from types import SimpleNamespace
from typing import Any

import pytest

from spbfs.engines.cuda.runtime import modules
from spbfs.engines.cuda.runtime.source import Specialisation
from spbfs.engines.cuda.specialisations import specialisations

SOME, OTHER = (Specialisation("push", (f"push<{t}>",)) for t in ("int", "long long"))


class Compiler:
    """Takes the place of CuPy's: notes which thread compiles what, and waits until it may."""

    def __init__(self) -> None:
        self.by: list[tuple[str, threading.Thread]] = []
        self.may_go_on = threading.Event()
        self.may_go_on.set()
        self.error: Exception | None = None
        self.given: set[str] = set()

    def module(self, *, name_expressions: tuple[str, ...], **given: Any) -> Any:
        self.by.append((name_expressions[0], threading.current_thread()))
        self.given |= given.keys()
        assert self.may_go_on.wait(10)
        if self.error is not None:
            raise self.error
        return SimpleNamespace(kernels=name_expressions, compile=lambda: None)


@pytest.fixture
def threads() -> int:
    """How many compile what was begun."""
    return 1


@pytest.fixture
def compiler(monkeypatch: pytest.MonkeyPatch, threads: int) -> Iterator[Compiler]:
    """No module compiled yet."""
    found = Compiler()
    cuda = SimpleNamespace(runtime=SimpleNamespace(getDevice=lambda: 0), Device=nullcontext)
    monkeypatch.setitem(sys.modules, "cupy", SimpleNamespace(RawModule=found.module, cuda=cuda))
    monkeypatch.setattr(modules, "_modules", {})
    monkeypatch.setattr(modules.cubins, "find", lambda _: None)
    with ThreadPoolExecutor(threads) as pool:
        monkeypatch.setattr(modules, "_pool", lambda: pool)
        yield found
        found.may_go_on.set()


def test_what_was_begun_is_compiled_by_another_thread_and_once(compiler: Compiler) -> None:
    modules.begin(SOME, OTHER)
    modules.begin(SOME)
    assert modules.load(SOME) is modules.load(SOME)
    assert modules.load(SOME).kernels == SOME.kernels
    assert [name for name, _ in compiler.by].count("push<int>") == 1
    assert dict(compiler.by)["push<int>"] is not threading.current_thread()


def test_what_waits_for_a_thread_is_compiled_by_whoever_needs_it(compiler: Compiler) -> None:
    busy = threading.Event()
    modules._pool().submit(busy.wait, 10)
    modules.begin(SOME)
    assert modules.load(SOME).kernels == SOME.kernels
    busy.set()
    assert compiler.by == [("push<int>", threading.current_thread())]


def test_threads_that_need_the_same_wait_for_one(compiler: Compiler) -> None:
    compiler.may_go_on.clear()
    with ThreadPoolExecutor(3) as users:
        found = [users.submit(modules.load, SOME) for _ in range(3)]
        compiler.may_go_on.set()
        assert len({id(f.result()) for f in found}) == len(compiler.by) == 1


@pytest.mark.parametrize("begun", [False, True])
def test_a_failure_is_the_users_and_not_kept(compiler: Compiler, begun: bool) -> None:
    compiler.error = RuntimeError("no space left on device")
    if begun:
        modules.begin(SOME)
    with pytest.raises(RuntimeError, match="no space left"):
        modules.load(SOME)
    compiler.error = None
    assert modules.load(SOME).kernels == SOME.kernels


def test_all_modules_have_the_same_options() -> None:
    """CuPy compiles an empty source for each set of them, in every process.

    And none has what NVRTC does not forget: after `--Ofast-compile` all that a process compiles is
    slower.
    """
    (options,) = {s.options for s in specialisations()}
    assert not any("Ofast" in option for option in options)


def test_definitions_stand_before_the_source() -> None:
    made = Specialisation("bfs", ("bfs<int>",), ("BFS_THREADS=512", "SUM=a == b ? 1 : 0"))
    assert made.code.startswith("#define BFS_THREADS 512\n#define SUM a == b ? 1 : 0\n#line 1 ")


def test_no_module_is_compiled_to_be_linked(compiler: Compiler) -> None:
    """As CuPy before 14.2 does for cooperative groups, and needs the CUDA toolkit for."""
    modules.load(next(s for s in specialisations() if s.cooperative))
    assert compiler.given == {"code", "options"}


def test_what_the_package_brings_needs_no_compiler(
    compiler: Compiler, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(modules.cubins, "find", lambda s: ("brought", s) if s == SOME else None)
    assert modules.load(SOME) == ("brought", SOME) and not compiler.by
    assert modules.load(OTHER).kernels == OTHER.kernels
