"""Semirings as CUDA C++: the struct `Ring` that a product kernel is compiled with.

Values are read in the type they are stored in and cast in the kernel, so a ring is made of a typed
semiring and the dtypes of the arrays at hand.  Built-in operators are functors of
``kernels/common/semiring.h`` and ``kernels/cuda/operators.cuh``; a user's are written out from the
tree that their function was traced to.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np

from spbfs.engines.cuda.products.expressions import C_TYPE, expression
from spbfs.operators.definitions import BinaryOp, TypedBinary, TypedMonoid, TypedSemiring
from spbfs.operators.dtypes import BOOL, DType

__all__ = ["Ring", "accumulation", "literal", "reduction_ring", "ring_of"]

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
    "rfloordiv": "Flipped<FloorDiv, {T}>",
    "rpow": "Flipped<Pow, {T}>",
    "copysign": "CopySign",
    **{f"is{name}": f"Is{name.title()}" for name in "eq ne gt lt ge le".split()},
}

#: Where a positional multiplication finds its position: the output's row, the index summed over,
#: the output's column.  A vector on the left is a row, one on the right a column.
_OF_MATRICES = {"firsti": "row", "firstj": "inner", "secondi": "inner", "secondj": "column"}
_OF_ROW_VECTOR = {"firsti": "column", "firstj": "inner", "secondi": "inner", "secondj": "row"}

#: Sums that the hardware makes in one instruction, by the kind of their type.
_ATOMICS = {"plus": ("iuf", "atomicAdd"), "min": ("iu", "atomicMin"), "max": ("iu", "atomicMax")}


@dataclass(frozen=True, eq=False, slots=True)
class Ring:
    """A semiring over stored types, as source text and as what launchers ask of it."""

    #: The body of ``struct Semiring``.
    body: str
    out_type: DType
    #: Whether the first product of a sum is the sum.
    is_any: bool
    #: Whether the result's values are not computed: they are one, known beforehand.
    is_pattern: bool
    reads_first: bool
    reads_second: bool
    #: The value that a sum starts from, where there is one: a push needs it.
    identity: Any = None

    @property
    def define(self) -> str:
        """The preprocessor definition that kernels are compiled with."""
        return f"SPBFS_SEMIRING={self.body}"

    @property
    def can_push(self) -> bool:
        """Whether sums may be made in any order, from the identity."""
        return self.is_any or self.identity is not None


def literal(value: Any, dtype: DType) -> str:
    """A value of a type as C++, exactly."""
    kind, size = dtype.np_type.kind, dtype.np_type.itemsize
    if kind == "b":
        return "true" if value else "false"
    if kind == "f":
        bits = np.array(value, dtype.np_type).view(f"u{size}")[()]
        return f"__longlong_as_double({bits:#x}LL)" if size == 8 else f"__int_as_float({bits:#x})"
    # The least integer of 64 bits has no literal of its own.
    text = f"(-{-int(value) - 1}LL - 1)" if int(value) < 0 else f"{int(value)}ULL"
    return f"static_cast<{C_TYPE[dtype.name]}>({text})"


def _call(op: BinaryOp, in_type: DType, x: str, y: str) -> str | None:
    """`op` of two expressions of `in_type`; None where it cannot be written."""
    if op.function is not None:
        return expression(op.tree, [(x, in_type), (y, in_type)])
    functor = _FUNCTORS.get(op.name)
    if functor is None:
        return None
    c = C_TYPE[in_type.name]
    functor = functor.format(T=c) if "{" in functor else f"{functor}<{c}>"
    return f"{functor}{{}}({x}, {y})"


def _product(op: TypedBinary, vector_first: bool) -> tuple[str, bool, bool] | None:
    """A multiplication as C++, and whether it reads the matrix's value and the other one."""
    name = op.op.name
    if op.op.positional:
        return (_OF_ROW_VECTOR if vector_first else _OF_MATRICES)[name], False, False
    c = C_TYPE[op.in_type.name]
    x, y = f"static_cast<{c}>(x)", f"static_cast<{c}>(y)"
    left, right = (y, x) if vector_first else (x, y)
    built_in = op.op.function is None
    if built_in and name == "pair":
        return "1", False, False
    if built_in and name in ("first", "any", "second"):
        takes_left = name != "second"
        return (
            (left if takes_left else right),
            takes_left != vector_first,
            (takes_left == vector_first),
        )
    text = _call(op.op, op.in_type, left, right)
    if text is None:
        return None
    return f"static_cast<{C_TYPE[op.out_type.name]}>({text})", True, True


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
    with np.errstate(all="ignore"):
        made = np.asarray(value).astype(dtype.np_type)[()]
    return made if dtype.is_float or made.item() == value else None


def _combine(monoid: TypedMonoid) -> str:
    """The statement that sums `value` into ``*at``, which others may be changing."""
    dtype, built_in = monoid.dtype, monoid.op.binaryop.function is None
    kinds, name = _ATOMICS.get(monoid.op.name, ("", ""))
    wide = dtype.np_type.itemsize >= 4
    if built_in and dtype.np_type.kind in kinds and wide:
        if dtype.is_float:
            return f"{name}(at, value);"
        unsigned = "" if name != "atomicAdd" and dtype.is_signed else "unsigned "
        word = f"{unsigned}{'int' if dtype.np_type.itemsize == 4 else 'long long'}"
        return f"{name}(reinterpret_cast<{word}*>(at), static_cast<{word}>(value));"
    return "combine_by_swap<Semiring>(at, value);"


def _ring(
    first: DType, second: DType, add: TypedMonoid, product: str, reads: tuple[bool, bool]
) -> Ring | None:
    out = C_TYPE[add.dtype.name]
    is_any = bool(add.op.is_any)
    total = "a" if is_any else _call(add.op.binaryop, add.dtype, "a", "b")
    if total is None:
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
        f"pattern = {str(is_any and product == '1').lower()}, "
        f"reads_first = {str(reads[0]).lower()}, reads_second = {str(reads[1]).lower()}; "
        f"static __device__ Out product({unused} X x, {unused} Y y, "
        f"{unused} long long row, {unused} long long inner, {unused} long long column) "
        f"{{ return static_cast<Out>({product}); }} "
        f"static __device__ Out sum(Out a, {unused} Out b) {{ return static_cast<Out>({total}); }} "
        f"static __device__ bool done({unused} Out a) {{ return {done}; }} "
        f"static __device__ Out identity() {{ return {start}; }} "
        f"static __device__ void combine(Out* at, Out value) {{ {_combine(add)} }} }};"
    )
    return Ring(body, add.dtype, is_any, is_any and product == "1", *reads, identity)


@lru_cache(maxsize=1024)
def ring_of(
    semiring: TypedSemiring, first: DType, second: DType, vector_first: bool = False
) -> Ring | None:
    """The ring of a product, None where it cannot be written as C++.

    Parameters
    ----------
    semiring : TypedSemiring
    first, second : DType
        What the values of the matrix (the left one) and of the other operand are stored as.
    vector_first : bool, optional
        Whether the other operand stands on the left.
    """
    product = _product(semiring.multiply, vector_first)
    return None if product is None else _ring(first, second, semiring.add, product[0], product[1:])


@lru_cache(maxsize=1024)
def reduction_ring(monoid: TypedMonoid, stored: DType) -> Ring | None:
    """The ring that sums stored values: a product that is its first operand."""
    product = f"static_cast<{C_TYPE[monoid.dtype.name]}>(x)"
    return _ring(stored, BOOL, monoid, product, (True, False))


@lru_cache(maxsize=1024)
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
    both = _call(op.op, op.in_type, f"static_cast<{c}>(a)", f"static_cast<{c}>(b)")
    if both is None:
        return None
    return (
        f"struct Accum {{ using Old = {C_TYPE[old.name]}; using New = {C_TYPE[new.name]}; "
        f"static __device__ Old both([[maybe_unused]] Old a, [[maybe_unused]] New b) "
        f"{{ return static_cast<Old>(static_cast<{C_TYPE[op.out_type.name]}>({both})); }} }};"
    )
