"""Random calls of the backend protocol: every engine against the reference, exactly."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from calls import Source, dtype_of
from datautil import (
    check_canonical,
    device_copy,
    difference,
    entries,
    host,
    same_value,
    shape,
)

from spbfs.engines.protocol import Hints, MaskData
from spbfs.engines.reference.engine import ReferenceEngine
from spbfs.engines.reference.operators import apply_binary, cast
from spbfs.exceptions import DomainMismatch
from spbfs.operators.tables.builtin import INDEXUNARY, SELECT, UNARY
from spbfs.storage.data import MatrixData, VectorData

REFERENCE = ReferenceEngine()
ROUNDS = 40
Args = tuple[Any, ...]


def _mxv(s: Source) -> tuple[Args, dict[str, Any]]:
    transpose = s.coin()
    A, u = s.mat((s.n, s.m)), s.vec(s.n if transpose else s.m)
    first = s.coin()
    left, right = (u, A) if first else (A, u)
    semiring = s.semiring(dtype_of(left), dtype_of(right))
    keywords = {
        "mask": s.mask(s.m if transpose else s.n),
        "hints": Hints(s.pick(["auto", "push", "pull"]), s.pick([None, 1, 2])),
    }
    return ((A, semiring, transpose, first), u), keywords


def _mxm(s: Source) -> tuple[Args, dict[str, Any]]:
    A, B = s.mat((s.n, s.m)), s.mat((s.m, s.n))
    if s.coin(0.1):
        A = B = s.mat((s.n, s.n))
    keywords = {"mask": s.mask((s.n, s.n)), "hints": Hints("auto", s.pick([None, 1, 2]))}
    return (A, B, s.semiring(dtype_of(A), dtype_of(B))), keywords


def _ewise(s: Source) -> tuple[Args, dict[str, Any]]:
    x, y = s.pair()
    return (x, y, s.typed_binary(dtype_of(x), dtype_of(y))), {}


def _ewise_union(s: Source) -> tuple[Args, dict[str, Any]]:
    x, y = s.pair()
    op = s.typed_binary(dtype_of(x), dtype_of(y))
    return (x, s.scalar(dtype_of(x)), y, s.scalar(dtype_of(y)), op), {}


def _apply(s: Source) -> tuple[Args, dict[str, Any]]:
    x = s.one()
    names = "identity ainv minv abs one lnot bnot positioni positionj floor ceil round trunc signum"
    while True:
        try:
            return (x, UNARY[s.pick(names.split())].resolve(dtype_of(x))), {}
        except DomainMismatch:
            continue


def _apply_bind(s: Source) -> tuple[Args, dict[str, Any]]:
    x, other = s.one(), s.dtype()
    value = s.scalar(other)
    while True:
        if s.coin():
            op, bound = s.typed_binary(other, dtype_of(x)), {"left": value, "right": None}
        else:
            op, bound = s.typed_binary(dtype_of(x), other), {"left": None, "right": value}
        if not op.op.positional:
            return (x, op), bound


def _index_op(s: Source, select: bool) -> tuple[Args, dict[str, Any]]:
    x = s.one()
    op = s.pick(list((SELECT if select else INDEXUNARY).values()))
    if op.by_value:
        dtype = dtype_of(x)
        return (x, op.resolve(dtype), s.scalar(dtype)), {}
    return (x, op.resolve(dtype_of(x)), np.int64(s.rng.integers(-4, 5))), {}


def _cast(s: Source) -> tuple[Args, dict[str, Any]]:
    x = s.one()
    to = s.dtype()
    return (x, to), {}


def _reduce(s: Source) -> tuple[Args, dict[str, Any]]:
    x = s.one()
    return (x, s.monoid(dtype_of(x))), {}


def _reduce_rowwise(s: Source) -> tuple[Args, dict[str, Any]]:
    A = s.mat((s.n, s.m))
    return (A, s.monoid(dtype_of(A))), {}


def _transpose(s: Source) -> tuple[Args, dict[str, Any]]:
    return (s.mat((s.n, s.m)),), {}


def _kronecker(s: Source) -> tuple[Args, dict[str, Any]]:
    A, B = s.mat((min(s.n, 4), min(s.m, 3))), s.mat((min(s.m, 5), min(s.n, 4)))
    return (A, B, s.typed_binary(dtype_of(A), dtype_of(B))), {}


def _extract_vector(s: Source) -> tuple[Args, dict[str, Any]]:
    return (s.vec(), s.region(s.n, repeats=True)), {}


def _extract_matrix(s: Source) -> tuple[Args, dict[str, Any]]:
    A = s.mat((s.n, s.m))
    return (A, s.region(s.n, repeats=True), s.region(s.m, repeats=True)), {}


def _diag_matrix(s: Source) -> tuple[Args, dict[str, Any]]:
    return (s.vec(), int(s.rng.integers(-3, 4))), {}


def _diag_vector(s: Source) -> tuple[Args, dict[str, Any]]:
    k = int(s.rng.integers(-min(s.n, 3), min(s.m, 3) + 1))
    return (s.mat((s.n, s.m)), k), {}


def _length(region: Any, size: int) -> int:
    return size if region is None else len(region)


def _assign_vector(s: Source) -> tuple[Args, dict[str, Any]]:
    region = s.region(s.n, repeats=False)
    t = s.vec(_length(region, s.n))
    w = s.vec(s.n, s.dtype())
    return (w, t, region, s.accum(dtype_of(w), dtype_of(t))), {}


def _assign_matrix(s: Source) -> tuple[Args, dict[str, Any]]:
    rows, cols = s.region(s.n, repeats=False), s.region(s.m, repeats=False)
    T = s.mat((_length(rows, s.n), _length(cols, s.m)))
    C = s.mat((s.n, s.m), s.dtype())
    return (C, T, rows, cols, s.accum(dtype_of(C), dtype_of(T))), {}


def _assign_scalar_vector(s: Source) -> tuple[Args, dict[str, Any]]:
    value_type = s.dtype()
    w = s.vec(s.n, s.dtype())
    accum = s.accum(dtype_of(w), value_type)
    mask = s.mask(s.n)
    if s.coin(0.1):
        mask = MaskData(w, structural=s.coin(), complement=s.coin())
    return (w, s.scalar(value_type), s.region(s.n, False), mask, accum, s.coin()), {}


def _assign_scalar_matrix(s: Source) -> tuple[Args, dict[str, Any]]:
    value_type = s.dtype()
    C = s.mat((s.n, s.m), s.dtype())
    accum = s.accum(dtype_of(C), value_type)
    mask = s.mask((s.n, s.m))
    rows, cols = s.region(s.n, False), s.region(s.m, False)
    return (C, s.scalar(value_type), rows, cols, mask, accum, s.coin()), {}


def _write(s: Source) -> tuple[Args, dict[str, Any]]:
    T = s.one()
    to = s.dtype()
    if s.coin(0.1) and to == dtype_of(T):
        C = T
    elif isinstance(T, VectorData):
        C = s.vec(s.n, to)
    else:
        C = s.mat((s.n, s.m), to)
    mask = s.mask(s.n if isinstance(T, VectorData) else (s.n, s.m))
    if s.coin(0.15):
        mask = MaskData(C if s.coin() else T, structural=s.coin(), complement=s.coin())
    return (C, T, mask, s.accum(dtype_of(C), dtype_of(T)), s.coin()), {}


def _edited(s: Source) -> tuple[Args, dict[str, Any]]:
    C = s.mat((s.n, s.m), s.dtype())
    where = np.flatnonzero(s.rng.random(s.n * s.m) < s.pick([0.05, 0.3, 1.0]))
    if s.coin(0.3):  # what is there, so that only values change
        where = np.array([i * s.m + j for i, j in entries(C)], np.int64)
    values = s.values(dtype_of(C), where.shape[0])
    if s.coin(0.2) and C.nvals:
        values = np.full(where.shape[0], C.values[0])
    gone = s.pick([None, s.rng.random(where.shape[0]) < 0.5, np.ones(where.shape[0], np.bool_)])
    return (C, where // max(s.m, 1), where % max(s.m, 1), values, gone, s.coin()), {}


def _build_vector(s: Source) -> tuple[Args, dict[str, Any]]:
    count = int(s.rng.integers(0, 3 * s.n + 1)) if s.n else 0
    indices = s.rng.integers(0, max(s.n, 1), count)
    dtype = s.dtype()
    values = s.values(dtype, count)
    return (s.n, indices, values, s.accum(dtype, dtype)), {}


def _build_matrix(s: Source) -> tuple[Args, dict[str, Any]]:
    count = int(s.rng.integers(0, 3 * s.n + 1)) if s.n and s.m else 0
    rows = s.rng.integers(0, max(s.n, 1), count)
    cols = s.rng.integers(0, max(s.m, 1), count)
    dtype = s.dtype()
    values = s.values(dtype, count)
    return (s.n, s.m, rows, cols, values, s.accum(dtype, dtype)), {}


CALLS = {
    "mxv": _mxv,
    "mxm": _mxm,
    "ewise_add": _ewise,
    "ewise_mult": _ewise,
    "ewise_union": _ewise_union,
    "apply": _apply,
    "apply_bind": _apply_bind,
    "apply_index": lambda s: _index_op(s, select=False),
    "select": lambda s: _index_op(s, select=True),
    "cast": _cast,
    "nvals": lambda s: ((s.one(),), {}),
    "entry_rows": lambda s: ((s.mat((s.n, s.m)),), {}),
    "reduce": _reduce,
    "reduce_rowwise": _reduce_rowwise,
    "row_ends": lambda s: ((s.mat((s.n, s.m)), s.coin()), {}),
    "transpose": _transpose,
    "kronecker": _kronecker,
    "extract_vector": _extract_vector,
    "extract_matrix": _extract_matrix,
    "diag_matrix": _diag_matrix,
    "diag_vector": _diag_vector,
    "assign_vector": _assign_vector,
    "assign_matrix": _assign_matrix,
    "assign_scalar_vector": _assign_scalar_vector,
    "assign_scalar_matrix": _assign_scalar_matrix,
    "edited": _edited,
    "write": _write,
    "copy": lambda s: ((s.one(),), {}),
    "build_vector": _build_vector,
    "build_matrix": _build_matrix,
}


def _products(method: str, args: Args) -> dict[tuple[int, int], list[Any]]:
    """All values that the monoid ``any`` may choose from, by position."""
    found: dict[tuple[int, int], list[Any]] = {}
    if method == "mxm":
        A, B, semiring = args
        for (i, k), a in entries(A).items():
            for (p, j), b in entries(B).items():
                if p == k:
                    product = apply_binary(semiring.multiply, a, b, (i, k), (k, j))
                    found.setdefault((i, j), []).append(cast(product, semiring.out_type))
    elif method == "mxv":
        (A, semiring, transpose, vector_first), u = args
        vector = entries(u)
        for (row, col), a in entries(A).items():
            i, k = (col, row) if transpose else (row, col)
            if (k, 0) in vector:
                x = vector[k, 0]
                if vector_first:
                    product = apply_binary(semiring.multiply, x, a, (0, k), (k, i))
                else:
                    product = apply_binary(semiring.multiply, a, x, (i, k), (k, 0))
                found.setdefault((i, 0), []).append(cast(product, semiring.out_type))
    else:
        x, monoid = args
        for (i, _), value in entries(x).items():
            key = (i, 0) if method == "reduce_rowwise" else (0, 0)
            found.setdefault(key, []).append(cast(value, monoid.dtype))
    return found


def _chooses(method: str, args: Args) -> bool:
    if method in ("mxv", "mxm"):
        semiring = args[0][1] if method == "mxv" else args[2]
        return bool(semiring.op.monoid.is_any)
    return method in ("reduce", "reduce_rowwise") and bool(args[-1].op.is_any)


def _to_engine(engine: Any, argument: Any, made: dict[int, Any]) -> Any:
    """An argument on an engine; an object that occurs twice is one object there, too."""
    if id(argument) in made:
        return made[id(argument)]
    if isinstance(argument, VectorData | MatrixData):
        result = device_copy(engine, argument)
    elif isinstance(argument, MaskData):
        data = _to_engine(engine, argument.data, made)
        result = MaskData(data, argument.structural, argument.complement)
    elif isinstance(argument, np.ndarray):
        result = engine.asarray(argument.copy())
    elif isinstance(argument, tuple):
        return tuple(_to_engine(engine, part, made) for part in argument)
    else:
        return argument
    made[id(argument)] = result
    return result


def _describe(method: str, args: Args, keywords: dict[str, Any]) -> str:
    lines = [f"{method}:"] + [f"  {a!r}" for a in args]
    return "\n".join(lines + [f"  {k}={v!r}" for k, v in keywords.items()])


def _judge(engine: Any, method: str, args: Args, keywords: dict[str, Any]) -> str | None:
    wanted = getattr(REFERENCE, method)(*args, **keywords)
    made: dict[int, Any] = {}
    if method == "edited":  # its arrays are in host memory
        made = {id(a): a for a in args if isinstance(a, np.ndarray)}
    given = [_to_engine(engine, a, made) for a in args]
    named = {k: _to_engine(engine, v, made) for k, v in keywords.items()}
    got = getattr(engine, method)(*given, **named)
    for k, (argument, there) in enumerate(zip(args, given, strict=True)):
        may_write = k == 0 and method in ("assign_vector", "assign_scalar_vector", "write")
        may_write = may_write or (method == "edited" and args[-1])
        if isinstance(argument, VectorData | MatrixData) and not may_write:
            changed = difference(host(engine, there), argument)
            if changed is not None:
                return f"argument {k} was changed: {changed}"
    candidates = _products(method, args) if _chooses(method, args) else None
    if isinstance(wanted, np.ndarray):
        rows = engine.to_numpy(got)
        same = rows.dtype == wanted.dtype and np.array_equal(rows, wanted)
        return None if same else f"result {rows!r}, expected {wanted!r}"
    if not isinstance(wanted, VectorData | MatrixData):
        if candidates:
            known = any(same_value(got, c) for c in candidates[0, 0])
            return None if known else f"{got!r} is no value of the operand"
        fits = got is None if wanted is None else same_value(got, wanted)
        return None if fits else f"result {got!r}, expected {wanted!r}"
    result = host(engine, got)
    check_canonical(result)
    if candidates is None:
        return difference(result, wanted)
    if shape(result) != shape(wanted) or result.values.dtype != wanted.values.dtype:
        return f"{result!r} is not of the shape and dtype of {wanted!r}"
    chosen = entries(result)
    if chosen.keys() != entries(wanted).keys():
        return f"entries {sorted(chosen.keys() ^ entries(wanted).keys())[:8]} differ"
    for key, value in chosen.items():
        if not any(same_value(value, c) for c in candidates[key]):
            return f"value {value!r} at {key} is none of {candidates[key]!r}"
    return None


@pytest.mark.parametrize("method", CALLS)
def test_every_method_equals_the_reference(engine: Any, method: str) -> None:
    for seed in range(ROUNDS):
        n = (0, 1, 2, 3, 5, 8, 12, 20, 70)[seed % (8 if method == "mxm" else 9)]
        source = Source(seed, n)
        args, keywords = CALLS[method](source)
        try:
            complaint = _judge(engine, method, args, keywords)
        except Exception as error:
            error.add_note(f"seed {seed}\n" + _describe(method, args, keywords))
            raise
        assert complaint is None, f"seed {seed}: {complaint}\n{_describe(method, args, keywords)}"


def test_the_calls_cover_the_protocol(engine: Any) -> None:
    from spbfs.engines.protocol import Engine

    methods = {n for n, f in vars(Engine).items() if callable(f) and not n.startswith("_")}
    searches = {"searches", "many_searches", "search_as_given", "searches_from_host", "in_edges"}
    assert methods == set(CALLS) | {"asarray", "to_numpy"} | searches
    assert all(callable(getattr(engine, m)) for m in methods)
