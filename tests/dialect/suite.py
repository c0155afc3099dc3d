"""Run python-graphblas's own tests over spbfs: ``python -m tests.dialect.suite CHECKOUT``.

The wording of messages (``match=``) is blanked, ``alias/graphblas``, which holds names only, stands
in for the package, and what is about SuiteSparse itself is left out by rule. Prints the counts.
"""

from __future__ import annotations

import argparse
import ast
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).parent

#: files about SuiteSparse, how the wrapper starts and records, or the look of its output
FILES = {
    "test_auto_init.py",
    "test_descriptor.py",
    "test_external_init.py",
    "test_formatting.py",
    "test_prefix_scan.py",
    "test_recorder.py",
    "test_ss_utils.py",
    "test_ssjit.py",
}
#: words that make a test one of SuiteSparse, of C handles, of record types or of the configuration
INTERNAL = re.compile(
    r"\.ss\b|\blib\.|\bffi\b|gb_obj|\bNULL\b|_carg|gb\.init|config\b|burble|Recorder|automethods"
    r"|record_dtype|register_anonymous\(np\.dtype|dtypes\.register|UDT|udt|ensure_type|core\.base"
    r"|_string_to_dtype|_default_name|normalize_chunks|subprocess|core\.dtypes\._registry"
    r"|FC32|FC64|complex|np\.dtype\(\["
)


class _Blank(ast.NodeTransformer):
    """Drop ``match=`` of pytest.raises and pytest.warns."""

    def visit_Call(self, node: ast.Call) -> ast.Call:
        self.generic_visit(node)
        if isinstance(node.func, ast.Attribute) and node.func.attr in ("raises", "warns"):
            node.keywords = [keyword for keyword in node.keywords if keyword.arg != "match"]
        return node


def prepare(tests: Path, folder: Path) -> list[str]:
    """Copy the tests that apply, wording blanked; the names of those that do not."""
    package = folder / "theirs"
    package.mkdir()
    (package / "__init__.py").touch()
    shutil.copy(HERE / "conftest_of_theirs.py", package / "conftest.py")
    for data in tests.glob("*.pkl"):
        shutil.copy(data, package)
    left_out = []
    for path in sorted(tests.glob("test_*.py")):
        tree = _Blank().visit(ast.parse(path.read_text()))
        kept: list[ast.stmt] = []
        for statement in tree.body:
            if isinstance(statement, ast.FunctionDef) and statement.name.startswith("test_"):
                text = ast.unparse(statement)
                if path.name in FILES or INTERNAL.search(text):
                    left_out.append(f"{path.name}::{statement.name}")
                    continue
            kept.append(statement)
        tree.body = kept
        if path.name not in FILES:
            (package / path.name).write_text(ast.unparse(tree))
    return left_out


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("checkout", type=Path, help="a checkout of python-graphblas, tag 2025.2.0")
    parser.add_argument("pytest", nargs="*", help="arguments of pytest, after --")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        left_out = prepare(arguments.checkout / "graphblas" / "tests", folder)
        path = os.pathsep.join([str(HERE / "alias"), str(HERE.parents[1]), name])
        command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "no:xdist"]
        command += ["--tb=short", "-W", "ignore", "--rootdir", name, "theirs", *arguments.pytest]
        status = subprocess.run(
            command, cwd=folder, env=os.environ | {"PYTHONPATH": path}, check=False
        ).returncode
        print(f"{len(left_out)} tests are about SuiteSparse and are left out")
    return status


if __name__ == "__main__":
    raise SystemExit(main())
