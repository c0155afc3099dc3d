"""What ships: the wheel's contents, and that the repository's own files agree with each other."""

from __future__ import annotations

import re
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path
from typing import Any

import pytest

import spbfs

ROOT = Path(__file__).parents[3]
SOURCES = {".cu", ".cuh", ".h", ".cpp"}

pytestmark = [
    pytest.mark.skipif(
        not (ROOT / "pyproject.toml").exists(), reason="needs the checkout that the tests came with"
    ),
    # Where somebody else has built a wheel in between, everything is compiled once more.
    pytest.mark.timeout(1200),
]


@pytest.fixture(scope="module")
def project() -> dict[str, Any]:
    return tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> zipfile.ZipFile:
    """The wheel; its build folder is that of the editable install, so nothing compiles twice."""
    pytest.importorskip("scikit_build_core", reason="needs the build requirements installed")
    folder = tmp_path_factory.mktemp("wheel")
    done = subprocess.run(
        [
            *(sys.executable, "-m", "pip", "wheel", "--disable-pip-version-check", "-q"),
            *("--no-deps", "--no-build-isolation", "--wheel-dir", str(folder)),
            str(ROOT),
        ],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return zipfile.ZipFile(next(folder.glob("*.whl")))


def kernel_sources(folder: Path) -> set[str]:
    return {p.relative_to(folder).as_posix() for p in folder.rglob("*") if p.suffix in SOURCES}


def test_the_wheel_holds_the_kernels_and_the_package(wheel: zipfile.ZipFile) -> None:
    names = set(wheel.namelist())
    shipped = {n.removeprefix("spbfs/kernels/") for n in names if n.startswith("spbfs/kernels/")}
    assert shipped == kernel_sources(ROOT / "kernels")
    modules = {p.relative_to(ROOT).as_posix() for p in (ROOT / "spbfs").rglob("*.py")}
    assert modules <= names
    assert "spbfs/py.typed" in names
    assert any(re.fullmatch(r"spbfs/_cpu\..*(so|pyd)", name) for name in names)


def test_the_wheel_holds_nothing_else(wheel: zipfile.ZipFile) -> None:
    tops = {name.split("/")[0] for name in wheel.namelist()}
    assert tops == {"spbfs", f"spbfs-{spbfs.__version__}.dist-info"}


def test_the_wheel_has_the_licence_and_the_command(wheel: zipfile.ZipFile) -> None:
    info = f"spbfs-{spbfs.__version__}.dist-info"
    assert wheel.read(f"{info}/licenses/LICENSE") == (ROOT / "LICENSE").read_bytes()
    assert "spbfs=spbfs.cli:main" in wheel.read(f"{info}/entry_points.txt").decode().replace(
        " ", ""
    )


def test_kernels_are_found() -> None:
    assert kernel_sources(spbfs.kernels_path()) == kernel_sources(ROOT / "kernels")


def test_run_time_dependencies_are_few(project: dict[str, Any]) -> None:
    names = {re.match(r"[\w-]+", d)[0] for d in project["project"]["dependencies"]}  # type: ignore[index]
    assert names == {"numpy", "scipy", "tqdm"}


def test_the_makefile_and_the_extras_agree(project: dict[str, Any]) -> None:
    extras = project["project"]["optional-dependencies"]
    wanted = re.findall(r"\$\(VENV\)/ready-(\w+)", (ROOT / "Makefile").read_text(encoding="utf-8"))
    assert wanted and set(wanted) <= set(extras)


def test_the_citation_is_of_this_version(project: dict[str, Any]) -> None:
    cited = (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    assert f"\nversion: {project['project']['version']}\n" in cited


PAGES = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md"), *ROOT.glob("benchmarks/**/*.md")])


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_lead_somewhere(page: Path) -> None:
    text = re.sub(r"`[^`\n]*`", "`code`", page.read_text(encoding="utf-8"))
    for target in re.findall(r"\]\((?!https?:)([^)#]+)", text):
        assert (page.parent / target).exists(), target


def test_every_page_of_notes_is_in_their_index() -> None:
    notes = {page.name for page in (ROOT / "docs").glob("performance-notes*.md")}
    index = (ROOT / "docs" / "notes.md").read_text(encoding="utf-8")
    assert set(re.findall(r"\]\((performance-\S+?\.md)\)", index)) == notes
