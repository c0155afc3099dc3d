"""Objects survive pickling and deep copies, iso values as one element."""

import copy
import pickle

import pytest

from spbfs import BFSPlan, Matrix, Vector, bfs, bfs_many, generate, semiring
from spbfs.storage.data import is_iso


@pytest.mark.parametrize("make", [pickle.dumps, None])
def test_a_copy_equals_its_original(device, make):
    A = Matrix.from_coo([0, 1, 2], [2, 1, 0], [1.5, 2.5, 3.5], device=device, name="A")
    v = Vector.from_coo([1, 3], [4, 5], size=5, device=device)
    v[0] = 7  # pending when it is copied
    for original in (A, v):
        other = pickle.loads(make(original)) if make else copy.deepcopy(original)
        assert other.isequal(original, check_dtype=True)
        assert (other.device, other.name) == (device, original.name)
    v[1] = 0
    assert v.get(1) == 0


def test_pattern_only_matrices_stay_so(device):
    n = 1000
    A = Matrix.from_coo(range(n), range(n), True, device=device)
    if not is_iso(A._ready().values):
        pytest.skip(f"the {device} engine spells values out")
    blob = pickle.dumps(A)
    assert is_iso(pickle.loads(blob)._ready().values)
    assert len(blob) < 9 * n


AGAIN = [lambda x: pickle.loads(pickle.dumps(x)), copy.copy, copy.deepcopy]


@pytest.mark.parametrize("again", AGAIN)
def test_parts_of_a_statement_can_be_copied(device, again):
    A = generate.path(5).to(device)
    v = Vector.from_coo([0, 2], [3, 0], size=5, device=device)
    for mask in (v.S, ~v.V):
        assert again(mask).new().isequal(mask.new())
    expected = semiring.min_plus(A @ v).new()
    assert semiring.min_plus(again(A @ v)).new().isequal(expected)
    if again is not AGAIN[0]:  # operators do not travel
        assert again(semiring.min_plus(A @ v)).new().isequal(expected)


@pytest.mark.parametrize("again", AGAIN)
def test_plans_can_be_copied(device, again):
    A = generate.path(9).to(device)
    plan = BFSPlan(A)
    plan.run(0)
    assert again(plan).run(3).levels.isequal(plan.run(3).levels)


@pytest.mark.parametrize("again", AGAIN)
def test_results_of_searches_outlive_their_originals(device, again):
    A = generate.path(40).to(device)
    original = bfs(A, [3, 30])
    other, said = again(original), repr(original)
    del original
    assert repr(other) == said and other.trace is None
    bfs(A, 7)  # which takes what the original gave back
    levels, parents = other
    assert levels.isequal(bfs(A, [3, 30]).levels) and parents.isequal(bfs(A, [3, 30]).parents)
    assert other.owners.to("cpu").to_dense(-1).tolist() == [0] * 17 + [1] * 23
    original = bfs_many(A, [3, 30], outputs=["levels", "counts"])
    other, said = again(original), repr(original)
    del original
    assert repr(other) == said
    wanted = bfs_many(A, [3, 30, 7]).levels[:2]
    assert other.levels.tolist() == wanted.tolist() and other.counts.tolist() == [2] * 40
