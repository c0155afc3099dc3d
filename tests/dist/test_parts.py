"""What objects over ranks are made of: the permutation, parts, values, messages, file slices."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from rank_graphs import spread

import spbfs as sb
from spbfs.distributed.exchange.wire import Subset, pack, unpack
from spbfs.distributed.parts.numbering import Numbering
from spbfs.distributed.parts.partition import grid_of
from spbfs.exceptions import FormatError, InvalidValue
from spbfs.io.formats.entries import ReadOptions
from spbfs.io.slices import read_slice
from spbfs.storage.arrays import is_iso, iso_array


@pytest.mark.parametrize("n", [1, 2, 3, 4, 5, 8, 9, 1000, 4097, (1 << 40) + 5])
def test_the_permutation_is_one_and_its_inverse_is(n: int) -> None:
    for seed in (0, 1, 2**64 - 1, None):
        numbering = Numbering(n, seed)
        some = np.arange(min(n, 5000))
        places = numbering.places(some)
        assert places.min() >= 0 and places.max() < n and np.unique(places).size == some.size
        assert np.array_equal(numbering.vertices(places), some)


def test_messages_are_bits_or_positions_whichever_is_smaller() -> None:
    rng = np.random.default_rng(2)
    for length, count in ((0, 0), (1, 1), (100, 1), (100, 3), (100, 4), (100, 100), (77, 30)):
        positions = np.sort(rng.permutation(length)[:count])
        for values in (None, rng.random(count), iso_array(np.array([7], np.int8), count)):
            head, message = pack(np, length, Subset(positions, values))
            assert message.shape[0] % 8 == 0
            if values is None and count:
                assert message.shape[0] <= 8 + min(4 * count, (length + 7) // 8)
            dtype = None if values is None else values.dtype
            back = unpack(np, length, head, message, dtype)
            assert np.array_equal(back.positions, positions)
            if values is not None:
                assert np.array_equal(back.values, values)
                assert count == 0 or is_iso(back.values) == is_iso(values)


def test_ranks_have_as_many_edges_and_hubs_are_shared() -> None:
    n, leaves = 4000, 3000
    rng = np.random.default_rng(4)
    rows = np.concatenate((np.zeros(leaves, np.int64), rng.integers(1, n, 3000)))
    columns = np.concatenate((np.arange(1, leaves + 1), rng.integers(1, n, 3000)))

    def program(ranks: Any) -> dict[str, tuple[int, int]]:
        mine = slice(ranks.rank, None, ranks.size)
        held = {}
        cuts = {"hubs": {}, "whole rows": {"hubs": n}, "grid": {"cut": "grid"}}
        for name, options in cuts.items():
            D = sb.distributed.from_edges(
                rows[mine], columns[mine], comm=ranks, n=n, directed=False, **options
            )
            part = D._ready()
            held[name] = part.part.nvals, part.partition.hubs.shape[0]
        return held

    parts = sb.distributed.simulate(4, program)
    held = {name: [part[name][0] for part in parts] for name in parts[0]}
    most = {name: max(each) / sum(each) for name, each in held.items()}
    assert parts[0]["hubs"][1] == 1 and parts[0]["whole rows"][1] == 0
    assert most["hubs"] < 0.3 and most["grid"] < 0.35 and most["whole rows"] > 0.24


def test_equal_values_are_the_same_however_they_are_stored() -> None:
    at = [0, 1, 2], [1, 2, 3]

    def program(ranks: Any) -> Any:
        D = spread(ranks, 4, [(0, 1), (1, 2)])
        A = sb.Matrix.from_coo(*at, 7.0 if ranks.rank else [7.0, 1, 1], nrows=4, ncols=4)
        x = sb.Vector.from_coo(at[0], 7.0 if ranks.rank else [7.0] * 3, size=4)
        if not ranks.rank:
            A[1, 2] = A[2, 3] = 7
        assert A.ss.is_iso == bool(ranks.rank)
        return [made.to(D.device).gather().to_coo()[-1].tolist() for made in (A, x)]

    assert sb.distributed.simulate(3, program) == [[[7.0] * 3] * 2] * 3


def test_one_value_of_few_entries_gets_to_ranks_that_sent_none() -> None:
    def program(ranks: Any) -> Any:
        D = spread(ranks, 4, [(0, 1), (1, 2)])
        lone = [sb.Matrix.from_coo([k], [3 - k], 5.0, nrows=4, ncols=4) for k in range(4)]
        return [A.to(D.device).gather().to_coo()[-1].tolist() for A in lone]

    assert sb.distributed.simulate(3, program) == [[[5.0]] * 4] * 3


def test_grids() -> None:
    grids = [grid_of(size) for size in (1, 2, 12, 16, 17)]
    assert grids == [(1, 1), (1, 2), (3, 4), (4, 4), (1, 17)]


@pytest.mark.parametrize("parts", [1, 2, 3, 7, 100])
def test_slices_of_a_file_are_the_file(parts: int, tmp_path: Path) -> None:
    A = sb.generate.kronecker(6, 4, seed=1)
    text = "# a comment that is rather long, and longer than a slice\n5 6\n\n1000 3\n0 0"
    sb.write(tmp_path / "a.sg", A)
    sb.write(tmp_path / "a.csr", A)
    sb.write(tmp_path / "a.el", A)
    (tmp_path / "b.txt").write_text(text)
    for name in ("a.sg", "a.csr", "a.el", "b.txt"):
        path = tmp_path / name
        found = [read_slice(path, ReadOptions(), part, parts) for part in range(parts)]
        listed = sorted(
            pair for one in found for pair in zip(one.rows.tolist(), one.cols.tolist(), strict=True)
        )
        whole = sb.read(path).to_coo()
        assert listed == sorted(zip(whole[0].tolist(), whole[1].tolist(), strict=True)), name


def test_damaged_files_are_refused_at_every_rank(tmp_path: Path) -> None:
    sb.write(tmp_path / "a.sg", sb.generate.path(40))
    whole = (tmp_path / "a.sg").read_bytes()
    damaged = {
        "short": whole[:-3],
        "offsets": whole[:17] + b"\xff" * 8 + whole[25:],
        "middle": whole[:177] + b"\xff" * 8 + whole[185:],
        "neighbour": whole[:-4] + (99).to_bytes(4, "little"),
        "empty": b"",
    }
    for name, content in damaged.items():
        path = tmp_path / f"{name}.sg"
        path.write_bytes(content)

        def program(ranks: Any, path: Path = path) -> None:
            with pytest.raises(FormatError):
                sb.distributed.read(path, ranks)

        for size in (1, 3, 50):
            sb.distributed.simulate(size, program)
    nothing = tmp_path / "nothing.el"
    nothing.write_text("# no edge, and nobody says how many vertices\n")
    with pytest.raises(FormatError, match="holds no edges"):
        sb.distributed.simulate(2, lambda ranks: sb.distributed.read(nothing, ranks))
    with pytest.raises(InvalidValue, match="cannot be read in slices"):
        read_slice(tmp_path / "a.mtx", ReadOptions(), 0, 2)
