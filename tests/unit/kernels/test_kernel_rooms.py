"""Kernels lie in rooms, each of which includes files of those above it in the table."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import pytest

import spbfs

KERNELS = spbfs.kernels_path()
ENGINES = ("cpu", "cuda")
TABLE = Path(__file__).parents[3] / "docs" / "architecture.md"
INCLUDE = re.compile(r'#include "(.+)"')


def rooms(engine: str) -> list[str]:
    """Those of an engine that the table has, from below."""
    section = TABLE.read_text("utf-8").split("## The rooms of the kernels")[1].split("\n## ")[0]
    rows = [line.split("|") for line in section.splitlines() if line.startswith("| `")]
    return [row[1].strip(" `") for row in rows if row[2 + ENGINES.index(engine)].strip()]


def files(engine: str) -> list[Path]:
    return [path for path in (KERNELS / engine).rglob("*") if path.is_file()]


@pytest.mark.parametrize("engine", ENGINES)
def test_every_room_is_in_the_table(engine: str) -> None:
    assert sorted(rooms(engine)) == sorted({path.parent.name for path in files(engine)})
    assert {path.parent.parent for path in files(engine)} == {KERNELS / engine}


@pytest.mark.parametrize("engine", ENGINES)
def test_files_include_those_of_rooms_above(engine: str) -> None:
    order, seen = rooms(engine), 0
    for path in files(engine):
        for name in INCLUDE.findall(path.read_text("utf-8")):
            assert (KERNELS / name).is_file(), f"{path.name} includes {name}"
            first, *rest = Path(name).parts
            if first == "common":
                continue
            assert first == engine and len(rest) == 2, f"{path.name} includes {name}"
            above = order.index(rest[0]) <= order.index(path.parent.name)
            assert above, f"{path.name} of {path.parent.name} includes {name}"
            seen += 1
    assert seen > 100


@pytest.mark.parametrize("engine", ENGINES)
def test_no_name_is_in_two_rooms(engine: str) -> None:
    names = Counter(path.name for path in files(engine))
    assert not [name for name, times in names.items() if times > 1]
