"""Casts by bits, for arrays whose module takes subnormal FP32 numbers for zero."""

from __future__ import annotations

import types
from typing import Any

import numpy as np
import pytest

from spbfs.operators.casts import cast

#: NumPy under another name: what is done for it is what is done for CuPy.
OTHER: Any = types.SimpleNamespace(
    **{n: getattr(np, n) for n in ("where", "abs", "rint", "signbit")}
)


def patterns(kind: Any) -> np.ndarray:
    bits = np.iinfo(f"u{np.dtype(kind).itemsize}").bits
    rng = np.random.default_rng(3)
    word = rng.integers(0, 2**63, 4000, dtype=np.uint64) * 2 + rng.integers(0, 2, 4000).astype("u8")
    drawn = (word >> np.uint64(64 - bits)).astype(f"u{bits // 8}").view(kind)
    tiny = np.finfo(kind).tiny
    least = np.finfo(kind).smallest_subnormal
    edges = [0.0, tiny, least, tiny - least, 1.0, np.inf, np.nan, 1e30, 2.0**-126, 2.0**-149]
    near = np.nextafter(np.array([2.0**-126, 2.0**-150, 2.0**-149], kind), kind(0))
    small = drawn / kind(2.0) ** 60 if kind is np.float32 else 10.0 ** rng.uniform(-47, -36, 999)
    return np.concatenate([drawn, np.array(edges, kind), near, small, -small]).astype(kind)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("source", [np.float32, np.float64])
@pytest.mark.parametrize("to", ["bool", "int8", "uint64", "float32", "float64"])
def test_bits_say_the_same(source: Any, to: str) -> None:
    values = patterns(source)
    wanted = cast(np, values, np.dtype(to))
    found = cast(OTHER, values, np.dtype(to))
    assert found.dtype == wanted.dtype
    np.testing.assert_array_equal(found, wanted)
    if wanted.dtype.kind == "f":
        kept = ~np.isnan(wanted)
        np.testing.assert_array_equal(np.signbit(found)[kept], np.signbit(wanted)[kept])
