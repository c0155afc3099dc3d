"""What type checkers say of programs that use the package: the README's, and results of `read`."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

import spbfs

ROOT = Path(__file__).parents[3]
README = ROOT / "README.md"

PUBLIC = """
import datetime

import spbfs as sb
from spbfs import Matrix

A = sb.read("a.mtx")
reveal_type(A)
B, ids = sb.read("a.txt", compact=True)
reveal_type(B)
reveal_type(ids)
sb.shortest_path(A, "bob", ("a", 1))
sb.BFSPlan(A).run("bob", target=datetime.date(2026, 1, 1))
sb.sssp(A, ["bob"], target="eve")
result = sb.bfs(A, {0, 1})
reveal_type(result.levels)
reveal_type(result.path_to(3))
reveal_type(result.tree)
reveal_type(sb.closeness(A, (v for v in [1, 2])))
sb.write("b.mtx", A)
sb.read("a.mtx", compact="yes")
sb.bfs(A, 1.5)
"""
MATRIX, VECTOR, ARRAY = (
    "spbfs.objects.matrix.Matrix",
    "spbfs.objects.vector.Vector",
    "numpy.ndarray",
)
REVEALED = [MATRIX, MATRIX, ARRAY, VECTOR, ARRAY, MATRIX, ARRAY]


#: Modules of functions, the others being of operators by any name.
LISTED = ("csgraph", "distributed", "dtypes", "exceptions", "generate", "io", "verify", "viz")
#: Where names are wrong, and values of which all that there are are known.
MISTAKEN = """
import spbfs as sb
from spbfs import Matrix, Vector

A = Matrix(bool, 3, 3)
sb.bfs_many(A, [0], outputs=["levels", "counts"])
sb.bfs_many(A, [0], outputs={"levels": "a.npy"})
A.to(sb.suggest_device(A)).to(A.device).to("cpu+cuda", "auto")
sb.bsf(A, 0)
sb.viz.drow(A)
sb.bfs_many(A, [0], outputs="lvls")
A.to("gpu")
A.to("cuda", "pined")
Vector(int, 3).to("gpu")
"""


def checked(program: str, folder: Path) -> list[str]:
    """What ``mypy --strict`` prints of a program, the package's own lines left out."""
    pytest.importorskip("mypy", reason="needs the type checker installed")
    path = folder / "program.py"
    path.write_text(program, encoding="utf-8")
    done = subprocess.run(
        [
            *(sys.executable, "-m", "mypy", "--strict", "--follow-imports=silent"),
            *("--config-file=", f"--cache-dir={ROOT / '.mypy_cache' / 'programs'}", str(path)),
        ],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    return [line for line in done.stdout.splitlines() if "program.py" in line] + [done.stderr]


@pytest.mark.skipif(not README.exists(), reason="needs the checkout that the tests came with")
@pytest.mark.parametrize("page", ["README.md", "docs/start/own-algorithm.md"])
def test_programs_of_pages_are_typed(page: str, tmp_path: Path) -> None:
    text = (ROOT / page).read_text(encoding="utf-8")
    blocks = re.findall(r"```python(?: needs=cuda)?\n(.*?)```", text, re.DOTALL)
    assert len(blocks) > 1
    assert checked("\n".join(blocks), tmp_path) == [""]


def test_public_names_are_typed(tmp_path: Path) -> None:
    *lines, errors = checked(PUBLIC, tmp_path)
    assert errors == ""
    revealed = [m[1] for line in lines if (m := re.search(r'Revealed type is "(.*)"', line))]
    # What an array is of has a name that NumPy changes.
    assert [name.partition("[")[0] for name in revealed] == REVEALED
    complaints = [line for line in lines if ": error: " in line]
    assert [line.split(":")[1] for line in complaints] == ["21", "22"]


def test_wrong_names_are_found(tmp_path: Path) -> None:
    *lines, errors = checked(MISTAKEN, tmp_path)
    assert errors == ""
    wrong = [line.split(":")[1] for line in lines if ": error: " in line]
    first = MISTAKEN.splitlines().index("sb.bsf(A, 0)") + 1
    assert wrong == [str(first + k) for k in range(6)]


def test_every_public_name_has_a_type(tmp_path: Path) -> None:
    """Also of those that are imported when they are first asked for."""
    names = [name for name in spbfs.__all__ if not isinstance(getattr(spbfs, name), ModuleType)]
    modules = [name for name in spbfs.__all__ if name not in names]
    lines = ["import spbfs as sb", *(f"reveal_type(sb.{name})" for name in names)]
    lines += [f"reveal_type(sb.{name}.__all__)" for name in modules if name in LISTED]
    *found, errors = checked("\n".join(lines), tmp_path)
    assert errors == ""
    assert [line for line in found if ": error: " in line] == []
    revealed = [m[1] for line in found if (m := re.search(r'Revealed type is "(.*)"', line))]
    assert len(revealed) == len(lines) - 1
    unknown = [x for x, kind in zip(lines[1:], revealed, strict=True) if kind == "Any"]
    assert unknown == []
