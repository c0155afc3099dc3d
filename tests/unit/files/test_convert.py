"""Lists of edges made into CSR folders in bounded memory: right, whatever fits into it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import spbfs as sb
from spbfs.cli import main
from spbfs.exceptions import FileError, FileMissing, FormatError, InvalidValue
from spbfs.io.conversion import edge_lists, external_sort
from tests.edge_lists import put
from tests.processes import finished

LISTS = {
    "plain": ("a.txt", "0 1\n1 2\n2 0\n5 5\n"),
    "comments": ("a.el", "# Nodes: 9 Edges: 2\n# FromNodeId\tToNodeId\n3\t1\n1\t3\n"),
    "nothing but a promise": ("a.txt", "# Nodes: 4\n"),
    "weights": ("a.wel", "0 1 3\n1 0 3\n0 1 2\n2 1 7\n"),
    "real weights": ("a.txt", "0 1 3\n1 0 3.5\n0 1 -2\n4 4 1e9\n"),
    "a symmetric one with weights": ("a.wel", "0 1 3\n1 0 3\n2 2 1\n"),
    "a symmetric one with others": ("a.wel", "0 1 3\n1 0 4\n"),
    "duplicates": ("a.edges", "1 0\n1 0\n1 0\n0 3\n"),
    "a header": ("a.csv", "source,target,weight\n0,1,2\n7,1,3\n"),
    "tabs": ("a.tsv", "u\tv\n0\t1\n7\t1\n"),
    "marks and line ends": ("a.csv", b"\xef\xbb\xbfsource,target\r\n0,4\r\n4,0\r\n"),
    "no end of line": ("a.txt", "0 1\n2 3"),
}


@pytest.fixture(params=[1 << 20, 5, 1], ids=["in one run", "in runs of five", "in runs of one"])
def small(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Memory that holds so many entries."""
    monkeypatch.setattr(edge_lists, "capacity_of", lambda room, valued: request.param)


@pytest.mark.usefixtures("small")
@pytest.mark.parametrize("name", LISTS)
@pytest.mark.parametrize("directed", [True, False])
def test_folders_hold_what_lists_say(tmp_path: Path, name: str, directed: bool) -> None:
    path = put(tmp_path, LISTS[name][0] + ("" if directed else ".gz"), LISTS[name][1])
    for weights in (None, False):
        expected = sb.read(path, directed=directed, weights=weights)
        sb.convert(path, tmp_path / "a.csr", directed=directed, weights=weights)
        A = sb.open_csr(tmp_path / "a.csr", verify=True)
        assert A.dtype == expected.dtype and A.isequal(expected)
        assert A.T.new().isequal(expected.T.new())
        assert sb.bfs(A, 0).levels.isequal(sb.bfs(expected, 0).levels)
    assert sorted(p.name for p in tmp_path.iterdir()) == sorted([path.name, "a.csr"])


@settings(max_examples=15, deadline=None)
@given(
    st.lists(st.tuples(st.integers(0, 12), st.integers(0, 12), st.integers(-3, 3)), min_size=1),
    st.integers(1, 9),
    st.booleans(),
    st.booleans(),
)
def test_random_lists(
    tmp_path_factory: pytest.TempPathFactory,
    edges: list[tuple[int, int, int]],
    capacity: int,
    weighted: bool,
    directed: bool,
) -> None:
    folder = tmp_path_factory.mktemp("random")
    lines = [" ".join(map(str, edge[: 2 + weighted])) for edge in edges]
    path = put(folder, "a.txt", "\n".join(lines))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(edge_lists, "capacity_of", lambda room, valued: capacity)
        sb.convert(path, folder / "a.csr", directed=directed)
    A = sb.open_csr(folder / "a.csr", verify=True)
    expected = sb.read(path, directed=directed)
    assert A.isequal(expected)
    header = (folder / "a.csr" / "header.json").read_text()
    assert ('"itself"' in header) == expected.isequal(expected.T.new())
    pattern = sb.read(path, directed=directed, weights=False)
    assert ('"symmetric": true' in header) == pattern.isequal(pattern.T.new())


def test_ids_from_one_the_largest_id_and_no_second_half(tmp_path: Path) -> None:
    path = put(tmp_path, "a.txt", "1 2\n2 3\n")
    sb.convert(path, tmp_path / "a.csr", one_based=True, transpose=False)
    A = sb.open_csr(tmp_path / "a.csr")
    assert A.shape == (3, 3) and sb.bfs(A, 0).depth == 2
    with pytest.raises(InvalidValue, match="no second half"):
        sb.bfs(A, 0, direction="pull")
    far = put(tmp_path, "far.txt", f"0 {2**32}\n")
    with pytest.raises(InvalidValue, match="the vertex 4294967296"):
        sb.convert(far, tmp_path / "far.csr")
    far.write_text(f"0 {2**32 - 1}\n")
    with pytest.raises(FormatError, match="far off"):
        sb.convert(far, tmp_path / "beyond.csr")


def test_parts_of_a_merge_are_no_larger_than_memory(tmp_path: Path) -> None:
    rng = np.random.default_rng(7)
    for capacity, size, most in [(50, 1000, 1 << 40), (64, 900, 30), (7, 150, 200)]:
        runs: list[external_sort.Run] = []
        writer = external_sort.RunWriter(tmp_path, f"r{capacity}", capacity, runs)
        keys = rng.integers(0, most, size).astype(np.uint64)
        writer.add(keys, None)
        writer.flush()
        bounds = external_sort.cuts(tmp_path, runs, capacity)
        cut = list(external_sort.merged(tmp_path, runs, bounds, 0))
        parts = [entries for entries, _ in cut]
        assert max(part.keys.shape[0] for part in parts) <= max(capacity, len(runs))
        np.testing.assert_array_equal(np.concatenate([p.keys for p in parts]), sorted({*keys}))
        again = [e for e, _ in external_sort.merged(tmp_path, runs, bounds, cut[0][1])]
        assert len(again) == len(parts) - 1
        np.testing.assert_array_equal(again[0].keys, parts[1].keys)
        assert list(external_sort.merged(tmp_path, runs, bounds, cut[-1][1])) == []


# -- memory and disk -------------------------------------------------------------------------------


def test_a_list_larger_than_the_memory_it_may_have(tmp_path: Path) -> None:
    """2 million entries, in a process told to use 20 MiB; in memory they would take thrice that."""
    program = """
    import os, resource, sys, threading
    os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[:2])
    threading.stack_size(1 << 20)  # which RLIMIT_DATA counts, used or not
    import numpy as np, spbfs as sb
    from spbfs.io.conversion import edge_lists
    from spbfs.io.files import source
    from tests.on_disk import data_bytes, peak_anonymous

    path, target = sys.argv[1], sys.argv[2]
    source.PIECE, edge_lists._PIECES, edge_lists.LEAST_MEMORY = 1 << 18, 12 << 20, 20 << 20
    n, memory, stacks = 1 << 18, edge_lists.LEAST_MEMORY, 8 << 20
    with open(path, "wb") as file:
        line = b"".join(b"%07d %07d\\n" % (v, v * 7919 % n) for v in range(n))
        for shift in range(8):
            file.write(line.replace(b" 0", b" %d" % (shift + 1)))
    sb.generate.path(9), sb.convert(sys.argv[3], sys.argv[4])  # what is loaded once
    limit = data_bytes() + memory + stacks
    resource.setrlimit(resource.RLIMIT_DATA, (limit, limit))
    with peak_anonymous() as peak:
        sb.convert(path, target, memory=memory)
    assert 1 << 20 < peak.bytes < memory, peak.bytes
    try:
        sb.read(path)
    except sb.exceptions.OutOfMemory:
        print(sb.open_csr(target).nvals > 3 << 19)
    """
    small = put(tmp_path, "small.txt", "0 1\n")
    done = finished("", program, tmp_path / "a.txt", tmp_path / "a.csr", small, tmp_path / "b.csr")
    assert done.returncode == 0, done.stderr
    assert done.stdout == "True\n"


def test_a_full_disk_is_an_error_and_leaves_what_was_there(tmp_path: Path) -> None:
    program = """
    import resource, signal, sys, spbfs as sb
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    path, target = sys.argv[1:]
    resource.setrlimit(resource.RLIMIT_FSIZE, (20_000, -1))
    try:
        sb.convert(path, target)
    except sb.exceptions.FileError as error:
        print(error)
    print(sb.open_csr(target).nrows)
    try:
        sb.write(target, sb.generate.path(5000))
    except sb.exceptions.FileError as error:
        print(error)
    print(sb.open_csr(target).nrows)
    resource.setrlimit(resource.RLIMIT_FSIZE, (-1, -1))
    sb.convert(path, target)
    print(sb.open_csr(target).nrows)
    """
    path = put(tmp_path, "a.txt", "".join(f"{v} {v + 1}\n" for v in range(9000)))
    sb.write(tmp_path / "a.csr", sb.generate.path(3))
    done = finished("", program, path, tmp_path / "a.csr")
    assert done.returncode == 0, done.stderr
    first, *told = done.stdout.splitlines()
    assert "bytes on the disk: File too large" in first and told[0] == "3"
    assert "bytes on the disk" in told[1] and told[2:] == ["3", "9001"]
    assert {p.name for p in tmp_path.iterdir()} == {"a.txt", "a.csr"}


# -- arguments -------------------------------------------------------------------------------------


def test_bad_arguments(tmp_path: Path) -> None:
    path, target = put(tmp_path, "a.txt", "0 1\n"), tmp_path / "a.csr"
    wrong: list[tuple[tuple[Any, Any], dict[str, Any], type[Exception], str]] = [
        ((tmp_path / "a.mtx", target), {}, InvalidValue, "source: .*no list of edges"),
        ((path, tmp_path / "a.txt"), {}, InvalidValue, "target: .*csr"),
        ((3, target), {}, InvalidValue, "3"),
        ((tmp_path / "no.txt", target), {}, FileMissing, "no.txt"),
        ((path, tmp_path / "no" / "a.csr"), {}, FileMissing, "target"),
        ((path, target), {"memory": 5}, InvalidValue, "memory: 5; expected 134,217,728"),
        ((path, target), {"memory": 1e12}, InvalidValue, "memory"),
        ((path, target), {"directed": None}, InvalidValue, "directed"),
        ((path, target), {"transpose": 2}, InvalidValue, "transpose"),
        ((path, target), {"weights": True}, FormatError, "weight"),
    ]
    for arguments, options, error, told in wrong:
        with pytest.raises(error, match=told):
            sb.convert(*arguments, **options)
    named = put(tmp_path, "names.csv", "source,target\nada,bob\n")
    with pytest.raises(InvalidValue, match="names for vertices"):
        sb.convert(named, target)
    broken = put(tmp_path, "broken.txt", "0 1\n1 x\n")
    with pytest.raises(FormatError, match=r"broken\.txt, line 2: 'x'"):
        sb.convert(broken, tmp_path / "broken.csr")
    (tmp_path / "folder.txt").mkdir()
    with pytest.raises(FileError, match="directory"):
        sb.convert(tmp_path / "folder.txt", target)
    assert not target.exists()


def test_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path, target = put(tmp_path, "a.txt", "1 2\n2 3\n"), tmp_path / "a.csr"

    def ran(*words: object) -> tuple[int, str]:
        code = main([str(w) for w in words])
        told = capsys.readouterr()
        return code, told.out + told.err

    assert ran("convert", path, target, "--one-based", "--memory", "256M")[0] == 0
    assert sb.open_csr(target).shape == (3, 3)
    told = f"spbfs: error: output: {str(target)!r} exists; --force overwrites it\n"
    assert ran("convert", path, target) == (1, told)
    assert ran("convert", path, target, "--force", "--undirected", "--no-transpose")[0] == 0
    assert sb.open_csr(target).nvals == 4
    code, told = ran("bfs", target, "--source", "1")
    assert code == 0 and "reached  3 vertices" in told, told
    assert ran("convert", target, tmp_path / "b.mtx")[0] == 0
    assert sb.read(tmp_path / "b.mtx").isequal(sb.open_csr(target))
    assert ran("convert", tmp_path / "b.mtx", tmp_path / "c.csr")[0] == 0
    assert sb.open_csr(tmp_path / "c.csr", verify=True).isequal(sb.open_csr(target))
    code, told = ran("convert", tmp_path / "b.mtx", tmp_path / "d.csr", "--memory", "1G")
    assert code != 0 and told.startswith("spbfs: error: --memory: expected only where"), told
    code, told = ran("convert", path, tmp_path / "d.csr", "--memory", "1K")
    assert code != 0 and "--memory: 1024; expected 134,217,728 bytes or more" in told
    code, told = ran("convert", path, tmp_path / "file.csr" / "x.csr")
    assert code != 0 and told.count("\n") == 1


def test_more_memory_than_there_is(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """All of it is meant; a number that is none is refused."""
    path = put(tmp_path, "a.txt", "0 1\n1 2\n")
    sb.convert(path, tmp_path / "a.csr", memory=2**80)
    given = ["convert", str(path), str(tmp_path / "b.csr"), "--memory"]
    assert main([*given, "99999999999999999999999G"]) == 0
    for name in "ab":
        assert sb.open_csr(tmp_path / f"{name}.csr").nvals == 2
    assert main([*given, "1e308T"]) == 2
    assert "more than a number can be" in capsys.readouterr().err
