"""The CPU engine's work on vectors of bits, on every instruction set that it is compiled for.

An extension runs the best that the machine has; here each is compiled alone.
"""

from __future__ import annotations

import platform
import shutil
import subprocess
import sysconfig
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]

if shutil.which("g++") is None:
    pytest.skip("compiled with g++, which is not here", allow_module_level=True)
nanobind = pytest.importorskip("nanobind", reason="its headers come with the build's requirements")

#: Options of the compiler, and what the machine must have for the program to run.
SETS = {
    "portable": ([], ""),
    "avx2": (["-mavx2"], "avx2"),
    "avx512": (["-march=skylake-avx512"], "avx512vl"),
}


@pytest.mark.parametrize("name", SETS)
def test_bits(name: str, tmp_path: Path) -> None:
    options, feature = SETS[name]
    if feature and platform.machine() != "x86_64":
        pytest.skip("an instruction set of x86-64")
    program = tmp_path / "many_bits"
    headers = [ROOT / "kernels", nanobind.include_dir(), sysconfig.get_paths()["include"]]
    command = ["g++", "-std=c++20", "-O2", "-DSPBFS_CLONES=", "-Wall", "-Wextra", *options]
    command += ["-Wno-unused-function", *(f"-I{path}" for path in headers), "-pthread"]
    source = Path(__file__).with_name("many_bits.cpp")
    built = subprocess.run(
        [*command, str(source), "-o", str(program)], capture_output=True, text=True, timeout=200
    )
    assert built.returncode == 0, built.stderr
    if feature and feature not in Path("/proc/cpuinfo").read_text(encoding="ascii").split():
        pytest.skip(f"this machine does not have {feature}")
    run = subprocess.run([str(program)], capture_output=True, text=True, timeout=60)
    assert run.returncode == 0, run.stdout
