"""The command line: the help that teaches, and how it fails."""

from __future__ import annotations

import argparse
import contextlib
import io
import os
import re
import signal
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import spbfs
from spbfs import cli, generate
from spbfs.cli.parsing.parser import build_parser

KARATE = Path(__file__).parents[3] / "examples" / "data" / "karate.mtx"
Run = Callable[..., tuple[int, str, str]]


def command(*arguments: object, **options: Any) -> subprocess.CompletedProcess[str]:
    """Call the command as a process of its own."""
    return subprocess.run(
        [sys.executable, "-m", "spbfs", *map(str, arguments)],
        stderr=subprocess.PIPE,
        text=True,
        timeout=120,
        check=False,
        **options,
    )


# -- help --------------------------------------------------------------------------------------


def subcommands(parser: argparse.ArgumentParser) -> dict[str, argparse.ArgumentParser]:
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            return dict(action.choices)
    return {}


def test_every_command_has_help(run: Run) -> None:
    commands = subcommands(build_parser())
    assert list(commands) == [
        *("bfs", "trace", "many", "closeness", "khop", "calibrate", "plot"),
        *("info", "convert", "generate"),
    ]
    for name in commands:
        code, out, err = run(name, "--help")
        assert (code, err) == (0, "")
        assert out.startswith(f"usage: spbfs {name}")
    for kind in subcommands(commands["generate"]):
        assert run("generate", kind, "--help")[0] == 0


def test_examples_in_the_help_parse() -> None:
    parser = build_parser()
    pages = [parser.epilog or ""]
    pages += [sub.epilog or "" for sub in subcommands(parser).values()]
    lines = re.findall(r"^  spbfs (.+?)(?:   .*| \| .*)?$", "\n".join(pages), flags=re.MULTILINE)
    assert len(lines) > 12
    for line in lines:
        assert parser.parse_args(line.split()).command == line.split()[0]


def test_help_names_every_extension_and_exit_code(run: Run) -> None:
    from spbfs.io.formats.registry import extensions

    _, out, _ = run("--help")
    assert all(f" {extension} " in out for extension in extensions())
    for code in (cli.OK, cli.FAILED, 2, cli.INTERRUPTED, cli.BROKEN_PIPE, cli.TERMINATED):
        assert re.search(rf"\b{code} [a-z]", out)


def test_version(run: Run) -> None:
    assert run("--version") == (0, f"spbfs {spbfs.__version__}\n", "")


# -- failures ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ([], "COMMAND"),
        (["frobnicate"], "frobnicate"),
        (["bfs", "g.mtx"], "--source"),
        (["bfs", "--source", "0"], "GRAPH"),
        (["bfs", "g.mtx", "--source", '"1'], "quoted as a line of CSV"),
        (["bfs", "g.mtx", "--source", "0", "--rates", "-"], "--rates: expected a file, got '-'"),
        (["bfs", "g.mtx", "--source", "0", "--rates", ""], "--rates: expected a file, got ''"),
        (["many", "g.mtx", "--scheduler", ""], "--scheduler: expected an address, got ''"),
        (["calibrate", "--seconds", "inf"], "inf is not a finite number above 0"),
        (["convert", "g.mtx", "g.csr", "--memory", "infG"], "'infG' is not a finite size"),
        (["many", "g.mtx", "--levels", "-"], "--levels: expected a file, got '-'"),
        (["info", "-", "--format", "../x.txt"], "is no extension"),
        (["convert", "g.mtx", "-", "--to", "a/b.txt"], "is no extension"),
        (["info", "-", "--format", "m\ntx"], r"'m\ntx' is no extension"),
        (["convert", "g.mtx", "-", "--to", "\x1b[31mtxt"], r"'\x1b[31mtxt' is no extension"),
        (["calibrate", "-o", "-"], "--output: expected a file, got '-'"),
        (["plot", "spy", "g.mtx", "-o", "-"], "--output: expected a file, got '-'"),
        (["bfs", "g.mtx", "--source", "0", "--depth", "\u0661"], "not an integer"),
        (["many", "g.mtx", "--top", "1_0"], "not an integer"),
        (["generate", "path", "\u0661", "-o", "g.mtx"], "not an integer"),
        (["generate", "uniform", "9", "\u0661", "-o", "g.mtx"], "not a number"),
        (["bfs", "g.mtx", "--source", "0", "--depth", "-2"], "-2"),
        (["bfs", "g.mtx", "--source", "0", "--threads", "0"], "0"),
        (["bfs", "g.mtx", "--source", "0", "--device", "tpu"], "tpu"),
        (["bfs", "g.mtx", "--source", "0", "--output", "levels.txt"], "levels.txt"),
        (["bfs", "g.mtx", "--source", "0", "--ver"], '--ver (see "spbfs bfs --help")'),
        (["many", "g.mtx", "--samples", "8", "--distributed"], '(see "spbfs many --help")'),
        (["generate", "path", "4", "-o", "g.sg", "--x"], '--x (see "spbfs generate path --help")'),
        (["trace", "g.mtx", "--source", "0", "--device", "reference"], "reference"),
        (["generate", "kronecker", "-o", "g.mtx"], "SCALE"),
        (["generate", "kronecker", "x", "-o", "g.mtx"], "'x'"),
        (["generate", "kronecker", "4"], "--output"),
        (["generate", "hypercube", "4", "-o", "g.mtx"], "hypercube"),
        (["convert", "g.mtx"], "OUT"),
        (["closeness", "g.mtx", "--top=--"], "--top: expected one value"),
        (["trace", "g.mtx", "--source", "0", "--device=--"], "--device: expected one value"),
    ],
)
def test_wrong_usage_is_one_line_and_two(
    failed: Callable[..., str], arguments: list[str], said: str
) -> None:
    line = failed(*arguments, code=2)
    assert said in line
    assert '--help")' in line


@pytest.fixture
def broken(tmp_path: Path) -> dict[str, Path]:
    """Files that cannot be read as graphs."""
    files = {
        "empty": ("empty.mtx", b""),
        "not Matrix Market": ("nonsense.mtx", b"\x00\x01\x02 nonsense\n"),
        "truncated gzip": ("short.txt.gz", bytes.fromhex("1f8b0800000000000003")),
        "not a zip": ("broken.npz", b"PK\x03\x04 no"),
        "unknown extension": ("graph.xyz", b"0 1\n"),
        "rectangular": (
            "wide.mtx",
            b"%%MatrixMarket matrix coordinate pattern general\n2 3 1\n1 3\n",
        ),
    }
    for name, content in files.values():
        (tmp_path / name).write_bytes(content)
    (tmp_path / "folder.mtx").mkdir()
    return {
        **{what: tmp_path / name for what, (name, _) in files.items()},
        "a folder": tmp_path / "folder.mtx",
        "missing": tmp_path / "missing.mtx",
    }


@pytest.mark.parametrize(
    "what",
    [
        *("empty", "not Matrix Market", "truncated gzip", "not a zip", "unknown extension"),
        *("rectangular", "a folder", "missing"),
    ],
)
def test_what_cannot_be_searched_is_one_line(
    failed: Callable[..., str], broken: dict[str, Path], what: str
) -> None:
    for arguments in (("bfs", broken[what], "--source", 0), ("info", broken[what])):
        line = failed(*arguments)
        assert "unexpected" not in line
        assert broken[what].name in line or what == "rectangular"


def test_a_source_that_is_no_vertex(failed: Callable[..., str]) -> None:
    for device in ("cpu", "reference"):
        assert "34" in failed("bfs", KARATE, "--source", 34, "--device", device)
    for text in ("x", "-1", "1.5", "1e3", "nan", "", "0x1", "\u0661", "\u00b2", "1_0", "9" * 5000):
        assert "--source: expected a vertex from 0" in failed("bfs", KARATE, "--source", text)


def test_cuda_where_there_is_none_is_an_error(failed: Callable[..., str]) -> None:
    from spbfs.engines import get_engine
    from spbfs.exceptions import BackendUnavailable

    try:
        get_engine("cuda")
    except BackendUnavailable:
        # Before the file is looked at, let alone read.
        assert "cuda" in failed("bfs", "no-such-file.mtx", "--source", 0, "--device", "cuda")
    else:
        pytest.skip("this machine has a CUDA engine")


def test_output_that_has_nowhere_to_go_is_said_before_the_work(
    failed: Callable[..., str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def too_soon(*_: object, **__: object) -> None:
        pytest.fail("the work had begun")

    for name in ("read", "bfs"):
        monkeypatch.setattr(spbfs, name, too_soon)
    monkeypatch.setattr(generate, "path", too_soon)
    nowhere = tmp_path / "no" / "such"
    assert "no/such" in failed("bfs", KARATE, "--source", 0, "--output", nowhere / "l.npz")
    assert "no/such" in failed("convert", KARATE, nowhere / "g.mtx")
    assert "--levels: there is no folder" in failed("many", KARATE, "--levels", nowhere / "l.npy")
    assert "no/such" in failed("generate", "path", 3, "-o", nowhere / "g.mtx")
    assert "g.xyz" in failed("generate", "path", 3, "-o", tmp_path / "g.xyz")
    (tmp_path / "taken.mtx").mkdir()
    assert "taken.mtx" in failed("generate", "path", 3, "-o", tmp_path / "taken.mtx")
    (graph := tmp_path / "g.npz").write_bytes(b"a graph")
    (tmp_path / "link.npz").symlink_to(graph)
    said = failed("bfs", graph, "--source", 0, "--output", tmp_path / "link.npz")
    assert "is the graph itself" in said


def test_bad_generator_arguments_are_one_line(failed: Callable[..., str], tmp_path: Path) -> None:
    output = tmp_path / "g.npz"
    assert "k must be even" in failed("generate", "small_world", 10, "--k", 3, "-o", output)
    assert "scale" in failed("generate", "kronecker", 99, "-o", output)
    assert not output.exists()


@pytest.mark.parametrize(
    ("error", "code", "said"),
    [
        (KeyboardInterrupt(), 130, "interrupted"),
        (MemoryError(), 1, "out of memory"),
        (PermissionError(13, "Permission denied", "g.mtx"), 1, "g.mtx: Permission denied"),
        (ZeroDivisionError("a\nbug"), 1, "unexpected ZeroDivisionError: a bug"),
        (ModuleNotFoundError("No module named 'cupy'"), 1, "'cupy'"),
    ],
)
def test_whatever_happens_is_one_line(
    failed: Callable[..., str],
    monkeypatch: pytest.MonkeyPatch,
    error: BaseException,
    code: int,
    said: str,
) -> None:
    def fail(*_: object, **__: object) -> None:
        raise error

    monkeypatch.delenv("SPBFS_DEBUG", raising=False)
    monkeypatch.setattr(spbfs, "read", fail)
    assert said in failed("info", "g.mtx", code=code)


def test_debug_adds_the_traceback(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SPBFS_DEBUG", "1")
    code, _, err = run("info", "missing.mtx")
    assert code == 1
    assert "Traceback" in err and err.splitlines()[-1].startswith("spbfs: error: ")


WORDS = [
    *("bfs", "trace", "info", "convert", "generate", "kronecker", "grid2d", "small_world", "tree"),
    *("--undirected", "--compact", "--one-based", "--weights", "--no-weights", "--format", "mtx"),
    *("--force", "--to", "--samples", "--levels", "out.npy", "--top", "--hops", "0,3", "out.csv"),
    *("--source", "--depth", "--threads", "--device", "--json", "--verify", "--output", "-o"),
    *("--seed", "--k", "--p", "--help", "--", "-", "", "0", "1", "3", "-1", "2.5", "nan", "99"),
    *("cpu", "reference", "cuda", str(KARATE), "out.npz", "out.mtx", "out.graph", "gone.el", "é\n"),
]
#: Beginnings that are right, so that what follows is looked at.
BEGINNINGS = [
    [],
    ["bfs", str(KARATE), "--source", "0"],
    ["trace", str(KARATE), "--source", "3"],
    ["info", str(KARATE)],
    ["many", str(KARATE)],
    ["closeness", str(KARATE)],
    ["khop", str(KARATE), "--hops", "2"],
    ["convert", str(KARATE), "out.graph"],
    ["generate", "small_world", "99", "-o", "out.mtx"],
]


@settings(max_examples=200, deadline=None)
@given(st.sampled_from(BEGINNINGS), st.lists(st.sampled_from(WORDS), max_size=5))
def test_no_words_make_it_anything_but_one_line(beginning: list[str], words: list[str]) -> None:
    out, err = io.StringIO(), io.StringIO()
    with (
        tempfile.TemporaryDirectory() as folder,
        contextlib.chdir(folder),
        contextlib.redirect_stdout(out),
        contextlib.redirect_stderr(err),
    ):
        code = cli.main([*beginning, *words])
    if code == 0:
        # A format without names says that they are lost.
        assert out.getvalue() and re.fullmatch(r"(spbfs: note: .+\n)?", err.getvalue())
    else:
        assert code in (1, 2)
        assert re.fullmatch(r"spbfs: error: .+\n", err.getvalue())
        assert "unexpected" not in err.getvalue()


# -- as a process ------------------------------------------------------------------------------


def test_the_process_ends_with_the_exit_code() -> None:
    done = command("info", "missing.mtx", stdout=subprocess.PIPE)
    assert (done.returncode, done.stdout) == (1, "")
    assert re.fullmatch(r"spbfs: error: .*missing\.mtx.*\n", done.stderr)


def test_a_closed_pipe_is_quiet() -> None:
    reading, writing = os.pipe()
    os.close(reading)
    try:
        done = command("info", KARATE, stdout=writing)
    finally:
        os.close(writing)
    assert (done.returncode, done.stderr) == (141, "")


def test_a_file_name_that_is_no_text(tmp_path: Path) -> None:
    name = os.fsencode(tmp_path) + b"/k\xffrate.mtx"
    try:
        with open(name, "wb") as file:
            file.write(KARATE.read_bytes())
    except OSError:
        pytest.skip("this file system keeps names to valid text")
    done = command("info", os.fsdecode(name), stdout=subprocess.PIPE)
    assert (done.returncode, done.stderr) == (0, "")
    assert r"/k\udcffrate.mtx" in done.stdout


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
def test_a_full_disk_is_one_line() -> None:
    with open("/dev/full", "w", encoding="ascii") as full:
        done = command("info", KARATE, stdout=full)
    assert done.returncode == 1
    assert re.fullmatch(r"spbfs: error: .*No space left.*\n", done.stderr)


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
@pytest.mark.parametrize("words", [(), ("bfs",), ("generate", "grid2d")])
def test_help_that_nobody_takes_is_one_line(words: tuple[str, ...]) -> None:
    unbuffered = {**os.environ, "PYTHONUNBUFFERED": "1"}  # the write itself fails then
    with open("/dev/full", "w", encoding="ascii") as full:
        done = command(*words, "--help", stdout=full, env=unbuffered)
    assert done.returncode == 1
    assert re.fullmatch(r"spbfs: error: standard output: No space left.*\n", done.stderr)


@pytest.mark.parametrize("sent", ["interrupted", "terminated"])
def test_interrupting_the_process_is_one_line(sent: str) -> None:
    number, code = {"interrupted": (signal.SIGINT, 130), "terminated": (signal.SIGTERM, 143)}[sent]
    program = (
        "import sys, time, spbfs; from spbfs.cli import main;"
        "spbfs.read = lambda *_, **__: (print('reading', flush=True), time.sleep(60));"
        "sys.exit(main(['info', 'g.mtx']))"
    )
    with subprocess.Popen(
        [sys.executable, "-c", program], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "reading\n"
        process.send_signal(number)
        out, err = process.communicate(timeout=60)
    assert (process.returncode, out, err) == (code, "", f"spbfs: error: {sent}\n")


def test_arguments_are_parsed_before_anything_slow_is_imported() -> None:
    program = (
        "import sys; from spbfs.cli import main; code = main(sys.argv[1:]);"
        "slow = {'numpy', 'scipy', 'cupy', 'tqdm', 'spbfs._cpu'} & set(sys.modules);"
        "sys.exit(f'{slow} were imported' if slow else code)"
    )
    for arguments, code in ((["--help"], 0), (["bfs", "--help"], 0), (["bfs", "g.mtx"], 2)):
        done = subprocess.run(
            [sys.executable, "-c", program, *arguments],
            capture_output=True,
            text=True,
            check=False,
            timeout=60,
        )
        assert done.returncode == code, done.stderr


def test_gpus_that_are_not_there_are_named(run: Run) -> None:
    for command in ("bfs", "trace"):
        code, out, err = run(command, KARATE, "--source", 0, "--devices", "70,71")
        assert (code, out, err.count("\n")) == (1, "", 1)
        assert "devices" in err or "cuda" in err
        code, _, err = run(command, KARATE, "--source", 0, "--devices", "0,cpu")
        assert code == 1 and err.count("\n") == 1
        code, _, err = run(command, KARATE, "--source", 0, "--devices", "0,1", "--energy")
        assert code == 1 and "energy" in err and err.count("\n") == 1
    code, _, err = run("bfs", KARATE, "--source", 0, "--devices", "0,1", "--distributed")
    assert code == 2 and "not allowed with" in err
