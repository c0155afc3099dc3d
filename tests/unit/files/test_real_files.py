"""The real graphs beside the checkout, in five formats, against what is known of them."""

from __future__ import annotations

import pytest
from io_cases import check_canonical, read
from real_graphs import ABSENT, DATA, EXPECTED


@pytest.mark.skipif(not EXPECTED, reason=ABSENT)
@pytest.mark.parametrize("name", sorted(EXPECTED))
def test_vertices_and_entries(name: str) -> None:
    known = EXPECTED[name]
    A = read(DATA / known["file"])
    check_canonical(A)
    assert (A.nrows, A.ncols, A.nvals) == (
        known["vertices"],
        known["vertices"],
        known["stored_entries"],
    )


@pytest.mark.skipif("road-cal" not in EXPECTED, reason=ABSENT)
def test_weighted_distances_of_road_cal() -> None:
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import dijkstra

    known = EXPECTED["road-cal"]
    A = read(DATA / known["file"])
    assert A.values.dtype.name == "int64"
    S = csr_array((A.values.astype(float), A.indices, A.indptr), shape=(A.nrows, A.ncols))
    distances = dijkstra(S, indices=known["sssp"]["source"])
    assert int(distances.max()) == known["sssp"]["max_distance"]
    assert int(distances.sum()) == known["sssp"]["sum_distances"]
