"""Products as CUDA C++: the ``struct Semiring`` that a kernel is compiled with.

Values are read in the type they are stored in and cast in the kernel, so a source is made of a
product's key and the dtypes of the arrays at hand.  Built-in operators are functors of
``common/semiring.h`` and ``cuda/operators/operators.cuh``; a user's are written out from the
tree that their function was traced to.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np

from spbfs.engines.cuda.operators.expressions import expression
from spbfs.engines.cuda.operators.literals import C_TYPE, literal
from spbfs.engines.specialise import ProductKey, reduction_key
from spbfs.operators.casts import cast
from spbfs.operators.definitions import TypedBinary, TypedMonoid
from spbfs.operators.dtypes import BOOL, FP64, DType

__all__ = ["ProductSource", "accumulation", "ends_early", "product_source", "reduction_source"]

_FUNCTORS = {
    name: name.title()
    for name in "plus times minus min max first second pair land lor lxor lxnor "
    "eq ne gt lt ge le band bor bxor bxnor hypot atan2 fmod remainder pow".split()
} | {
    "any": "First",
    "rminus": "RMinus",
    "cdiv": "CDiv",
    "rdiv": "RDiv",
    "truediv": "CDiv",
    "rtruediv": "RDiv",
    "floordiv": "FloorDiv",
    "mod": "Modulo",
    "rfloordiv": "Flipped<FloorDiv, {T}>",
    "rpow": "Flipped<Pow, {T}>",
    "copysign": "CopySign",
    **{f"is{name}": f"Is{name.title()}" for name in "eq ne gt lt ge le".split()},
}

#: Sums that the hardware makes in one instruction, by the kind of their type.
_ATOMICS = {"plus": ("iuf", "atomicAdd"), "min": ("iu", "atomicMin"), "max": ("iu", "atomicMax")}


@dataclass(frozen=True, eq=False, slots=True)
class ProductSource:
    """A product over stored types, as the source text that its kernels are compiled with."""

    key: ProductKey
    #: The body of ``struct Semiring``.
    body: str
    #: The value that a sum starts from, where there is one: a push needs it.
    identity: Any = None

    @property
    def define(self) -> str:
        """The preprocessor definition that kernels are compiled with."""
        return f"SPBFS_SEMIRING={self.body}"

    @property
    def dtype(self) -> np.dtype[Any]:
        """That of the sums."""
        return self.key.add.dtype.np_type

    @property
    def can_push(self) -> bool:
        """Whether sums may be made in any order, from the identity."""
        return self.key.stops_early or self.identity is not None


def ends_early(key: ProductKey) -> bool:
    """Whether a sum is often decided by one of its first products."""
    return key.stops_early or (key.add.dtype is BOOL and key.add.terminal is not None)


def _call(op: TypedBinary, x: str, y: str) -> str | None:
    """`op` of two expressions of its `in_type`; None where it cannot be written."""
    if op.op.function is not None:
        if op.tree is None:  # refused with its reason where arrays are evaluated
            return None
        return expression(op.tree, [(x, op.in_type), (y, op.in_type)])
    functor = _FUNCTORS.get(op.op.name)
    if functor is None:
        return None
    c = C_TYPE[op.in_type.name]
    functor = functor.format(T=c) if "{" in functor else f"{functor}<{c}>"
    return f"{functor}{{}}({x}, {y})"


def _product(key: ProductKey) -> str | None:
    """The multiplication of the matrix's `x` and the other operand's `y` as C++."""
    op = key.multiply
    if op.op.positional:
        return key.name
    if key.name == "pair":
        return "1"
    c = C_TYPE[op.in_type.name]
    x, y = f"cast_to<{c}>(x)", f"cast_to<{c}>(y)"
    if key.name in ("first", "second"):
        return x if key.name == "first" else y
    text = _call(op, *((y, x) if key.vector_first else (x, y)))
    return None if text is None else f"cast_to<{C_TYPE[op.out_type.name]}>({text})"


def _identity(monoid: TypedMonoid) -> Any:
    """What a sum may start from without showing: NaN loses to all, -0.0 adds nothing to 0.0."""
    if monoid.op.binaryop.function is None and monoid.dtype.is_float:
        special = {"min": np.nan, "max": np.nan, "plus": -0.0}
        if monoid.op.name in special:
            return special[monoid.op.name]
    return _within(monoid.dtype, monoid.identity)


def _within(dtype: DType, value: Any) -> Any:
    """A number as a value of the type; None where there is none that equals it."""
    if value is None:
        return None
    made = cast(np, np.asarray(value), dtype.np_type)[()]
    return made if dtype.is_float or made.item() == value else None


def _combine(monoid: TypedMonoid) -> str:
    """The statement that sums `value` into ``*at``, which others may be changing."""
    dtype, built_in = monoid.dtype, monoid.op.binaryop.function is None
    kinds, name = _ATOMICS.get(monoid.op.name, ("", ""))
    wide = dtype.np_type.itemsize >= 4
    if built_in and dtype.np_type.kind in kinds and wide:
        if dtype.is_float:
            return f"{name}(at, value);" if dtype is FP64 else "add_float<Semiring>(at, value);"
        unsigned = "" if name != "atomicAdd" and dtype.is_signed else "unsigned "
        word = f"{unsigned}{'int' if dtype.np_type.itemsize == 4 else 'long long'}"
        return f"{name}(reinterpret_cast<{word}*>(at), static_cast<{word}>(value));"
    return "combine_by_swap<Semiring>(at, value);"


@lru_cache(maxsize=1024)
def product_source(key: ProductKey, first: DType, second: DType) -> ProductSource | None:
    """The source of a product, None where it cannot be written as C++.

    Parameters
    ----------
    key : ProductKey
    first, second : DType
        What the values of the matrix and of the other operand are stored as.
    """
    # Types of values that nobody reads would only make more to compile.
    first, second = first if key.uses_first else BOOL, second if key.uses_second else BOOL
    add, product = key.add, _product(key)
    out, is_any = C_TYPE[add.dtype.name], key.stops_early
    total = "a" if is_any else _call(TypedBinary(add.op.binaryop, add.dtype, add.dtype), "a", "b")
    if product is None or total is None:
        return None
    done = "true" if is_any else "false"
    last = _within(add.dtype, add.terminal)
    if not is_any and last is not None:
        done = f"a == {literal(last, add.dtype)}"
    identity = None if is_any else _identity(add)
    start = "Out{}" if identity is None else literal(identity, add.dtype)
    unused = "[[maybe_unused]]"
    body = (
        f"struct Semiring {{ using X = {C_TYPE[first.name]}; using Y = {C_TYPE[second.name]}; "
        f"using Out = {out}; static constexpr bool any = {str(is_any).lower()}, "
        f"pattern = {str(key.is_pattern).lower()}, "
        f"reads_first = {str(key.uses_first).lower()}, "
        f"reads_second = {str(key.uses_second).lower()}, "
        f"reads_row = {str(key.name == 'row').lower()}, "
        f"reads_inner = {str(key.name == 'inner').lower()}, "
        f"ends_early = {str(ends_early(key)).lower()}; "
        f"static __device__ Out product({unused} X x, {unused} Y y, "
        f"{unused} long long row, {unused} long long inner, {unused} long long column) "
        f"{{ return cast_to<Out>({product}); }} "
        f"static __device__ Out sum(Out a, {unused} Out b) {{ return cast_to<Out>({total}); }} "
        f"static __device__ bool done({unused} Out a) {{ return {done}; }} "
        f"static __device__ Out identity() {{ return {start}; }} "
        f"static __device__ void combine(Out* at, Out value) {{ {_combine(add)} }} }};"
    )
    return ProductSource(key, body, identity)


def reduction_source(monoid: TypedMonoid, stored: DType) -> ProductSource | None:
    """The source of sums of stored values: of products that are their first operand."""
    return product_source(reduction_key(monoid), stored, BOOL)


def accumulation(op: TypedBinary, old: DType, new: DType) -> str | None:
    """An accumulator as the body of ``struct Accum``, None where it cannot be written as C++.

    Parameters
    ----------
    op : TypedBinary
    old, new : DType
        What the values of the output and those that come to it are stored as.
    """
    if op.op.positional:
        return None
    c = C_TYPE[op.in_type.name]
    both = _call(op, f"cast_to<{c}>(a)", f"cast_to<{c}>(b)")
    if both is None:
        return None
    return (
        f"struct Accum {{ using Old = {C_TYPE[old.name]}; using New = {C_TYPE[new.name]}; "
        f"static __device__ Old both([[maybe_unused]] Old a, [[maybe_unused]] New b) "
        f"{{ return cast_to<Old>(cast_to<{C_TYPE[op.out_type.name]}>({both})); }} }};"
    )
