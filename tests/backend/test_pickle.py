"""Objects survive pickling and deep copies, iso values as one element."""

import copy
import pickle

import pytest

from spbfs import Matrix, Vector
from spbfs.core.storage import is_iso


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
