"""The built-in aggregators, as a table of recipes."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from spbfs.operators.definitions import Semiring
from spbfs.operators.dtypes import FP64, INT64
from spbfs.operators.kinds.aggregator import Aggregator
from spbfs.operators.names import registry
from spbfs.operators.tables.builtin import BINARY, MONOID, SEMIRING, UNARY
from spbfs.operators.tables.composed import COMPOSED_BINARY

__all__: list[str] = []

# -- how the results of several are joined: functions of vectors and of options --------------------
_div, _minus, _pow, _times = (BINARY[n] for n in ("truediv", "minus", "pow", "times"))
Vector = Any


def _mean(count: Vector, total: Vector, opts: Any) -> Vector:
    return _div(total & count)


def _varp(count: Vector, total: Vector, squares: Vector, opts: Any) -> Vector:
    mean = _div(total & count).new()
    return _minus(_div(squares & count).new() & _times(mean & mean).new())


def _vars(count: Vector, total: Vector, squares: Vector, opts: Any) -> Vector:
    """``sum of squares / (n - 1) - (sum ** 2 / n) / (n - 1)``."""
    others = _minus(count, 1).new()
    square_of_sum = _div(_pow(total, 2).new() & count).new()
    return _minus(_div(squares & others).new() & _div(square_of_sum & others).new())


def _root(variance: Callable[..., Vector]) -> Callable[..., Vector]:
    return lambda *parts: UNARY["sqrt"](variance(*parts).new())


def _geometric_mean(count: Vector, product: Vector, opts: Any) -> Vector:
    return _pow(product & UNARY["minv"][FP64](count).new())


_plus_pow, _plus_pair = SEMIRING["plus_pow"], SEMIRING["plus_pair"]
_absolute = {
    name: Semiring(f"{name}_absfirst", MONOID[name], COMPOSED_BINARY["absfirst"])
    for name in ("plus", "max")
}

#: Sums by a monoid, by its name.
_SUMS = {
    "sum": "plus",
    "prod": "times",
    "all": "land",
    "any": "lor",
    "min": "min",
    "max": "max",
    "bitwise_all": "band",
    "bitwise_any": "bor",
}
_PARTS: dict[str, Aggregator] = {
    **{name: Aggregator(name, monoid=MONOID[monoid]) for name, monoid in _SUMS.items()},
    "any_value": Aggregator("any_value", monoid=MONOID["any"], any_dtype=True),
    "count": Aggregator("count", semiring=_plus_pair, any_dtype=INT64),
    "count_nonzero": Aggregator("count_nonzero", semiring=SEMIRING["plus_isne"]),
    "count_zero": Aggregator("count_zero", semiring=SEMIRING["plus_iseq"]),
    "exists": Aggregator("exists", semiring=SEMIRING["any_pair"], any_dtype=INT64),
    "sum_of_squares": Aggregator("sum_of_squares", semiring=_plus_pow, initval=2),
    "sum_of_inverses": Aggregator("sum_of_inverses", semiring=_plus_pow, initval=-1.0),
    "hypot": Aggregator("hypot", semiring=_plus_pow, initval=2, finalize=UNARY["sqrt"]),
    "logaddexp": Aggregator(
        "logaddexp", semiring=_plus_pow, initval=math.e, switch=True, finalize=UNARY["log"]
    ),
    "logaddexp2": Aggregator(
        "logaddexp2", semiring=_plus_pow, initval=2, switch=True, finalize=UNARY["log2"]
    ),
    "L1norm": Aggregator("L1norm", semiring=_absolute["plus"]),
    "Linfnorm": Aggregator("Linfnorm", semiring=_absolute["max"]),
}


def _composite(name: str, parts: str, finalize: Callable[..., Vector], types: Any) -> Aggregator:
    return Aggregator(
        name, composite=[_PARTS[p] for p in parts.split()], finalize=finalize, types=types
    )


_MOMENTS = "count sum sum_of_squares"
_COMPOSITE = (
    _composite("mean", "count sum", _mean, [_div]),
    _composite(
        "peak_to_peak", "max min", lambda high, low, opts: _minus(high & low), [MONOID["min"]]
    ),
    _composite("varp", _MOMENTS, _varp, [_div]),
    _composite("vars", _MOMENTS, _vars, [_div]),
    _composite("stdp", _MOMENTS, _root(_varp), [_div, UNARY["sqrt"]]),
    _composite("stds", _MOMENTS, _root(_vars), [_div, UNARY["sqrt"]]),
    _composite("geometric_mean", "count prod", _geometric_mean, [_div]),
    _composite(
        "harmonic_mean",
        "count sum_of_inverses",
        lambda count, inverses, opts: _div(count & inverses),
        [_PARTS["sum_of_inverses"], _div],
    ),
    _composite(
        "root_mean_square",
        "count sum_of_squares",
        lambda count, squares, opts: UNARY["sqrt"](_div(squares & count).new()),
        [_div, UNARY["sqrt"]],
    ),
)
_POSITIONS = [SEMIRING["min_firsti"]]
_CUSTOM = (
    Aggregator("argmin", custom="argmin", types=_POSITIONS),
    Aggregator("argmax", custom="argmax", types=_POSITIONS),
    Aggregator("first", custom="first", types=[BINARY["first"]], any_dtype=True),
    Aggregator("last", custom="last", types=[BINARY["second"]], any_dtype=True),
    Aggregator("first_index", custom="first_index", types=_POSITIONS, any_dtype=INT64),
    Aggregator("last_index", custom="last_index", types=_POSITIONS, any_dtype=INT64),
)

for _op in (*_PARTS.values(), *_COMPOSITE):
    registry.keep("agg", _op.name, _op)
registry.keep("agg", "L0norm", _PARTS["count_nonzero"])
registry.keep("agg", "L2norm", _PARTS["hypot"])
for _op in _CUSTOM:
    registry.keep("agg", _op.name, _op)
    registry.keep("agg", f"ss.{_op.name}", _op)
