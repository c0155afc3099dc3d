"""Figures made graph by graph: by several processes, kept in files, put together by one."""

from __future__ import annotations

import argparse
import json
import os
import time
from pathlib import Path
from typing import Any

import pytest

papers = pytest.importorskip(
    "benchmarks.papers.command", reason="benchmarks are in the checkout only"
)

from benchmarks.common import ncu  # noqa: E402
from benchmarks.papers import ibfs_graphs, ibfs_transactions, parts  # noqa: E402

KERNELS = (
    *("bfs_many_bytes_queue_private", "bfs_many_bytes_expand_private"),
    *("bfs_many_bytes_queue_joint", "bfs_many_bytes_expand_joint", "bfs_many_plain_expand"),
)
FIGURES = "18,19,21"


@pytest.fixture
def counted(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, str]]:
    """Graphs and orders that ncu was asked for; it counts the length of a graph's name."""
    asked: list[tuple[str, str]] = []

    def count(program: Any, _: Any, metrics: Any, *__: Any, **___: Any) -> Any:
        graph, order = program[3:5]
        if graph == "RD":
            return "ncu: no permission"
        asked.append((graph, order))
        return {kernel: dict.fromkeys(metrics, float(len(graph))) for kernel in KERNELS}

    monkeypatch.setattr(ibfs_transactions.ncu, "counted", count)
    monkeypatch.setattr(parts, "machine", lambda device: f"a {device}, load average 3.1")
    return asked


def run(folder: Path, **more: Any) -> list[Path]:
    """The command as a process of its own would run it, which has counted nothing yet."""
    given = {"paper": "ibfs", "figure": FIGURES, "device": "cuda", "quick": True, "again": False,
             "pages": False, "rates": None, "graphs": None, "merge": False, "seconds": 60.0,
             "output": folder}  # fmt: skip
    ibfs_transactions._profiles.clear()
    try:
        return papers.run(argparse.Namespace(**given | more))
    finally:
        ibfs_transactions._profiles.clear()


def result(folder: Path, figure: str) -> Any:
    path = folder / f"ibfs-{figure}-cuda-quick.json"
    return json.loads(path.read_text(encoding="utf-8"))


def test_graphs_counted_apart_make_one_figure(counted: Any, tmp_path: Path) -> None:
    assert run(tmp_path, graphs=("RM",)) == [] == run(tmp_path, graphs=("FB", "KG0"))
    orders = "random", "GroupBy"
    assert counted == [(graph, order) for graph in ("RM", "FB", "KG0") for order in orders]
    assert not list(tmp_path.glob("*.json"))
    run(tmp_path, merge=True)
    assert len(counted) == 6  # nothing was counted for it
    for figure, own in (("fig-18", 2), ("fig-19", 1), ("fig-21", 2 * 2 / 128)):
        found = result(tmp_path, figure)
        assert [row[0] for row in found["rows"]] == ["FB", "KG0", "RM"]
        assert found["rows"][0][1] == (own if figure != "fig-21" else pytest.approx(own))
        assert found["machine"] == "a cuda, load average 3.1" and "RD" in found["about"]
    assert "Left out: RD (it is not counted)" in result(tmp_path, "fig-18")["about"]


def test_a_run_goes_on_with_what_is_kept(counted: Any, tmp_path: Path) -> None:
    run(tmp_path, graphs=("KG0",))
    run(tmp_path, graphs=("KG0",))
    assert len(counted) == 2
    (tmp_path / "parts" / "ibfs-ncu-KG0-random-quick.json").write_text("{", encoding="utf-8")
    run(tmp_path)
    both = "random", "GroupBy"
    expected = [*(("FB", o) for o in both), ("KG0", "random"), *(("RM", o) for o in both)]
    assert counted[2:] == expected
    assert "Left out: RD (ncu: no permission)" in result(tmp_path, "fig-18")["about"]
    run(tmp_path, graphs=("KG0",), again=True)
    assert counted[-2:] == [("KG0", "random"), ("KG0", "GroupBy")]


def test_what_was_counted_otherwise_is_not_taken(
    counted: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run(tmp_path, graphs=("FB",))
    monkeypatch.setattr(ibfs_transactions, "GROUPS", 2)
    run(tmp_path, graphs=("FB",))
    assert len(counted) == 4
    monkeypatch.setattr(parts, "VERSION", "0.0.0")
    run(tmp_path, graphs=("FB",))
    assert len(counted) == 6


def test_nothing_is_merged_of_nothing(counted: Any, tmp_path: Path) -> None:
    with pytest.raises(SystemExit, match="3 failed"):
        run(tmp_path, merge=True)
    assert not list(tmp_path.glob("*.json"))


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"graphs": ("FB",), "figure": "9,18"}, "--device cuda: fig-9 is not made graph by graph"),
        ({"merge": True, "device": "cpu", "figure": "19"}, "--device cpu: fig-19 is not made"),
    ],
)
def test_what_is_not_made_of_parts_is_refused(
    counted: Any, tmp_path: Path, given: dict[str, Any], said: str
) -> None:
    with pytest.raises(SystemExit, match=said):
        run(tmp_path, **given)
    assert counted == [] and list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("figure", ["8", "15", "18", "21"])
def test_figures_of_a_cpu_are_put_together_likewise(
    figure: str, counted: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ibfs_graphs, "QUICK", ("FB", "KG0", "RD"))
    given = {"figure": figure, "device": "cpu"}
    for graph in ("RD", "FB"):
        run(tmp_path, graphs=(graph,), **given)
    run(tmp_path, merge=True, **given)
    path = tmp_path / f"ibfs-fig-{figure}-cpu-quick.json"
    merged = json.loads(path.read_text(encoding="utf-8"))
    assert list(dict.fromkeys(row[0] for row in merged["rows"])) == ["FB", "RD"]
    assert "Left out: KG0 (it is not measured)" in merged["about"]
    assert merged["machine"] == "a cpu, load average 3.1" and merged["gives"]
    path.unlink()
    measured = {file.name: file.read_bytes() for file in (tmp_path / "parts").iterdir()}
    run(tmp_path, **given)  # goes on with those
    found = json.loads(path.read_text(encoding="utf-8"))
    assert [row for row in found["rows"] if row[0] != "KG0"] == merged["rows"]
    assert "KG0" in {row[0] for row in found["rows"]} and "Left out" not in found["about"]
    assert all((tmp_path / "parts" / name).read_bytes() == of for name, of in measured.items())


def test_a_graph_that_there_is_not_is_named(
    counted: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit, match="1 failed"):
        run(tmp_path, figure="18", graphs=("FB", "fb"))
    assert "--graphs fb: expected some of FB, KG0, RD, RM" in capsys.readouterr().err
    assert counted == []


# -- the profiler ----------------------------------------------------------------------------------
def tool(folder: Path, monkeypatch: pytest.MonkeyPatch, script: str) -> None:
    path = folder / "ncu"
    path.write_text(f"#!/bin/sh\n{script}\n")
    path.chmod(0o755)
    monkeypatch.setenv("PATH", f"{folder}{os.pathsep}{os.environ['PATH']}")


def test_every_run_of_ncu_has_a_lock_of_its_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lines = (
        '"ID","Kernel Name","Metric Name","Metric Value"',
        '"0","queue","a.sum","7"',
    )
    printed = "\n".join(f"echo '{line}'" for line in lines)
    tool(tmp_path, monkeypatch, f'echo "$TMPDIR" >> {tmp_path}/locks\n{printed}')
    for _ in range(2):
        found = ncu.counted(["true"], ".*", ["a.sum"], tmp_path)
        assert found == {"queue": {"a.sum": 7.0}}
    one, other = (tmp_path / "locks").read_text().splitlines()
    assert one != other and not Path(one).exists()


def test_a_profiler_that_is_stopped_leaves_no_program_behind(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tool(tmp_path, monkeypatch, f"sleep 60 &\necho $! > {tmp_path}/program\nwait")
    began = time.perf_counter()
    assert ncu.counted(["true"], ".*", ["a"], tmp_path, 1.0) == "ncu took more than 1 s"
    assert time.perf_counter() - began < 30
    program = int((tmp_path / "program").read_text())
    for _ in range(100):
        try:
            os.kill(program, 0)
        except ProcessLookupError:
            return
        # Whoever adopted it has not yet been told that it ended.
        if "Z" in Path(f"/proc/{program}/stat").read_text().split()[2]:
            return
        time.sleep(0.05)
    pytest.fail("the program still runs")
