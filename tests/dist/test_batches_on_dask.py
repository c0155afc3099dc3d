"""Batches searched by two worker processes of a Dask cluster, one of which may be killed."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import spbfs as sb
from spbfs.algorithms.workers import fitness, results, workers_for
from spbfs.cli import main
from spbfs.exceptions import BackendUnavailable, FileError, InvalidValue, OutOfMemory, WorkerError
from spbfs.storage.on_disk import Origin
from tests.batch_calls import CALLS, SEARCHES, SOURCES, check_equal, check_searches, graph

distributed = pytest.importorskip("distributed", reason="the extra dask is not installed")
from spbfs.algorithms.workers import asking  # noqa: E402 - imports Dask
from spbfs.algorithms.workers import cluster as cluster_workers  # noqa: E402


@pytest.fixture(scope="module")
def cluster() -> Iterator[Any]:
    with distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, processes=True, dashboard_address=":0"
    ) as made:
        yield made


@pytest.fixture(scope="module")
def client(cluster: Any) -> Iterator[Any]:
    with distributed.Client(cluster) as made:
        yield made


def kill(pids: list[int]) -> None:
    for pid in pids:
        os.kill(pid, signal.SIGKILL)


# A task takes Dask milliseconds.
@pytest.mark.parametrize("name", sorted(SEARCHES.keys() - {"one by one"}))
def test_searches_find_what_one_process_finds(name: str, client: Any, tmp_path: Path) -> None:
    check_searches(name, tmp_path, scheduler=client)


def bring_back(client: Any) -> None:
    """Wait for the workers that their nannies start again, or start others in their place."""
    for _ in range(10):
        with contextlib.suppress(TimeoutError):
            client.wait_for_workers(2, timeout=10)
            return
        client.cluster.scale(0)
        client.cluster.scale(2)
    raise AssertionError("workers do not come back")


@pytest.mark.parametrize("name", CALLS)
def test_what_is_built_on_searches_is_the_same(name: str, client: Any) -> None:
    A, call = graph(), CALLS[name]
    np.testing.assert_array_equal(call(A, scheduler=client), call(A))


def _copies(client: Any) -> dict[str, list[str]]:
    """The replicas that there are, and where."""
    return {key: where for key, where in client.who_has().items() if key.startswith("_own")}


def test_the_matrix_is_sent_once_and_given_up_with_it(client: Any) -> None:
    A = graph()
    sb.bfs_many(A, SOURCES, batch=8, scheduler=client)
    before = _copies(client)
    assert sorted(map(list, before.values())) == sorted([worker] for worker in client.nthreads())
    # Dask drops what it takes for needless copies.
    client.amm.run_once()
    sb.closeness(A, samples=3, scheduler=client)
    assert _copies(client) == before
    del A
    deadline = time.monotonic() + 10
    while client.run_on_scheduler(_keys) & before.keys() and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not client.run_on_scheduler(_keys) & before.keys()


def _keys(dask_scheduler: Any) -> set[str]:
    return set(dask_scheduler.tasks)


@pytest.mark.parametrize("device", ["cpu", "reference"])
def test_a_matrix_in_a_folder_is_mapped_by_workers(
    device: str, client: Any, tmp_path: Path
) -> None:
    A, folder = graph(), tmp_path / "graph.csr"
    sb.write(folder, A)
    on_disk = sb.open_csr(folder)
    for name in ("closeness", "khop_sizes"):  # the one searches by columns
        expected = CALLS[name](A)
        np.testing.assert_array_equal(CALLS[name](on_disk, scheduler=client), expected)
    found = sb.bfs_many(on_disk, SOURCES, device=device, scheduler=client)
    check_equal(found, sb.bfs_many(A, SOURCES))
    for data in (on_disk._ready(), on_disk.T._ready()):
        matrix = sb.Matrix._from_data(data, "cpu")
        _, replica = fitness.check_workers(matrix, client)
        assert isinstance(replica.matrix, Origin)
        assert replica.matrix.transposed == (data is not on_disk._ready())
        np.testing.assert_array_equal(replica.on("cpu")._ready().indices, data.indices)
    # Another graph under the name: the one at hand is sent.
    folder.rename(tmp_path / "elsewhere.csr")
    sb.write(folder, sb.generate.path(9))
    _, replica = fitness.check_workers(on_disk, client)
    assert isinstance(replica.matrix, sb.Matrix)


def test_a_folder_that_is_gone_when_a_worker_looks(client: Any, tmp_path: Path) -> None:
    folder = tmp_path / "graph.csr"
    sb.write(folder, graph())
    _, replica = fitness.check_workers(sb.open_csr(folder), client)
    folder.rename(tmp_path / "elsewhere.csr")
    with pytest.raises(FileError, match=r"A: .*graph.csr' is not here what it was"):
        replica.on("cpu")


def test_batches_of_a_killed_worker_are_searched_again(client: Any) -> None:
    A, killed = graph(), []

    def kill_one(*_: int) -> None:
        if not killed:
            killed.append(min(client.run(os.getpid).values()))
            kill(killed)

    found = sb.bfs_many(
        A, SOURCES, outputs=["levels", "counts"], batch=8, scheduler=client, progress=kill_one
    )
    check_equal(found, sb.bfs_many(A, SOURCES, outputs=["levels", "counts"]))
    bring_back(client)
    assert killed and killed[0] not in client.run(os.getpid).values()


@pytest.mark.parametrize("question", ["run", "scatter", "nthreads"])
def test_a_worker_that_is_killed_before_the_first_batch(
    question: str, client: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """While workers are asked what they are, and while the matrix is sent."""
    A, ask, killed = graph(), getattr(client, question), []
    pid = min(client.run(os.getpid).values())

    def kill_one(*args: Any, **kwargs: Any) -> Any:
        if not killed:
            killed.append(pid)
            kill(killed)
        return ask(*args, **kwargs)

    monkeypatch.setattr(client, question, kill_one)
    found = sb.bfs_many(A, SOURCES, outputs=["counts"], batch=8, scheduler=client)
    check_equal(found, sb.bfs_many(A, SOURCES, outputs=["counts"]))
    monkeypatch.undo()
    assert killed
    bring_back(client)


def test_connections_that_are_lost_for_ever(client: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever's they are, a call ends, and says which."""
    monkeypatch.setattr(asking, "PATIENCE", 0.3)

    def lose(*args: Any, **kwargs: Any) -> Any:
        raise distributed.comm.CommClosedError("ConnectionPool.scatter")

    monkeypatch.setattr(client, "scatter", lose)
    with pytest.raises(WorkerError, match=r"connections to workers were lost for .*Pool.scatter"):
        sb.bfs_many(graph(), SOURCES, scheduler=client)
    monkeypatch.setattr(client, "nthreads", lose)
    with pytest.raises(WorkerError, match="scheduler: the connection to it was lost"):
        sb.bfs_many(graph(), SOURCES, scheduler=client)


def _fail_with(error: OSError) -> None:
    raise error


def test_what_is_a_lost_connection(client: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """That there is nobody at an address; no error of a worker's own system, raised at once."""
    monkeypatch.setattr(asking, "_NAP", 1000)
    for error in (PermissionError(13, "cannot open"), OSError("libspbfs.so: cannot open")):
        with pytest.raises(type(error), match="cannot open"):
            asking.asked(client, partial(client.run, _fail_with, error))
    monkeypatch.setattr(fitness, "_VERSIONS", "open('/there/is/none')")
    with pytest.raises(WorkerError, match=r"the worker tcp://\S+ failed: .*/there/is/none"):
        sb.bfs_many(graph(), SOURCES, scheduler=client)
    with pytest.raises(OSError) as nobody:
        asyncio.run(distributed.comm.connect("tcp://127.0.0.1:1", timeout=0.2))
    assert asking.lost(nobody.value)


def test_all_workers_that_are_killed_before_a_call(client: Any) -> None:
    kill(client.run(os.getpid).values())
    deadline = time.monotonic() + 10
    while client.nthreads() and time.monotonic() < deadline:
        time.sleep(0.005)
    found = sb.bfs_many(graph(), SOURCES, outputs=["counts"], scheduler=client)
    check_equal(found, sb.bfs_many(graph(), SOURCES, outputs=["counts"]))
    bring_back(client)


def test_a_matrix_that_all_workers_lost_is_sent_again(client: Any) -> None:
    A, killed = graph(), []

    def kill_all(*_: int) -> None:
        if not killed:
            killed.extend(client.run(os.getpid).values())
            kill(killed)

    found = sb.betweenness(A, batch=8, scheduler=client, progress=kill_all)
    assert found.isequal(sb.betweenness(A, batch=8))
    bring_back(client)


def _end(matrix: Any, item: int, threads: int | None) -> None:
    os._exit(1)


def test_a_batch_that_ends_every_worker(client: Any) -> None:
    def allow(failures: int, dask_scheduler: Any) -> int:
        before, dask_scheduler.allowed_failures = dask_scheduler.allowed_failures, failures
        return int(before)

    before = client.run_on_scheduler(allow, 0)
    workers = workers_for(graph()._ready(), "cpu", client)
    with (
        pytest.raises(WorkerError, match="scheduler: a batch ended every worker"),
        closing(results(workers, _end, [0], None)) as made,
    ):
        next(made)
    client.run_on_scheduler(allow, before)
    bring_back(client)


def _slow(matrix: Any, item: int, threads: int | None) -> int:
    time.sleep(0.2)
    return item


def _batches(client: Any) -> list[str]:
    return [key for key in client.run_on_scheduler(_keys) if key.startswith("_search_batch")]


def _fail(matrix: Any, item: int, threads: int | None) -> None:
    raise TimeoutError("of the work's own")


def test_a_result_that_is_long_in_coming(client: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Looks for workers meanwhile are many."""
    monkeypatch.setattr(cluster_workers, "_LOOK", 0.01)
    workers = workers_for(graph()._ready(), "cpu", client)
    with closing(results(workers, _slow, range(3), None)) as made:
        assert [result for _, result in made] == [0, 1, 2]
    with (
        closing(results(workers, _fail, [0], None)) as made,
        pytest.raises(TimeoutError, match="of the work's own"),
    ):
        next(made)


def test_an_interruption_cancels_what_was_not_begun(client: Any) -> None:
    workers = workers_for(graph()._ready(), "cpu", client)
    with closing(results(workers, _slow, range(100), None)) as made:
        assert next(made) == (0, 0)
        assert 1 < len(_batches(client)) < 10
    deadline = time.monotonic() + 10
    while _batches(client) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not _batches(client)

    def stop(*_: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt) as stopped:
        sb.bfs_many(graph(), SOURCES, batch=8, scheduler=client, progress=stop)
    # Whichever ends first; the last one has the four sources that are left.
    assert stopped.value.partial.done.sum() in (4, 8)  # type: ignore[attr-defined]


def test_workers_that_do_not_fit(client: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(sb, "__version__", "0.0.1")
        with pytest.raises(WorkerError, match=r"worker tcp://\S+ has spbfs .*, expected 0.0.1"):
            sb.closeness(graph(), scheduler=client)
    with monkeypatch.context() as patch:
        patch.setattr(fitness, "python_version", lambda: "3.99.1")
        with pytest.raises(WorkerError, match=r"worker tcp://\S+ has Python .*, expected 3.99.1"):
            sb.closeness(graph(), scheduler=client)
    with monkeypatch.context() as patch:
        patch.setattr(fitness, "_SHARE", 1e-9)
        with pytest.raises(OutOfMemory, match=r"scheduler: A needs [\d,]+ bytes and the worker"):
            sb.closeness(graph(), scheduler=client)
    one = min(client.nthreads())
    client.run(_hide, True, workers=[one])
    with pytest.raises(WorkerError, match=f"the worker {one} cannot import spbfs"):
        sb.closeness(graph(), scheduler=client)
    back = "__import__('sys').modules.update(spbfs=__import__('sys').spbfs)"
    client.run(eval, back, workers=[one])


def _hide(hidden: bool) -> None:
    sys.spbfs = sys.modules["spbfs"]  # type: ignore[attr-defined]
    sys.modules["spbfs"] = None  # type: ignore[assignment]


def test_errors_of_workers_are_the_call_s(client: Any) -> None:
    try:
        sb.generate.path(3).to("cuda")
    except BackendUnavailable:
        with pytest.raises(BackendUnavailable, match="cuda"):
            sb.bfs_many(graph(), SOURCES, device="cuda", scheduler=client)
    with pytest.raises(InvalidValue, match=r"device: expected one of .*, got 'gpu'"):
        sb.bfs_many(graph(), SOURCES, device="gpu", scheduler=client)
    found = sb.bfs_many(graph(), SOURCES, device="reference", scheduler=client)
    check_equal(found, sb.bfs_many(graph(), SOURCES))


def test_a_client_that_is_closed_meanwhile(cluster: Any) -> None:
    other = distributed.Client(cluster)
    with pytest.raises(WorkerError, match="scheduler: the client is closed"):
        sb.bfs_many(graph(), SOURCES, batch=1, scheduler=other, progress=lambda *_: other.close())


def test_a_cluster_without_workers_and_a_client_that_is_closed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(asking, "_STAFFED", 0.3)
    with (
        distributed.LocalCluster(n_workers=0, processes=False, dashboard_address=":0") as empty,
        distributed.Client(empty) as client,
        pytest.raises(WorkerError, match="scheduler: it has no workers"),
    ):
        sb.bfs_many(graph(), SOURCES, scheduler=client)
    with pytest.raises(WorkerError, match="scheduler: the client is closed"):
        sb.bfs_many(graph(), SOURCES, scheduler=client)


def test_a_scheduler_that_ends() -> None:
    """A process of its own: what Dask says then is not for the tests of others."""
    program = """
import sys
import spbfs as sb
from distributed import Client, LocalCluster
from spbfs.exceptions import WorkerError

cluster = LocalCluster(n_workers=1, processes=False, dashboard_address=":0")
client = Client(cluster)


def end(*_):
    close = lambda dask_scheduler: dask_scheduler.loop.add_callback(dask_scheduler.close)
    client.run_on_scheduler(close)


try:
    sb.betweenness(sb.generate.kronecker(12, seed=1), batch=4, scheduler=client, progress=end)
except WorkerError as error:
    print(error)
    sys.stdout.flush()
    __import__("os")._exit(0)
"""
    ended = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, timeout=60
    )
    assert ended.returncode == 0, ended.stderr
    assert ended.stdout.startswith("scheduler: ")


def test_the_command(cluster: Any, client: Any, capsys: pytest.CaptureFixture[str]) -> None:
    many = ["many", str(Path(__file__).parents[2] / "examples" / "data" / "karate.mtx"), "--json"]
    assert main([*many, "--device", "cpu"]) == 0
    alone = json.loads(capsys.readouterr().out)
    for where in (["--scheduler", cluster.scheduler_address], ["--devices", "cpu,cpu"]):
        assert main([*many, *where]) == 0
        found = json.loads(capsys.readouterr().out)
        assert found["device"] == where[1]
        for name in ("searches", "depth", "edges"):
            assert found[name] == alone[name]
    for where, said in (
        (["--devices", "gpu"], "--devices: expected"),
        (["--devices", "0", "--device", "cpu"], "--devices, --device: expected one of them"),
        (["--scheduler", "nonsense://a"], "--scheduler: 'nonsense://a' cannot be reached: "),
    ):
        assert main([*many, *where]) == 1
        assert said in capsys.readouterr().err
