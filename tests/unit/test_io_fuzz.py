"""Damaged files of every format: a typed error or a sound matrix, in little time and memory."""

from __future__ import annotations

import random
import resource
import zipfile
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from io_cases import VALID, check_canonical, put, read

from spbfs.exceptions import SpbfsError
from spbfs.io import source

FUZZ = settings(
    max_examples=80, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)

#: What a file of a few hundred bytes may cost at most.
MOST_MEMORY = 600 << 20

#: Pieces of text that mean something to one format or another, or nearly.
SPICE = [
    *b"0 1 -1 2 3 99999999999 2147483648 9223372036854775807 18446744073709551616 1e9".split(),
    *b"nan inf -inf 1.5 .5 1e400 1e-400 0x7f + - -- . e5 ,, \" ' % # a p c sp 011 111".split(),
    *b"%%MatrixMarket coordinate array real integer complex symmetric hermitian".split(),
    *[b"\n", b"\r", b"\r\n", b"\t", b" ", b"\0", b"\xff", b"\xef\xbb\xbf", b"\x1f\x8b\x08", b""],
]


def outcome(path: Path, **options: Any) -> str:
    """Read a file that may be anything; whatever happens must be one of two things."""
    try:
        A = read(path, **options)
    except SpbfsError as error:
        assert str(error)
        return "refused"
    check_canonical(A)
    return "read"


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


@pytest.mark.parametrize("suffix", ["", ".gz"])
@pytest.mark.parametrize("case", VALID)
def test_mutated_files(tmp_path: Path, case: str, suffix: str) -> None:
    name, content, _ = VALID[case]
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    seen = set()
    for seed in range(250 if not suffix else 50):
        rng = random.Random(f"{case} {seed}")
        damaged = mutated(content, rng)
        options = {
            "weights": rng.choice([None, None, True, False]),
            "directed": rng.random() < 0.8,
            "compact": rng.random() < 0.2,
        }
        try:
            seen.add(outcome(put(tmp_path, name + suffix, damaged), **options))
        except Exception as error:
            error.add_note(f"seed {seed}, options {options}, file {damaged!r}")
            raise
    # Some damage is harmless and some is not; both must have been met.
    assert suffix or seen == {"refused", "read"}
    after = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    assert (after - before) * 1024 < MOST_MEMORY


@pytest.mark.parametrize("case", VALID)
def test_mutated_archives(tmp_path: Path, case: str) -> None:
    # Damage to the compressed bytes themselves.
    name, content, _ = VALID[case]
    path = put(tmp_path, f"{name}.gz", content)
    whole = path.read_bytes()
    for seed in range(100):
        rng = random.Random(f"{case} {seed}")
        damaged = mutated(whole, rng)
        path.write_bytes(damaged)
        try:
            outcome(path)
        except Exception as error:
            error.add_note(f"seed {seed}, file {damaged!r}")
            raise


@pytest.mark.parametrize("case", [c for c in VALID if c.startswith("npz")])
def test_mutated_members(tmp_path: Path, case: str) -> None:
    # Damage inside an archive that is sound itself, as its check sums would otherwise catch it.
    name, content, _ = VALID[case]
    (tmp_path / "whole.zip").write_bytes(content)
    with zipfile.ZipFile(tmp_path / "whole.zip") as whole:
        members = {i: whole.read(i) for i in whole.namelist()}
    for seed in range(200):
        rng = random.Random(f"{case} {seed}")
        victim = rng.choice(sorted(members))
        damaged = members | {victim: mutated(members[victim], rng)}
        if rng.random() < 0.3:
            # Keep the header whole: what is wrong then is a number.
            data = bytearray(members[victim])
            if len(data) > 128:
                data[rng.randrange(128, len(data))] ^= 1 << rng.randrange(8)
            damaged[victim] = bytes(data)
        with zipfile.ZipFile(tmp_path / name, "w") as target:
            for member, data in damaged.items():
                target.writestr(member, data)
        try:
            outcome(tmp_path / name)
        except Exception as error:
            error.add_note(f"seed {seed}, member {victim}: {damaged[victim]!r}")
            raise


TEXTS = ["a.txt", "a.wel", "a.csv", "a.tsv", "a.gr", "a.graph", "a.mtx"]


@pytest.mark.parametrize("name", TEXTS)
@pytest.mark.parametrize("piece", [5, 1 << 22])
@FUZZ
@given(words=st.lists(st.sampled_from([*SPICE, b" ", b"\n", b"1", b"2"]), max_size=40))
@example(words=[b"1 2\n", b'"'])
def test_words_of_all_formats(tmp_path: Path, name: str, piece: int, words: list[bytes]) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(source, "PIECE", piece)
        outcome(put(tmp_path, name, b"".join(words)))
        outcome(put(tmp_path, name, b" ".join(words)), compact=True)


@pytest.mark.parametrize("name", [*TEXTS, "a.npz", "a.sg", "a.wsg", "a.txt.gz"])
@FUZZ
@given(data=st.binary(max_size=200))
def test_junk(tmp_path: Path, name: str, data: bytes) -> None:
    path = tmp_path / name
    path.write_bytes(data)
    outcome(path)
