"""The benchmark that the figures come from runs, on small graphs, and writes both reports."""

from __future__ import annotations

import ast
import json
import subprocess
import sys
from graphlib import TopologicalSorter
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[3]


def _written(name: str, options: str, folder: Path) -> tuple[Any, str]:
    """The report of a benchmark, and its table."""
    subprocess.run(
        [sys.executable, "-m", "benchmarks", name, *options.split(), "--output", folder],
        cwd=ROOT,
        check=True,
        capture_output=True,
        timeout=120,
    )
    (report,) = folder.glob("*.json")
    (table,) = folder.glob("*.md")
    return json.loads(report.read_text(encoding="utf-8")), table.read_text(encoding="utf-8")


def test_bfs_benchmark(tmp_path: Path) -> None:
    options = "--graphs kron18 road --scale 8 --sources 2 --repeats 1 --threads 1 2 "
    report, table = _written("bfs", options + "--peers spbfs scipy", tmp_path)
    graphs = report["graphs"]
    assert [g["name"] for g in graphs] == ["kron18", "road"]
    for graph in graphs:
        assert [(r["peer"], r["asked_threads"]) for r in graph["runs"]] == [
            ("spbfs", 1),
            ("scipy", 1),
            ("spbfs", 2),
            ("scipy", 2),
        ]
        assert all(0 < r["least_seconds"] <= r["seconds"] and r["teps"] > 0 for r in graph["runs"])
    assert table.count("| Kronecker") == 2


def test_distributed_benchmark(tmp_path: Path) -> None:
    report, table = _written("distributed", "--scale 8 --ranks 2 5 --model", tmp_path)
    assert [(r["ranks"], r["cut"]) for r in report["runs"]] == [
        (ranks, cut) for ranks in (2, 5) for cut in ("rows", "grid")
    ]
    for run in report["runs"]:
        assert 0.5 < run["lists"] / run["lists_expected"] < 2
        assert sum(level["exchanged"] for level in run["levels"]) > 0
    assert {row["ranks"] for row in report["extrapolated"]} >= {1000}
    assert all(row["gteps"] > 0 for row in report["extrapolated"])
    assert "| 1,000 | grid |" in table


def test_many_benchmark(tmp_path: Path) -> None:
    options = "--graphs kron18 road --scale 8 --sources 8 70 --repeats 1 --techniques --grouped 300"
    report, table = _written("many", options, tmp_path)
    graphs = report["graphs"]
    for graph in graphs:
        assert [r["sources"] for r in graph["runs"]] == [8, 70]
        assert all(r["edges"] > 0 and r["levels_ms"] > 0 for r in graph["runs"])
        assert {"all", "no early termination", "group: auto"} <= {
            t["name"] for t in graph["techniques"]
        }
    assert table.count("| Kronecker") > 3


def test_composed_benchmark(tmp_path: Path) -> None:
    options = "--graphs kron18 --scale 8 --sources 2 --repeats 1 --threads 1"
    report, table = _written("composed", options, tmp_path)
    (row,) = report["runs"]
    for what in ("levels", "parents"):
        assert all(row["seconds"][f"{way} {what}"] > 0 for way in ("fused", "composed", "first"))
    assert "first loop" in table


def test_products_benchmark(tmp_path: Path) -> None:
    options = "--graphs kron18 road --scale 8 --repeats 1 --threads 1 2"
    report, table = _written("products", options, tmp_path)
    for graph in report["graphs"]:
        sides = {case["name"]: case["milliseconds"] for case in graph["cases"]}
        assert all(ms["spbfs, 1"] > 0 and ms["spbfs, 2"] > 0 for ms in sides.values())
        assert sides["plus_times FP32"]["SciPy"] > 0 and sides["A @ A"]["SciPy"] > 0
        assert sides["min_plus FP32"]["SciPy"] is None
    assert table.count("`min_plus FP32, masked`") == 2


def test_statements_benchmark(tmp_path: Path) -> None:
    pytest.importorskip("graphblas", reason="the other side is python-graphblas")
    options = "--statements ewise_add A[3,4] --sizes 34 50 --repeats 3 --threads 1"
    report, table = _written("statements", options, tmp_path)
    runs = report["runs"]
    assert [(r["statement"], r["size"]) for r in runs] == [
        (name, n) for n in (34, 50) for name in ("ewise_add", "A[3,4]")
    ]
    assert all(r["spbfs_seconds"] > 0 and r["ratio"] > 0 for r in runs)
    assert table.count("ewise_add") == 1


def _imported(file: Path) -> set[str]:
    """The benchmarks' own modules that a file imports, wherever in it."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {name.name for name in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            found |= {node.module, *(f"{node.module}.{name.name}" for name in node.names)}
    return {name for name in found if name.startswith("benchmarks.")}


def test_files_import_one_another_in_one_direction() -> None:
    files = (ROOT / "benchmarks").rglob("*.py")
    modules = {".".join(f.relative_to(ROOT).with_suffix("").parts): _imported(f) for f in files}
    order = list(TopologicalSorter(modules).static_order())  # raises where there is a cycle
    assert "benchmarks.cuda.many" in order
    for folder in ("cpu", "cuda"):
        own = {name for name in modules if name.startswith(f"benchmarks.{folder}.")}
        other = {"cpu": "cuda", "cuda": "cpu"}[folder]
        used = set().union(*(modules[name] for name in own))
        assert not any(name.startswith(f"benchmarks.{other}") for name in used)


def test_disk_benchmark(tmp_path: Path) -> None:
    options = f"--scale 8 --sources 2 --repeats 1 --folder {tmp_path}"
    (tmp_path / "out").mkdir()
    report, table = _written("disk", options, tmp_path / "out")
    rows = {row["what"]: row for row in report["rows"]}
    assert len(rows) == 7 and all(row["seconds"] > 0 for row in rows.values())
    assert rows["search mapped, by parts"]["looked at"] > 0
    warm = [row for name, row in rows.items() if "search" in name and "cold" not in name]
    assert len({row["edges"] for row in warm}) == 1
    assert table.count("| search") == 5
