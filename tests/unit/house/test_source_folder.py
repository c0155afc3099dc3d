"""A folder of sources from which Python is started hides the installed package."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import spbfs
from spbfs import _cpu

ROOT = Path(spbfs.__file__).parents[1]
SEARCH = "import spbfs as sb; print(sb.__file__); print(sb.bfs(sb.generate.path(3), 0).depth)"


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """Sources that nobody has built."""
    folder = tmp_path / "checkout"
    shutil.copytree(
        ROOT / "spbfs", folder / "spbfs", ignore=shutil.ignore_patterns("*.so", "__*__")
    )
    shutil.copytree(spbfs.kernels_path(), folder / "kernels")
    return folder


@pytest.fixture
def site(tmp_path: Path) -> Path:
    """Where the package is installed, with compiled kernels."""
    folder = tmp_path / "site"
    package = folder / "spbfs"
    package.mkdir(parents=True)
    shutil.copy(str(_cpu.__file__), package)
    shutil.copytree(spbfs.kernels_path(), package / "kernels")
    about = folder / f"spbfs-{spbfs.__version__}.dist-info"
    about.mkdir()
    (about / "METADATA").write_text(f"Name: spbfs\nVersion: {spbfs.__version__}\n")
    return folder


def started_in(folder: Path, site: Path) -> subprocess.CompletedProcess[str]:
    """A search, Python started in `folder`, nothing installed but `site`, NumPy and SciPy."""
    packages = Path(np.__file__).parents[1]
    # The folder that has NumPy may have spbfs as well.
    bare = site.parent / "packages"
    bare.mkdir()
    for name in ("numpy", "scipy"):
        for part in packages.glob(f"{name}*"):
            (bare / part.name).symlink_to(part)
    paths = [str(site), str(bare)]
    return subprocess.run(
        # Without site.py, which would add what is installed with this Python.
        [sys.executable, "-S", "-c", SEARCH],
        cwd=folder,
        env=os.environ | {"PYTHONPATH": os.pathsep.join(paths)},
        capture_output=True,
        text=True,
        check=False,
    )


def test_the_kernels_of_the_installed_package_are_found(checkout: Path, site: Path) -> None:
    done = started_in(checkout, site)
    assert done.stderr == ""
    assert done.stdout.splitlines() == [str(checkout / "spbfs" / "__init__.py"), "2"]


def test_kernels_of_other_sources_are_not(checkout: Path, site: Path) -> None:
    with open(
        checkout / "kernels" / "cpu" / "products" / "push.cpp", "a", encoding="ascii"
    ) as file:
        file.write("// newer\n")
    done = started_in(checkout, site)
    last = done.stderr.splitlines()[-1]
    assert done.returncode == 1
    assert "BackendUnavailable" in last and "other sources" in last and "pip install" in last
    assert str(checkout) in last and str(site) in last


def test_no_kernels_at_all_is_an_error_that_says_what_to_do(checkout: Path, tmp_path: Path) -> None:
    done = started_in(checkout, tmp_path / "nothing")
    last = done.stderr.splitlines()[-1]
    assert "has no compiled kernels; run 'pip install .'" in last and str(checkout) in last
