"""Damaged files of every format: a typed error or a sound matrix, in little time and memory."""

from __future__ import annotations

import random
import resource
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from io_cases import VALID, check_canonical, put, read

from spbfs.exceptions import FileError, SpbfsError
from spbfs.io.files import source
from tests import fuzz_files
from tests.fuzz_files import SPICE, mutated

FUZZ = settings(
    max_examples=80, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)

#: What a file of a few hundred bytes may cost at most.
MOST_MEMORY = 600 << 20


def outcome(path: Path, **options: Any) -> str:
    """Read a file that may be anything; whatever happens must be one of two things."""
    try:
        A = read(path, **options)
    except SpbfsError as error:
        # What is wrong in the content is never said of the file, or of the system.
        assert str(error) and not isinstance(error, FileError)
        return "refused"
    check_canonical(A)
    return "read"


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


def test_a_slice_of_the_hundred_thousand() -> None:
    """In a process of limited memory: through the public functions, and the files of results."""
    ended = fuzz_files.run(0, 3000)
    assert ended.total() == 3000
    # Some damage is harmless and some is not; both must have been met, the latter of every kind.
    assert {kind for kind, how in ended if how != "read"} == set(fuzz_files.KINDS)
    assert sum(n for (_, how), n in ended.items() if how == "read") > 150


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
