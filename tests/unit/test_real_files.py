"""The real graphs beside the checkout, in five formats, against what is known of them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from io_cases import check_canonical, read

FOLDER = Path(__file__).resolve().parents[2] / ".." / "shared" / "data"
EXPECTED: dict[str, Any] = {}
if (FOLDER / "expected.json").is_file():
    EXPECTED = json.loads((FOLDER / "expected.json").read_text())


@pytest.mark.skipif(not EXPECTED, reason="no ../shared/data beside this checkout")
@pytest.mark.parametrize("name", sorted(EXPECTED))
def test_vertices_and_entries(name: str) -> None:
    known = EXPECTED[name]
    A = read(FOLDER / known["file"])
    check_canonical(A)
    assert (A.nrows, A.ncols, A.nvals) == (
        known["vertices"],
        known["vertices"],
        known["stored_entries"],
    )


@pytest.mark.skipif("road-cal" not in EXPECTED, reason="no ../shared/data beside this checkout")
def test_weighted_distances_of_road_cal() -> None:
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import dijkstra

    known = EXPECTED["road-cal"]
    A = read(FOLDER / known["file"])
    assert A.values.dtype.name == "int64"
    S = csr_array((A.values.astype(float), A.indices, A.indptr), shape=(A.nrows, A.ncols))
    distances = dijkstra(S, indices=known["sssp"]["source"])
    assert int(distances.max()) == known["sssp"]["max_distance"]
    assert int(distances.sum()) == known["sssp"]["sum_distances"]
