"""Rates files: what one may be, what is refused, and calibrations that write one."""

from __future__ import annotations

import json
import math
import os
from collections.abc import Callable, Iterator
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import spbfs as sb
from spbfs.base.machine import Machine
from spbfs.calibration import rates as calibration
from spbfs.calibration.cpu import cpu_calibration
from spbfs.calibration.fit import fit_of, paper_of, paper_times
from spbfs.calibration.levels import Level, Measured, measured
from spbfs.calibration.training import training_set
from spbfs.engines.cpu.bfs.kernel import native_rates
from spbfs.exceptions import (
    BackendUnavailable,
    DomainMismatch,
    FileError,
    FileMissing,
    FormatError,
    InvalidValue,
)
from spbfs.io import rates as files
from spbfs.planner import rates as planner
from spbfs.planner.calibrated import Calibration, Training

Spoil = Callable[[dict[str, Any]], object]


@pytest.fixture(autouse=True)
def _built_in() -> Iterator[None]:
    yield
    planner.use(None)


@pytest.fixture(scope="module")
def calibrated(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Calibration]:
    path = tmp_path_factory.mktemp("rates") / "rates.json"
    return path, sb.calibrate(path, device="cpu", seconds=0.01, threads=1, progress=False)


def test_a_calibration_says_what_it_found(calibrated: tuple[Path, Calibration]) -> None:
    _, found = calibrated
    assert found.cuda is None and found.machine.cores == os.cpu_count() and found.cpu is not None
    training = found.cpu.training
    assert (training.graphs, training.threads) == (5, 1) and training.asked >= 80 + 5
    assert training.levels > 100 and training.searches == 15
    assert all(rate > 0 for rate in asdict(found.cpu.rates).values())
    assert 0 < found.cpu.paper.alpha <= 1 and found.cpu.paper.top_down > 1e5
    for fit in (found.cpu.fit, found.cpu.paper_fit):
        assert 1 <= fit.error < math.inf and 1 <= fit.median_regret <= fit.worst_regret


def test_what_was_written_is_read_again(calibrated: tuple[Path, Calibration]) -> None:
    path, found = calibrated
    assert files.read_rates(path) == found
    sb.set_rates(path)
    assert planner.current().cpu == found.cpu.rates and planner.current().cuda == (  # type: ignore[union-attr]
        planner.BUILT_IN.cuda
    )
    sb.set_rates(None)
    assert planner.current() is planner.BUILT_IN


def test_levels_do_not_depend_on_rates(calibrated: tuple[Path, Calibration]) -> None:
    A = sb.generate.kronecker(10, seed=3)
    expected = sb.bfs(A.to("reference"), 1).levels.to_dense(-1)
    cpu = planner.BUILT_IN.cpu
    names = [name for name in asdict(cpu) if name != "serial_edges"]
    rng = np.random.default_rng(7)
    extremes = [dict.fromkeys(names, number) for number in (0.0, 1e15)]
    for _ in range(20):
        drawn = rng.choice([0.0, 1e-3, 1.0, 1e15], len(names)).tolist()
        extremes.append(dict(zip(names, drawn, strict=True)))
    for fields in extremes:
        planner.use(replace(planner.BUILT_IN, cpu=replace(cpu, **fields, serial_edges=10**15)))
        for threads in (1, 2):
            found = sb.bfs(A, 1, threads=threads)
            np.testing.assert_array_equal(found.levels.to_dense(-1), expected)
            sb.verify.bfs_tree(A, 1, found)


def test_rates_in_use_are_those_of_the_kernels(calibrated: tuple[Path, Calibration]) -> None:
    before = native_rates()
    assert native_rates() is before
    sb.set_rates(calibrated[0])
    assert native_rates() is not before
    dear = dict.fromkeys(("push_level", "push_edge", "push_row", "push_found"), 1e6)
    A = sb.generate.uniform(2000, 8)
    planner.use(replace(planner.BUILT_IN, cpu=replace(planner.BUILT_IN.cpu, **dear)))
    assert {step.direction for step in sb.bfs(A, 0, trace=True).trace} == {"pull"}


def _set(*place: str, to: Any) -> Spoil:
    def spoil(record: dict[str, Any]) -> None:
        for name in place[:-1]:
            record = record[name]
        record[place[-1]] = to

    return spoil


def _spoiled(source: Path, folder: Path, spoil: Spoil) -> Path:
    """A copy of a rates file that has been tampered with."""
    record = json.loads(source.read_text())
    spoil(record)
    path = folder / "rates.json"
    path.write_text(json.dumps(record))
    return path


@pytest.mark.parametrize(
    ("spoil", "said"),
    [
        (_set("cpu", "rates", "push_edge", to=-1), "cpu.rates.push_edge is -1; expected from 0"),
        (_set("cpu", "rates", "push_edge", to=1e300), "push_edge is 1e[+]300"),
        (_set("cpu", "rates", "push_edge", to="2"), "push_edge should be a number, and is '2'"),
        (_set("cpu", "rates", "push_edge", to=True), "push_edge should be a number, and is True"),
        (_set("cpu", "rates", "push_edge", to=None), "push_edge should be a number"),
        (_set("cpu", "rates", "push_edge", to=[1]), "push_edge should be a number"),
        (_set("cpu", "rates", "serial_edges", to=1.5), "serial_edges should be a whole number"),
        (_set("cpu", "rates", "shell", to="rm"), "cpu.rates.shell is not known"),
        (_set("__class__", to=1), "__class__ is not known"),
        (lambda r: r["cpu"]["rates"].pop("push_row"), "cpu.rates.push_row is missing"),
        (lambda r: r.pop("cuda"), "cuda is missing"),
        (_set("cpu", to=3), "cpu should be an object"),
        (_set("cpu", "rates", to=[]), "cpu.rates should be an object"),
        (_set("date", to="x" * 1000), "date should be a short text"),
        (_set("machine", "cpu", to="a\nb"), "machine.cpu should be a short text"),
        (lambda r: r.pop("spbfs rates"), "has no 'spbfs rates'"),
    ],
)
def test_a_file_that_says_something_else_is_refused(
    calibrated: tuple[Path, Calibration], tmp_path: Path, spoil: Spoil, said: str
) -> None:
    path = _spoiled(calibrated[0], tmp_path, spoil)
    with pytest.raises(FormatError, match=said):
        sb.set_rates(path)
    assert planner.current() is planner.BUILT_IN


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"{", "is not JSON"),
        (b"\xff\xfe{}", "is not JSON"),
        (b"[]", "is not an object"),
        (b"", "empty"),
        (b"[" * 60_000, "nested too deep"),
        (b'{"a":' * 10_000, "nested too deep"),
        (b" " * 70_000, "70,000 bytes"),
        (b'{"spbfs rates": NaN}', "has NaN"),
        (b'{"spbfs rates": -Infinity}', "has -Infinity"),
        (b'{"spbfs rates": ' + b"9" * 5000 + b"}", "is not JSON"),
        (b'{"spbfs rates": 2, "spbfs rates": 2}', "something twice"),
    ],
)
def test_a_file_that_is_none_is_refused(tmp_path: Path, content: bytes, said: str) -> None:
    path = tmp_path / "rates.json"
    path.write_bytes(content)
    with pytest.raises(FormatError, match=said):
        sb.set_rates(path)


def test_every_truncation_is_refused(calibrated: tuple[Path, Calibration], tmp_path: Path) -> None:
    content = calibrated[0].read_bytes().rstrip()
    path = tmp_path / "rates.json"
    for length in range(0, len(content), 7):
        path.write_bytes(content[:length])
        with pytest.raises(FormatError):
            sb.set_rates(path)


@pytest.mark.parametrize(
    ("spoil", "said"),
    [
        (
            _set("machine", "cpu", to="Another CPU"),
            r"another machine \(Another CPU, .*here",
        ),
        (_set("machine", "cores", to=4095), "another machine"),
        (_set("spbfs rates", to=1), "version 1; expected 2"),
        (_set("spbfs rates", to=True), "version True; expected 2"),
    ],
)
def test_a_file_of_another_machine_or_version_is_refused(
    calibrated: tuple[Path, Calibration], tmp_path: Path, spoil: Spoil, said: str
) -> None:
    path = _spoiled(calibrated[0], tmp_path, spoil)
    with pytest.raises(InvalidValue, match=said):
        sb.set_rates(path)


def test_a_file_of_a_gpu_is_refused_where_there_is_another_or_none(
    calibrated: tuple[Path, Calibration], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _, found = calibrated
    assert found.cpu is not None
    cuda = files.CudaCalibration(
        planner.BUILT_IN.cuda,
        *(found.cpu.training, found.cpu.fit, found.cpu.paper, found.cpu.paper_fit),
        {"twc": 1e9},
    )
    path = tmp_path / "rates.json"
    machine = replace(found.machine, gpu="Large GPU")
    files.write_rates(path, replace(found, cuda=cuda, machine=machine))

    def absent(*, gpu: bool) -> Machine:
        raise BackendUnavailable("no GPU")

    for here, said in ((absent, "there is no GPU here"), (lambda gpu: found.machine, "another")):
        monkeypatch.setattr(files, "this_machine", here)
        with pytest.raises(InvalidValue, match=said):
            sb.set_rates(path)
    monkeypatch.setattr(files, "this_machine", lambda gpu: machine)
    sb.set_rates(path)
    assert planner.current().cuda == planner.BUILT_IN.cuda
    record = json.loads(path.read_text())
    record["cuda"]["expansions"]["__import__"] = 1.0
    path.write_text(json.dumps(record))
    with pytest.raises(FormatError, match="__import__ is not known"):
        sb.set_rates(path)


def test_files_that_cannot_be_read_or_written(tmp_path: Path) -> None:
    with pytest.raises(FileMissing):
        sb.set_rates(tmp_path / "absent.json")
    with pytest.raises(FileError, match="directory"):
        sb.set_rates(tmp_path)
    with pytest.raises(InvalidValue, match="path: 3"):
        sb.set_rates(3)  # type: ignore[arg-type]


def test_an_interrupted_calibration_leaves_no_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(*_: Any) -> Any:
        raise KeyboardInterrupt

    monkeypatch.setattr(calibration, "measured", interrupted)
    with pytest.raises(KeyboardInterrupt):
        sb.calibrate(tmp_path / "rates.json", device="cpu", seconds=1)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("arguments", "error", "said"),
    [
        ({"device": "gpu"}, InvalidValue, "device: .*got 'gpu'"),
        ({"device": 3}, InvalidValue, "device: .*got 3"),
        ({"seconds": 0}, InvalidValue, "seconds: .*got 0"),
        ({"seconds": math.nan}, InvalidValue, "seconds: .*got nan"),
        ({"seconds": "9"}, DomainMismatch, "seconds: .*got '9'"),
        ({"threads": 0}, InvalidValue, "threads: 0"),
    ],
)
def test_arguments_are_checked(
    arguments: dict[str, Any], error: type[Exception], said: str
) -> None:
    with pytest.raises(error, match=said):
        sb.calibrate(**arguments)


def test_the_training_set_is_the_papers_and_generated() -> None:
    names = [name for name, _ in training_set("cpu")]
    assert len(names) == len(set(names))
    for scale in (16, 17, 18, 19):
        assert sum(name.startswith(f"rmat {scale} ") for name in names) == 20
    kinds = {name.split()[0] for name in names}
    assert kinds == {"rmat", "uniform", "small", "grid2d", "grid3d", "road", "delaunay"}


def test_what_a_pull_meets_is_what_it_looks_at() -> None:
    """Where everybody is asked it is exact, compared with a search written out."""
    A = sb.generate.rmat(9, 6, seed=5, directed=True)
    for search in measured("rmat", A, "cpu", 1):
        assert all(
            level.at_hub + level.probes <= level.open_entries + level.open
            for level in search.levels
        )
        for level in search.levels:
            assert level.found <= level.edges and level.push_seconds > 0 and level.pull_seconds > 0
    even = sb.generate.grid2d(12)
    indptr, indices, _ = even.to_csr()
    search = next(iter(measured("grid", even, "cpu", 1)))
    probes = [round(level.probes) for level in search.levels]
    matching = []
    for source in range(144):
        levels = sb.bfs(even, source).levels.to_dense(-1)
        looked = []
        for depth in range(int(levels.max()) + 1):
            count = 0
            for v in np.flatnonzero(levels > depth):
                for u in indices[indptr[v] : indptr[v + 1]]:
                    count += 1
                    if levels[u] == depth:
                        break
            looked.append(count)
        matching.append(probes == looked[: len(probes)])
    assert any(matching)


_PUSH = {"push_level": 900.0, "push_edge": 2.0, "push_row": 7.0, "push_found": 5.0}
_PULL = {"pull_level": 700.0, "pull_word": 3.0, "pull_row": 4.0, "pull_probe": 1.5}
_PULL |= {"pull_found": 9.0, "pull_at_hub": 6.0}


@pytest.fixture(scope="module")
def priced() -> list[Measured]:
    """Real searches that take as long as these prices say, whatever company they had."""

    def at_a_price(level: Level) -> Level:
        pushed = (1, level.edges, level.frontier, level.found)
        behind = max(level.found - level.at_hub, 0)
        pulled = (1, level.vertices / 64, level.open, level.probes, behind, level.at_hub)
        return replace(
            level,
            push_seconds=1e-9 * float(np.dot(list(_PUSH.values()), pushed)),
            pull_seconds=1e-9 * float(np.dot(list(_PULL.values()), pulled)),
        )

    graphs = [
        ("kronecker", sb.generate.kronecker(12, seed=1)),
        ("uniform", sb.generate.uniform(5000, 12, seed=2)),
        ("small world", sb.generate.small_world(4000, 10, 0.1, seed=3)),
        ("grid", sb.generate.grid2d(60)),
    ]
    return [
        Measured(search.graph, [at_a_price(level) for level in search.levels])
        for name, A in graphs
        for search in measured(name, A, "cpu", 1)
    ]


def test_prices_are_found_again_where_levels_cost_what_they_say(priced: list[Measured]) -> None:
    found = cpu_calibration(priced, Training(4, 4, len(priced), 0, 0.0, 1))
    for name, price in (_PUSH | _PULL).items():
        assert getattr(found.rates, name) == pytest.approx(price, rel=1e-3), name
    assert found.fit.error < 1.001 < found.paper_fit.error
    assert found.fit.worst_regret < 1.001 < found.paper_fit.worst_regret


def test_a_better_fit_has_less_regret(priced: list[Measured]) -> None:
    paper = paper_of(priced)
    perfect = fit_of(priced, lambda level: (level.push_seconds, level.pull_seconds))
    wrong = fit_of(priced, lambda level: (level.pull_seconds, level.push_seconds))
    assert perfect.worst_regret == 1 and perfect.error == 1
    assert fit_of(priced, lambda level: paper_times(paper, level)).median_regret >= 1
    assert wrong.median_regret > 1.5


def test_the_command(run: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    karate = Path(__file__).parents[3] / "examples" / "data" / "karate.mtx"
    monkeypatch.chdir(tmp_path)
    code, out, err = run("calibrate", "--seconds", 0.01, "--json")
    assert code == 0, err
    record = json.loads(out)
    assert record["output"] == "spbfs-rates.json" and record["cpu"]["alpha"] > 0
    assert run("bfs", karate, "--source", 0, "--rates", "spbfs-rates.json")[0] == 0
    code, _, err = run("calibrate", "--seconds", 0.01)
    assert code == 1 and "exists; --force overwrites it" in err
    Path("spbfs-rates.json").write_text("{}")
    code, _, err = run("trace", karate, "--source", 0, "--rates", "spbfs-rates.json")
    assert code == 1 and "has no 'spbfs rates'" in err
    assert run("calibrate", "--seconds", 0)[0] == 2


def test_no_environment_variable_names_a_file(
    calibrated: tuple[Path, Calibration], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SPBFS_RATES", str(calibrated[0]))
    monkeypatch.chdir(calibrated[0].parent)
    sb.bfs(sb.generate.path(3), 0)
    assert planner.current() is planner.BUILT_IN


def test_a_gpu_is_tuned_within_bounds() -> None:
    for cost, taken in ((0.0, None), (4.0, 4.0), (1e15, 64.0), (1e-9, 1 / 64)):
        planner.use(replace(planner.BUILT_IN, cuda=replace(planner.BUILT_IN.cuda, push_cost=cost)))
        assert planner.fused_tuning().push_cost == taken
