"""Objects survive pickling and deep copies, iso values as one element."""

import copy
import pickle

import pytest

from spbfs import BFSPlan, Matrix, Scalar, Vector, bfs, bfs_many, binary, generate, semiring
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
    assert again(semiring.min_plus(A @ v)).new().isequal(expected)


DELAYED = {
    "sum": lambda A, v, s: v + v,
    "union with an operator": lambda A, v, s: binary.plus(v | v),
    "product": lambda A, v, s: A @ A,
    "apply": lambda A, v, s: v.apply("ainv"),
    "apply a function": lambda A, v, s: v.apply(lambda x: x + 1),
    "apply with a Scalar": lambda A, v, s: A.apply(binary.times, right=s),
    "select": lambda A, v, s: v.select(">", 1),
    "comparison": lambda A, v, s: A > 0,
    "transpose": lambda A, v, s: A.T,
    "power": lambda A, v, s: A.power(2, "lor_land"),
    "outer": lambda A, v, s: v.outer(v),
    "extraction": lambda A, v, s: A[[0, 2], :],
    "column": lambda A, v, s: A[:, 1],
    "reposition": lambda A, v, s: v.reposition(1),
    "rows": lambda A, v, s: A.reduce_rowwise("max"),
    "reduction": lambda A, v, s: v.reduce("max"),
    "of nothing": lambda A, v, s: Vector(int, 3).reduce("max"),
    "element": lambda A, v, s: A[0, 1],
    "inner": lambda A, v, s: v.inner(v),
    "Scalar and number": lambda A, v, s: s + 1,
    "of a Scalar": lambda A, v, s: s.apply("abs"),
}


@pytest.mark.parametrize("again", AGAIN)
@pytest.mark.parametrize("case", DELAYED)
def test_delayed_values_can_be_copied(device, case, again):
    """A product keeps its operands, since an operator may still be named; all else its result."""
    A = generate.path(5).to(device)
    v = Vector.from_coo([0, 2], [3, 0], size=5, device=device)
    original = DELAYED[case](A, v, Scalar.from_value(3))
    other = again(original)
    assert type(other) is type(original) and other.dtype == original.dtype
    assert repr(other) == repr(original)
    assert other.new().isequal(original.new(), check_dtype=True)


def test_the_copy_of_a_delayed_value_stays(device):
    v = Vector.from_coo([0, 2], [3, 1], size=5, device=device)
    other = pickle.loads(pickle.dumps(v.apply("ainv")))
    made = other.new()
    made[0] = 9
    v[:] = 7
    assert other.new().to_dict() == {0: -3, 2: -1}


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
