"""Damaged files of every kind, by the hundred thousand: each ends in a typed error or is sound.

``python -m tests.fuzz_files --count 100000`` reads so many in processes of limited memory and
prints how they ended, kind by kind; ``--first N --count 1`` reads file N alone.
`tests/unit/files/test_io_fuzz.py` runs a fixed slice.
"""

from __future__ import annotations

import argparse
import gzip
import io
import json
import os
import random
import resource
import signal
import subprocess
import sys
import tempfile
import zipfile
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

import spbfs as sb
from spbfs.exceptions import SpbfsError
from tests.on_disk import resealed
from tests.unit.io_cases import VALID, check_canonical

ROOT = Path(__file__).parents[1]
#: Bytes of address space beyond what is there before the first file.
MEMORY = 1 << 30
#: Seconds that a file of a few hundred bytes may take.
PATIENCE = 60
#: Files of one process.
SLICE = 5000

#: Pieces of text that mean something to one format or another, or nearly.
SPICE = [
    *b"0 1 -1 2 3 99999999999 2147483648 9223372036854775807 18446744073709551616 1e9".split(),
    *b"nan inf -inf 1.5 .5 1e400 1e-400 0x7f + - -- . e5 ,, \" ' % # a p c sp 011 111".split(),
    *b"%%MatrixMarket coordinate array real integer complex symmetric hermitian".split(),
    *[b"\n", b"\r", b"\r\n", b"\t", b" ", b"\0", b"\xff", b"\xef\xbb\xbf", b"\x1f\x8b\x08", b""],
]


def mutated(content: bytes, rng: random.Random) -> bytes:
    """The content with one to four small accidents."""
    data = bytearray(content)
    for _ in range(rng.randint(1, 4)):
        at = rng.randrange(len(data) + 1)
        kind = rng.randrange(6)
        if kind == 0 and at < len(data):
            data[at] ^= 1 << rng.randrange(8)
        elif kind == 1:
            del data[at : at + rng.randint(1, 8)]
        elif kind == 2:
            data[at:at] = rng.choice(SPICE)
        elif kind == 3:
            data[at : at + rng.randint(1, 8)] = rng.choice(SPICE)
        elif kind == 4:
            start = rng.randrange(len(data) + 1)
            data[at:at] = data[start : start + rng.randint(1, 40)]
        else:
            del data[at:]
    return bytes(data)


def mutated_member(archive: bytes, rng: random.Random) -> bytes:
    """An archive that is sound itself, since check sums find what is not, of a damaged member."""
    with zipfile.ZipFile(io.BytesIO(archive)) as whole:
        members = {name: whole.read(name) for name in whole.namelist()}
    victim = rng.choice(sorted(members))
    data = bytearray(members[victim])
    if rng.random() < 0.3 and len(data) > 128:
        # The header is whole: what is wrong then is a number.
        data[rng.randrange(128, len(data))] ^= 1 << rng.randrange(8)
        members[victim] = bytes(data)
    else:
        members[victim] = mutated(members[victim], rng)
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w") as target:
        for name, content in members.items():
            target.writestr(name, content)
    return made.getvalue()


def damaged(name: str, content: bytes, rng: random.Random) -> tuple[str, bytes]:
    """A file's name and damaged content: before it is compressed, after it, or as it is."""
    if name.endswith(".npz") and rng.random() < 0.5:
        return name, mutated_member(content, rng)
    way = rng.random()
    if way < 0.6:
        return name, mutated(content, rng)
    if way < 0.8:
        return f"{name}.gz", gzip.compress(mutated(content, rng), 1, mtime=0)
    return f"{name}.gz", mutated(gzip.compress(content, mtime=0), rng)


# -- kinds of files --------------------------------------------------------------------------------


def read_graph(case: str, folder: Path, rng: random.Random) -> None:
    """A graph, through the public function with options of every sort."""
    name, content, _ = VALID[case]
    options: dict[str, Any] = {
        "weights": rng.choice([None, None, True, False]),
        "directed": rng.random() < 0.8,
        "compact": rng.random() < 0.2,
    }
    if rng.random() < 0.1:
        options["one_based"] = rng.random() < 0.5
    if rng.random() < 0.1:
        options["dtype"] = rng.choice(["BOOL", "INT8", "UINT64", "FP32"])
    name, data = damaged(name, content, rng)
    path = folder / name
    path.write_bytes(data)
    found = sb.read(path, **options)
    check_canonical((found[0] if options["compact"] else found)._ready())


#: Names that a file of an index has, by how they are stored there.
CALLED: dict[str, Any] = {
    "nobody": None,
    "texts": ["ann", "b\u00f6b", ("c", 3), 4.5, True, None, "", "x" * 40, ((1, 2), "y")],
    "numbers": np.arange(9) * 7,
    "days": np.arange(9).astype("M8[D]"),
}


def load_index(folder: Path, rng: random.Random) -> None:
    """An index of k hops, with names of vertices or without."""
    path, called = folder / "index.npz", rng.choice(list(CALLED))

    def write(kept: Path) -> None:
        A = sb.generate.path(9)
        A.labels = CALLED[called]
        sb.KHopIndex(A, k=2).save(kept)

    content = _kept(folder, f"index of {called}", write)
    path.write_bytes(mutated_member(content, rng) if rng.random() < 0.5 else mutated(content, rng))
    index = sb.KHopIndex.load(path)
    sources = index.sources
    if index.labels is not None:
        assert len(index.labels) == index.n
        sources = index.labels.names(sources)
    assert index.query(sources, sources).shape == sources.shape


def resume_levels(folder: Path, rng: random.Random) -> None:
    """A file of levels, or what says how far it is, that a call goes on with."""
    A, sources = sb.generate.path(9), [0, 4, 8]
    path = folder / "levels.npy"
    progress = folder / "levels.npy.progress.npz"

    def write(made: Path) -> None:
        for old in (path, progress):
            old.unlink(missing_ok=True)
        sb.bfs_many(A, sources, outputs={"levels": path})
        made.write_bytes(path.read_bytes())
        _kept(folder, "progress", lambda p: p.write_bytes(progress.read_bytes()))

    levels = _kept(folder, "levels", write)
    said = (folder / "progress.kept").read_bytes()
    if rng.random() < 0.5:
        levels = mutated(levels, rng)
    else:
        said = mutated_member(said, rng) if rng.random() < 0.5 else mutated(said, rng)
    path.write_bytes(levels)
    progress.write_bytes(said)
    found = sb.bfs_many(A, sources, outputs={"levels": path})
    assert np.asarray(found.levels).shape == (3, 9) and found.done.all()


def open_folder(folder: Path, rng: random.Random) -> None:
    """A CSR folder with one damaged array or header, which half of the time its checksums fit."""
    made = folder / "graph.csr"
    sb.write(made, rng.choice(FOLDERS))
    victim = rng.choice(sorted(p.name for p in made.iterdir()))
    content = (made / victim).read_bytes()
    if len(content) % 4 == 0 and rng.random() < 0.7 and not victim.endswith(".json"):
        # A number, and no other length.
        words = np.frombuffer(content, "<i4").copy()
        strange = rng.choice([-1, 0, 1, 2**31 - 1, -(2**31), rng.randrange(64)])
        words[rng.randrange(len(words))] = strange
        content = words.tobytes()
    else:
        content = mutated(content, rng)
    (made / victim).write_bytes(content)
    if victim.endswith(".json") and rng.random() < 0.5:
        _mend_header(made, rng)
    elif rng.random() < 0.7 and not victim.endswith(".json"):
        resealed(made)
    A = sb.open_csr(made, verify=rng.random() < 0.2)
    source = rng.randrange(A.nrows)
    way = rng.choice(["auto", "push", "pull"])
    if rng.random() < 0.5:
        sb.bfs(A, source, direction=way, part_edges=rng.choice([1, 5, 1 << 20]))
    else:
        sb.bfs(A, source, direction=way)
        sb.bfs_many(A, [source, 0])
    check_canonical(A._ready())


def _mend_header(made: Path, rng: random.Random) -> None:
    """A header whose own checksum fits, and one field of which is anything."""
    sb.write(made, FOLDERS[0])
    field = rng.choice(["nrows", "ncols", "nvals", "iso", "dtype", "transpose", "block", "files"])
    strange = rng.choice([-1, 0, 3, 2**40, 2**70, True, "INT8", "itself", "absent", None, [], {}])
    resealed(made, lambda header: header.update({field: strange}), files=field != "files")


FOLDERS = [
    sb.generate.kronecker(5, 4, seed=1),
    sb.Matrix.from_coo([0, 1, 2, 5], [1, 2, 3, 0], [2.5, 1.0, 0.5, 3.0], nrows=6, ncols=6),
]


def _kept(folder: Path, name: str, write: Callable[[Path], object]) -> bytes:
    """A sound file, made once a process."""
    path = folder / f"{name}.kept"
    if not path.exists():
        made = folder / f"{name}.npz"
        write(made)
        os.replace(made, path)
    return path.read_bytes()


KINDS: dict[str, Callable[[Path, random.Random], None]] = {
    **{c: lambda folder, rng, c=c: read_graph(c, folder, rng) for c in VALID},  # type: ignore[misc]
    "index": load_index,
    "levels": resume_levels,
    "csr folder": open_folder,
}


# -- running them ----------------------------------------------------------------------------------


def outcome(number: int, folder: Path) -> tuple[str, str]:
    """File `number`: its kind, and ``"read"`` or the name of the typed error."""
    kind = sorted(KINDS)[number % len(KINDS)]
    try:
        KINDS[kind](folder, random.Random(f"{kind} {number}"))
    except SpbfsError as error:
        assert str(error)
        return kind, type(error).__name__
    return kind, "read"


def run_here(first: int, count: int, told: Path) -> Counter[tuple[str, str]]:
    """Files in this process, its memory limited, the number of each written down before."""
    with open("/proc/self/statm", encoding="ascii") as sizes:
        room = int(sizes.read().split()[0]) * resource.getpagesize() + MEMORY
    resource.setrlimit(resource.RLIMIT_AS, (room, room))

    def late(*_: object) -> None:
        raise TimeoutError(f"took more than {PATIENCE} seconds")

    signal.signal(signal.SIGALRM, late)
    ended: Counter[tuple[str, str]] = Counter()
    with tempfile.TemporaryDirectory() as folder, open(told, "wb", buffering=0) as now:
        for number in range(first, first + count):
            os.pwrite(now.fileno(), f"{number:012}".encode(), 0)
            signal.alarm(PATIENCE)
            try:
                ended[outcome(number, Path(folder))] += 1
            except BaseException as error:
                error.add_note(f"file {number}: python -m tests.fuzz_files --first {number}")
                raise
            finally:
                signal.alarm(0)
    return ended


def run(first: int, count: int) -> Counter[tuple[str, str]]:
    """Files in processes of their own; an AssertionError for one that ends otherwise."""
    total: Counter[tuple[str, str]] = Counter()
    with tempfile.TemporaryDirectory() as folder:
        told = Path(folder) / "number"
        for begin in range(first, first + count, SLICE):
            size = min(SLICE, first + count - begin)
            part = ["--here", str(told), "--first", str(begin), "--count", str(size)]
            done = subprocess.run(
                [sys.executable, "-m", "tests.fuzz_files", *part],
                cwd=ROOT,
                capture_output=True,
                text=True,
                check=False,
            )
            at = told.read_text() if told.exists() else "none"
            assert done.returncode == 0, f"file {at}: {done.returncode}\n{done.stderr}"
            for kind, how, times in json.loads(done.stdout.splitlines()[-1]):
                total[kind, how] += times
    return total


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=1)
    parser.add_argument("--first", type=int, default=0, help="number of the first file")
    parser.add_argument("--here", type=Path, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.here:
        ended = run_here(arguments.first, arguments.count, arguments.here)
        print(json.dumps([[*key, times] for key, times in ended.items()]))
        return
    total = run(arguments.first, arguments.count)
    for kind in sorted(KINDS):
        told = {how: times for (k, how), times in sorted(total.items()) if k == kind}
        print(f"{kind:16} {', '.join(f'{how} {times:,}' for how, times in told.items())}")
    read = sum(times for (_, how), times in total.items() if how == "read")
    print(
        f"{total.total():,} files: {read:,} read, {total.total() - read:,} refused by typed errors"
    )


if __name__ == "__main__":
    main()
