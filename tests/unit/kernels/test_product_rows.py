"""What a row of a matrix product is summed in on the CPU: sets of columns, strips and marks.

The marks' numbers begin again after some 858 million rows; a program of its own begins shortly
before.
"""

from __future__ import annotations

import shutil
import subprocess
import sysconfig
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]


def test_rows_of_products(tmp_path: Path) -> None:
    if shutil.which("g++") is None:
        pytest.skip("compiled with g++, which is not here")
    nanobind = pytest.importorskip("nanobind", reason="its headers come with the build")
    program = tmp_path / "product_rows"
    headers = [ROOT / "kernels", nanobind.include_dir(), sysconfig.get_paths()["include"]]
    command = ["g++", "-std=c++20", "-O1", "-Wall", "-Wextra", "-fsanitize=undefined"]
    command += [
        "-fno-sanitize-recover",
        *(f"-I{path}" for path in headers),
        "-D_GLIBCXX_ASSERTIONS",
    ]
    source = Path(__file__).with_name("product_rows.cpp")
    built = subprocess.run(
        [*command, str(source), "-o", str(program)], capture_output=True, text=True, timeout=300
    )
    assert built.returncode == 0, built.stderr
    run = subprocess.run([str(program)], capture_output=True, text=True, timeout=120)
    assert run.returncode == 0, run.stdout + run.stderr
