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


class CompileException(Exception):
    pass


class Compiler:
    """Takes the place of CuPy's: notes which thread compiles what, and waits until it may."""

    def __init__(self) -> None:
        self.by: list[tuple[str, threading.Thread]] = []
        self.may_go_on = threading.Event()
        self.may_go_on.set()
        self.error: Exception | None = None
        #: Of a compiler that knows no haste.
        self.refusal: Exception | None = None
        self.given: set[str] = set()
        #: Whether the device has memory for stacks, and uses that have some.
        self.room = True
        self.stacks: list[int] = []

    def module(self, *, name_expressions: tuple[str, ...], **given: Any) -> Any:
        in_haste = "--Ofast-compile=max" in given["options"]
        self.by.append((name_expressions[0], threading.current_thread()))
        self.given |= given.keys()
        if in_haste and self.refusal is not None:
            raise self.refusal
        assert in_haste or self.may_go_on.wait(10)
        if self.error is not None:
            raise self.error
        return SimpleNamespace(kernels=name_expressions, compile=lambda: None, in_haste=in_haste)


@pytest.fixture
def threads() -> int:
    """How many compile what was begun."""
    return 1


@pytest.fixture
def compiler(monkeypatch: pytest.MonkeyPatch, threads: int) -> Iterator[Compiler]:
    """No module compiled yet."""
    found = Compiler()
    cuda = SimpleNamespace(
        runtime=SimpleNamespace(getDevice=lambda: 0),
        Device=nullcontext,
        compiler=SimpleNamespace(CompileException=CompileException),
    )
    monkeypatch.setitem(sys.modules, "cupy", SimpleNamespace(RawModule=found.module, cuda=cuda))
    monkeypatch.setattr(modules, "_modules", {})
    monkeypatch.setattr(modules, "_served", set())
    monkeypatch.setattr(modules.cubins, "find", lambda _: None)
    monkeypatch.setattr(modules, "limits", lambda: SimpleNamespace(sms=1))
    memory = SimpleNamespace(
        has_room_for_stacks=lambda sms: found.room, keep_stack=lambda: found.stacks.append(1)
    )
    monkeypatch.setitem(sys.modules, "spbfs.base.gpu_memory", memory)
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


@pytest.mark.parametrize("threads", [2])
@pytest.mark.parametrize("begun", [False, True])
def test_the_first_use_of_what_takes_long_has_it_in_haste(compiler: Compiler, begun: bool) -> None:
    compiler.may_go_on.clear()
    if begun:
        modules.begin(SOME, in_haste=True)
    module, in_haste = modules.load_first(SOME)
    assert in_haste and module.in_haste
    compiler.may_go_on.set()
    module, in_haste = modules.load_first(SOME)
    assert not (in_haste or module.in_haste) and len(compiler.stacks) == 1
    assert module is modules.load(SOME)
    modules.begin(SOME, in_haste=True)
    assert len(compiler.by) == 2


@pytest.mark.parametrize("threads", [2])
def test_where_memory_is_short_nothing_in_haste_takes_it(compiler: Compiler) -> None:
    compiler.room = False
    compiler.may_go_on.clear()
    with ThreadPoolExecutor(1) as user:
        found = user.submit(modules.load_first, SOME)
        with pytest.raises(TimeoutError):
            found.result(2 * modules._ON_DISK)
        compiler.may_go_on.set()
        module, in_haste = found.result(10)
    assert not (in_haste or module.in_haste or compiler.stacks)


@pytest.mark.parametrize("threads", [1, 2])
def test_what_is_there_at_once_is_not_compiled_in_haste(compiler: Compiler, threads: int) -> None:
    module, in_haste = modules.load_first(SOME)
    assert not (in_haste or module.in_haste or compiler.stacks)
    assert len(compiler.by) == 1


def test_one_whose_failure_another_thread_has_seen_is_begun_again(compiler: Compiler) -> None:
    """It is no longer known then."""
    compiler.may_go_on.clear()
    module, in_haste = modules._compiled_in_haste(SOME)
    assert in_haste and module.in_haste
    compiler.may_go_on.set()
    assert modules.load(SOME) is not module


@pytest.mark.parametrize("threads", [2])
def test_a_compiler_that_knows_no_haste_is_waited_for(
    compiler: Compiler, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(modules, "_ON_DISK", 0.0)
    compiler.refusal = CompileException("unrecognized option")
    compiler.may_go_on.clear()
    with ThreadPoolExecutor(1) as user:
        found = user.submit(modules.load_first, SOME)
        while len(compiler.by) < 2:
            assert not found.done()
        compiler.may_go_on.set()
        module, in_haste = found.result(10)
    assert module is modules.load(SOME) and not in_haste


@pytest.mark.parametrize("threads", [2])
def test_a_failure_in_haste_is_the_users_and_no_other_is(
    compiler: Compiler, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(modules, "_ON_DISK", 0.0)
    compiler.may_go_on.clear()
    compiler.refusal = RuntimeError("no space left on device")
    with pytest.raises(RuntimeError, match="no space left"):
        modules.load_first(SOME)
    compiler.may_go_on.set()
    assert modules.load_first(SOME)[0] is modules.load(SOME)


@pytest.mark.parametrize("threads", [1, 2])
def test_a_failure_of_the_thorough_one_leaves_the_other(
    compiler: Compiler, monkeypatch: pytest.MonkeyPatch, threads: int
) -> None:
    monkeypatch.setattr(modules, "_ON_DISK", 0.0)
    compiler.may_go_on.clear()
    modules.begin(SOME)
    while not compiler.by:
        pass
    module, in_haste = modules.load_first(SOME)
    assert in_haste and module.in_haste
    compiler.error = RuntimeError("no space left on device")
    compiler.may_go_on.set()
    with pytest.raises(RuntimeError, match="no space left"):
        modules.load_first(SOME)
    compiler.error = None
    assert modules.load_first(SOME)[0] is modules.load(SOME)


def test_one_that_another_thread_has_taken_over_is_not_there(
    compiler: Compiler, monkeypatch: pytest.MonkeyPatch
) -> None:
    busy = threading.Event()
    modules._pool().submit(busy.wait, 10)
    compiler.may_go_on.clear()
    monkeypatch.setattr(modules, "_ON_DISK", 0.5)
    with ThreadPoolExecutor(2) as users:
        first = users.submit(modules.load_first, SOME)
        while modules._Task(SOME) not in modules._modules:
            pass
        other = users.submit(modules.load, SOME)
        module, in_haste = first.result(10)
        assert in_haste and module.in_haste
        compiler.may_go_on.set()
        busy.set()
        assert other.result(10) is modules.load(SOME)


def test_all_modules_have_the_same_options() -> None:
    """CuPy compiles an empty source for each set of them, in every process."""
    assert len({s.options for s in specialisations()}) == 1


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
    """Nor is anything compiled in haste."""
    monkeypatch.setattr(modules.cubins, "find", lambda s: ("brought", s) if s == SOME else None)
    assert modules.load_first(SOME) == (("brought", SOME), False)
    assert modules.load(SOME) == ("brought", SOME) and not compiler.by
    assert modules.load(OTHER).kernels == OTHER.kernels
