"""A list of edges over ranks is what `spbfs.read` says of it, whatever ranks there are."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import spbfs as sb
from spbfs.distributed.constructors import assemble
from spbfs.exceptions import FormatError, OutOfMemory

#: Lists by what is odd about them, and the weights asked for.
LISTS: dict[str, tuple[str, bool | None]] = {
    "a comment behind": ("0 1\n1 2\n2 0\n# Nodes: 20 Edges: 3\n", None),
    "a comment before": ("\n  # Nodes: 9\n0 1\n1 2\n2 0\n", None),
    "only a comment": ("# Nodes: 5\n", None),
    "no vertices": ("# Nodes: 0\n", None),
    "a comma in what is passed over": ("0 1 x\n1 2 y\n2 0 z\n0 2 p,q\n", False),
    "a real weight at last": ("0 1 3\n1 2 4\n2 0 7\n0 2 5.5\n", None),
    "an id that is wide at last": ("# Nodes: 7\r\n0 1\r\n1 2\r\n2 5\r\n", None),
}
#: Likewise of those that are refused, with a part of the reason.
REFUSED: dict[str, tuple[str, bool | None, str]] = {
    "nothing": ("# no edge\n", None, "holds no edges"),
    "a weight that is missing": ("0 1 5\n1 2 6\n2 0\n0 2\n", False, "too few fields; expected 3"),
    "fewer columns": ("0 1 3 4\n1 2 4 4\n2 0 5\n0 2 7\n", True, "too few fields; expected 4"),
    "blanks after commas": ("0, 1\n1 2\n2 0\n", None, "is not a vertex id"),
    "a stray id": ("0 1\n1 2147483646\n", None, "2,147,483,647 rows for 2 entries; one id"),
    "an id of no matrix": (f"0 1\n1 {1 << 62}\n", None, "at most"),
}


@pytest.mark.parametrize("size", [1, 2, 3, 5])
@pytest.mark.parametrize("directed", [True, False])
@pytest.mark.parametrize("name", LISTS)
def test_lists_are_read_alike(name: str, directed: bool, size: int, tmp_path: Path) -> None:
    text, weights = LISTS[name]
    path = tmp_path / "list.txt"
    path.write_bytes(text.encode())
    options: Any = {"weights": weights, "directed": directed}
    one = sb.read(path, **options)

    def program(ranks: Any) -> bool:
        return sb.distributed.read(path, ranks, **options).gather().isequal(one, check_dtype=True)

    assert all(sb.distributed.simulate(size, program))


@pytest.mark.parametrize("size", [1, 2, 3, 5])
@pytest.mark.parametrize("name", REFUSED)
def test_lists_are_refused_alike(name: str, size: int, tmp_path: Path) -> None:
    text, weights, reason = REFUSED[name]
    path = tmp_path / "list.txt"
    path.write_text(text)
    with pytest.raises(FormatError, match=reason):
        sb.read(path, weights=weights)

    def program(ranks: Any) -> None:
        with pytest.raises(FormatError, match=reason):
            sb.distributed.read(path, ranks, weights=weights)

    sb.distributed.simulate(size, program)


@pytest.mark.parametrize("directed", [True, False])
def test_sparse_is_what_one_process_calls_so(directed: bool, tmp_path: Path) -> None:
    """Mirror images count, and loops have none."""
    count = 1 << 18
    path = tmp_path / "list.el"
    # One entry in 256 vertices is enough: with mirror images there are twice as many less one.
    n = 256 * (count if directed else 2 * count - 1) + 1
    text = "".join(f"{i} {i + 1}\n" for i in range(count - 2)) + f"3 3\n0 {n - 1}\n"
    path.write_text(text)
    for read in (
        lambda: sb.read(path, directed=directed),
        lambda: sb.distributed.simulate(
            2, lambda ranks: sb.distributed.read(path, ranks, directed=directed)
        ),
    ):
        with pytest.raises(FormatError, match=f"{n:,} rows for {(n - 1) // 256:,} entries"):
            read()


def test_an_allocation_that_fails_is_out_of_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    def failing(*_: Any) -> None:
        raise MemoryError("Unable to allocate 8.00 EiB")

    monkeypatch.setattr(assemble, "partition_of", failing)
    with pytest.raises(OutOfMemory, match="Unable to allocate"):
        sb.distributed.simulate(
            2, lambda ranks: sb.distributed.from_edges([0], [1], comm=ranks, n=2)
        )
