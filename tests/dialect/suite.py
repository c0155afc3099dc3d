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
from dataclasses import dataclass
from pathlib import Path
from xml.etree import ElementTree

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
    r"|FC32|FC64|complex|np\.dtype\(\[|INT64\[2|,\)int16|_get_value|_is_transposed|sizeof|Version"
)


class _Blank(ast.NodeTransformer):
    """Drop ``match=`` of pytest.raises and pytest.warns."""

    def visit_Call(self, node: ast.Call) -> ast.Call:
        self.generic_visit(node)
        if isinstance(node.func, ast.Attribute) and node.func.attr in ("raises", "warns"):
            node.keywords = [keyword for keyword in node.keywords if keyword.arg != "match"]
        return node


def prepare(tests: Path, folder: Path) -> None:
    """Copy the tests that apply, the wording of messages blanked."""
    package = folder / "theirs"
    package.mkdir()
    (package / "__init__.py").touch()
    shutil.copy(HERE / "conftest_of_theirs.py", package / "conftest.py")
    for data in tests.glob("*.pkl"):
        shutil.copy(data, package)
    for path in sorted(tests.glob("test_*.py")):
        tree = _Blank().visit(ast.parse(path.read_text()))
        kept: list[ast.stmt] = []
        for statement in tree.body:
            if isinstance(statement, ast.FunctionDef) and statement.name.startswith("test_"):
                text = ast.unparse(statement)
                if path.name in FILES or INTERNAL.search(text):
                    continue
            kept.append(statement)
        tree.body = kept
        if path.name not in FILES:
            (package / path.name).write_text(ast.unparse(tree))


def run(checkout: Path, arguments: list[str], output: int | None = None) -> int:
    """pytest over the tests that apply, in a process that finds the alias; its exit status."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        prepare(checkout / "graphblas" / "tests", folder)
        path = os.pathsep.join([str(HERE / "alias"), str(HERE.parents[1]), name])
        command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "no:xdist"]
        command += ["--tb=short", "-W", "ignore", "--rootdir", name, "theirs", *arguments]
        environment = os.environ | {"PYTHONPATH": path}
        done = subprocess.run(command, cwd=folder, env=environment, stdout=output, check=False)
        return done.returncode


@dataclass
class Counts:
    """How many tests there are, apply and pass, and the names of those that do not."""

    collected: int
    skipped: int
    applicable: int
    passed: int
    failed: list[str]

    @property
    def internal(self) -> int:
        """Those that are left out by rule."""
        return self.collected - self.skipped - self.applicable


def count(checkout: Path) -> Counts:
    """Run the tests that apply; of the others only how many there are is asked."""
    with tempfile.TemporaryDirectory() as name:
        report = Path(name) / "report.xml"
        run(checkout, [f"--junitxml={report}"], subprocess.DEVNULL)
        cases = list(ElementTree.parse(report).iter("testcase"))
    outcomes = [{child.tag for child in case} for case in cases]
    failed = [
        f"{case.get('classname', '').rpartition('.')[2]}.py::{case.get('name')}"
        for case, tags in zip(cases, outcomes, strict=True)
        if tags & {"failure", "error"}
    ]
    skipped = sum("skipped" in tags for tags in outcomes)
    applicable = len(cases) - skipped
    return Counts(_collected(), skipped, applicable, applicable - len(failed), failed)


def _collected() -> int:
    """How many tests python-graphblas brings, as pytest counts them over it."""
    command = [sys.executable, "-m", "pytest", "-q", "--collect-only", "-p", "no:cacheprovider"]
    done = subprocess.run(
        [*command, "-p", "no:xdist", "-W", "ignore", "--pyargs", "graphblas.tests"],
        cwd=HERE.anchor,
        env=os.environ | {"PYTHONPATH": ""},
        capture_output=True,
        text=True,
        check=False,
    )
    found = re.search(r"^(\d+) tests? collected", done.stdout, re.M)
    return int(found[1]) if found else 0


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("checkout", type=Path, help="a checkout of python-graphblas, tag 2025.2.0")
    parser.add_argument("pytest", nargs="*", help="arguments of pytest, after --")
    arguments = parser.parse_args()
    return run(arguments.checkout, arguments.pytest)


if __name__ == "__main__":
    raise SystemExit(main())
