"""Kernels compiled where the package was built are found by all that they were made of."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from spbfs.base.paths import kernels_path
from spbfs.engines.cuda.ahead import __main__ as ahead
from spbfs.engines.cuda.ahead import nvrtc
from spbfs.engines.cuda.runtime import cubins
from spbfs.engines.cuda.runtime.source import Specialisation
from spbfs.engines.cuda.specialisations import specialisations

SOME, OTHER = [s for s in specialisations() if s.stem == "count"][:2]


def _has_nvrtc() -> bool:
    try:
        nvrtc.library_for(75)
    except nvrtc.NoCompiler:
        return False
    return True


needs_nvrtc = pytest.mark.skipif(not _has_nvrtc(), reason="pip install nvidia-cuda-nvrtc")


class CUDADriverError(Exception):
    pass


class Machine:
    """Takes the place of CuPy: GPUs by their compute capabilities, and what they load."""

    def __init__(self) -> None:
        self.capabilities = ["90"]
        self.refuses: set[str] = set()

    def module(self, *, path: str) -> Any:
        def compile() -> None:
            if path in self.refuses:
                raise CUDADriverError

        return SimpleNamespace(get_function=lambda name: (path, name), compile=compile)

    @property
    def cupy(self) -> Any:
        devices = [SimpleNamespace(compute_capability=c) for c in self.capabilities]
        runtime = SimpleNamespace(getDeviceCount=lambda: len(devices))
        driver = SimpleNamespace(CUDADriverError=CUDADriverError)
        cuda = SimpleNamespace(runtime=runtime, Device=devices.__getitem__, driver=driver)
        return SimpleNamespace(cuda=cuda, RawModule=self.module)


@pytest.fixture
def machine(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Machine]:
    """A package that brings nothing yet; `tmp_path` is its folder."""
    machine = Machine()
    monkeypatch.setattr(cubins, "cubins_path", lambda: tmp_path)
    monkeypatch.setitem(sys.modules, "cupy", machine.cupy)
    _forget()
    yield machine
    _forget()


def _forget() -> None:
    cubins._folder.cache_clear()
    cubins._kept.cache_clear()


def _has(machine: Machine, monkeypatch: pytest.MonkeyPatch, *capabilities: str) -> None:
    machine.capabilities = list(capabilities)
    monkeypatch.setitem(sys.modules, "cupy", machine.cupy)
    _forget()


def _bring(root: Path, arch: int, *modules: Specialisation) -> None:
    folder = root / f"sm_{arch}"
    folder.mkdir()
    names = {module.key: {module.kernels[0]: f"mangled{arch}"} for module in modules}
    (folder / cubins.INDEX).write_text(json.dumps({"compiler": "13.0", "names": names}))
    for module in modules:
        cubins.file_of(folder, module).touch()


def test_what_is_brought_is_found(
    machine: Machine, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    assert cubins.find(SOME) is None
    _bring(tmp_path, 90, SOME)
    _forget()
    found = cubins.find(SOME)
    path = str(cubins.file_of(tmp_path / "sm_90", SOME))
    assert found is not None and found.get_function(SOME.kernels[0]) == (path, "mangled90")
    assert cubins.find(OTHER) is None
    assert cubins.find(replace(SOME, defines=("ANOTHER=1",))) is None
    assert cubins.find(replace(SOME, kernels=(*SOME.kernels, "another"))) is None
    machine.refuses.add(path)
    assert cubins.find(SOME) is None, "compiled, where the driver does not take it"
    machine.refuses.clear()
    Path(path).unlink()
    assert cubins.find(SOME) is None


@pytest.mark.parametrize("torn", ["", '{"compiler": "13.0", "na', "[1]", '{"more": 1}'])
def test_a_damaged_list_is_none(
    torn: str, machine: Machine, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    _bring(tmp_path, 90, SOME)
    (tmp_path / "sm_90" / cubins.INDEX).write_text(torn)
    _forget()
    assert cubins.find(SOME) is None


@pytest.mark.parametrize(
    ("capabilities", "arch"),
    [
        (["90"], 90),
        (["80"], 80),
        (["89"], 86),
        (["103"], 100),
        (["70"], None),
        (["120"], None),
        (["90", "90"], 90),
        (["89", "86"], 86),
        (["80", "90"], None),
        (["87"], None),
        (["86", "87"], None),
    ],
)
def test_code_is_of_the_gpus_there_are(
    capabilities: list[str],
    arch: int | None,
    machine: Machine,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
) -> None:
    """Of the same major version and no later minor one that all have; boards have their own."""
    for brought in (80, 86, 90, 100):
        _bring(tmp_path, brought, SOME)
    _has(machine, monkeypatch, *capabilities)
    found = cubins.find(SOME)
    assert (found and found.names) == (arch and {SOME.kernels[0]: f"mangled{arch}"})


@needs_nvrtc
def test_what_has_not_changed_is_not_compiled_again(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    listed = [s for s in specialisations() if s.stem == "count"]
    monkeypatch.setattr(ahead, "specialisations", lambda: iter(listed))

    def compiled() -> int:
        return ahead.compile_ahead(tmp_path, 75, nvrtc.library_for(75), set())

    def expected() -> set[Path]:
        return {cubins.file_of(tmp_path, s) for s in listed} | {tmp_path / cubins.INDEX}

    assert compiled() == len(listed)
    assert set(tmp_path.iterdir()) == expected()
    names = cubins.index_of(tmp_path).names
    for module in listed:
        code = cubins.file_of(tmp_path, module).read_bytes()
        assert code.startswith(b"\x7fELF") and set(names[module.key]) == set(module.kernels)
        assert all(mangled.encode() in code for mangled in names[module.key].values())
    assert compiled() == 0
    listed[0] = replace(listed[0], defines=("ANOTHER=1",))
    assert compiled() == 1
    assert set(tmp_path.iterdir()) == expected()
    monkeypatch.setattr(nvrtc, "version", lambda _: "another")
    assert compiled() == len(listed)
    (tmp_path / cubins.INDEX).write_text("{")
    assert compiled() == len(listed)


@needs_nvrtc
@pytest.mark.parametrize("native", [False, True])
def test_what_does_not_compile(
    native: bool, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: Any
) -> None:
    """It ends a build that asked for it, and not one that has a GPU by chance."""
    broken = replace(SOME, kernels=("no_such_kernel",))
    monkeypatch.setattr(ahead, "specialisations", lambda: iter([broken]))
    code = _main(monkeypatch, tmp_path, 75, native=native)
    said = capsys.readouterr()
    assert code == (0 if native else 2)
    assert "no_such_kernel" in (said.out if native else said.err).partition("sm_75")[2]
    assert not cubins.index_of(tmp_path / "sm_75").names
    assert not (native and (tmp_path / "sm_75").exists())


@pytest.mark.parametrize("native", [False, True])
def test_architectures_that_no_compiler_knows(
    native: bool, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: Any
) -> None:
    code = _main(monkeypatch, tmp_path, 13, native=native)
    said = capsys.readouterr()
    assert code == (0 if native else 2)
    assert "no NVRTC is here that knows it\n" in (said.out if native else said.err)


@pytest.mark.parametrize(
    "capabilities, driver, named, wanted",
    [
        ({90}, 13, "native", ["nvidia-cuda-nvrtc>=13.0,<14"]),
        ({90}, 12, "native", ["nvidia-cuda-nvrtc-cu12>=12.9"]),
        ({70}, 13, "native", ["nvidia-cuda-nvrtc-cu12>=12.9"]),
        ({90}, 11, "native", []),
        ({75, 90}, 13, "native", []),
        (set(), 0, "native", []),
        (set(), 0, "70;90", ["nvidia-cuda-nvrtc-cu12>=12.9"]),
        ({90}, 13, "40", []),
        (set(), 0, "80;110", ["nvidia-cuda-nvrtc-cu12>=12.9", "nvidia-cuda-nvrtc>=13.0,<14"]),
    ],
)
def test_builds_in_isolation_are_given_a_compiler(
    capabilities: set[int],
    driver: int,
    named: str,
    wanted: list[str],
    monkeypatch: pytest.MonkeyPatch,
    capsys: Any,
) -> None:
    monkeypatch.setattr(ahead, "machine", lambda: ahead.Machine(capabilities, driver))
    monkeypatch.setattr(nvrtc, "_library", lambda release: None)
    command = ["ahead", "--requirements", "--arch", *named.split(";")]
    monkeypatch.setattr(sys, "argv", command)
    assert ahead.main() == 0
    said = capsys.readouterr().out.splitlines()
    assert [line.partition(";")[0] for line in said] == wanted
    assert all(
        line.endswith('; platform_machine == "x86_64" or platform_machine == "aarch64"')
        for line in said
    )


@needs_nvrtc
def test_builds_that_have_a_compiler_are_given_none(
    monkeypatch: pytest.MonkeyPatch, capsys: Any
) -> None:
    monkeypatch.setattr(sys, "argv", ["ahead", "--requirements", "--arch", "75"])
    assert ahead.main() == 0 and not capsys.readouterr().out


@pytest.mark.parametrize("hook", ["wheel", "editable"])
def test_the_build_asks_for_what_its_settings_need(
    hook: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of a machine without NVRTC: one with a GPU asks for a compiler unless it is told not to."""
    scikit = pytest.importorskip("scikit_build_core.build")
    monkeypatch.syspath_prepend(str(kernels_path()))
    import build_backend

    run, asked = subprocess.run, []

    def without_nvrtc(command: list[str], **options: Any) -> subprocess.CompletedProcess[str]:
        asked.append(command[command.index("--arch") + 1 :])
        hidden = (
            "import sys; sys.argv = sys.argv[1:]; sys.path.insert(0, sys.argv.pop(1));"
            "from spbfs.engines.cuda.ahead import __main__ as ahead, nvrtc;"
            "nvrtc._library = lambda release: None;"
            "ahead.machine = lambda: ahead.Machine({90}, 13); sys.exit(ahead.main())"
        )
        root = str(kernels_path().parent)
        return run([command[0], "-c", hidden, "ahead", root, *command[3:]], **options)

    monkeypatch.setattr(subprocess, "run", without_nvrtc)
    monkeypatch.chdir(kernels_path().parent)
    name = f"get_requires_for_build_{hook}"
    usual = getattr(scikit, name)({})

    def required(given: str | None) -> list[str]:
        settings = {"cmake.define.SPBFS_GPU_ARCHITECTURES": given} if given is not None else None
        made = getattr(build_backend, name)(config_settings=settings)
        assert made[: len(usual)] == usual
        return [line.partition(">")[0] for line in made[len(usual) :]]

    assert required("none") == [] == required("sm_90")
    assert required("70;90;") == ["nvidia-cuda-nvrtc-cu12"]
    assert required(None) == required("") == ["nvidia-cuda-nvrtc"]
    assert asked == [["sm_90"], ["70", "90"], ["native"], ["native"]]


def _main(monkeypatch: pytest.MonkeyPatch, folder: Path, arch: int, *, native: bool) -> Any:
    """The exit status of a build for an architecture, that of a GPU here or a named one."""
    monkeypatch.setattr(ahead, "machine", lambda: ahead.Machine({arch}, 13))
    named = "native" if native else str(arch)
    monkeypatch.setattr(sys, "argv", ["ahead", str(folder), "--arch", named])
    try:
        return ahead.main()
    except SystemExit as ended:
        return ended.code


@needs_nvrtc
def test_code_is_of_no_later_release_than_the_driver(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: Any
) -> None:
    monkeypatch.setattr(ahead, "machine", lambda: ahead.Machine({75}, 11))
    monkeypatch.setattr(sys, "argv", ["ahead", str(tmp_path), "--stem", "count"])
    assert ahead.main() == 0 and "when they are first used" in capsys.readouterr().out


def test_gpus_of_several_generations_share_no_code(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: Any
) -> None:
    monkeypatch.setattr(ahead, "machine", lambda: ahead.Machine({75, 90}, 13))
    monkeypatch.setattr(sys, "argv", ["ahead", str(tmp_path)])
    assert ahead.main() == 0 and "several generations" in capsys.readouterr().out
    assert not list(tmp_path.iterdir())


def _run(*arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """As CMake does."""
    command = [sys.executable, str(kernels_path() / "ahead.py"), *arguments]
    given = {**os.environ, **environment}
    return subprocess.run(command, capture_output=True, text=True, check=False, env=given)


@pytest.mark.parametrize("safe", ["", "1"])
def test_builds_without_a_gpu_compile_none(safe: str, tmp_path: Path) -> None:
    if ahead.machine().capabilities:
        pytest.skip("there is a GPU")
    (tmp_path / "sm_90").mkdir()
    (tmp_path / "sm_mine").mkdir()
    done = _run(str(tmp_path), PYTHONSAFEPATH=safe)
    assert done.returncode == 0 and "when they are first used: no GPU" in done.stdout, done
    assert [folder.name for folder in tmp_path.iterdir()] == ["sm_mine"]


@needs_nvrtc
def test_builds_that_name_architectures(tmp_path: Path) -> None:
    done = _run(str(tmp_path), "--arch", "75", "80", "--stem", "count")
    assert done.returncode == 0 and "sm_75: 4 compiled by NVRTC" in done.stdout, done
    assert {folder.name for folder in tmp_path.iterdir()} == {"sm_75", "sm_80"}
    done = _run(str(tmp_path), "--arch", "75;80")
    assert done.returncode == 2 and "got '75;80'" in done.stderr
