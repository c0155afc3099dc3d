"""From a typed semiring to the names, type codes and shortcuts of a compiled product kernel."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

import numpy as np

from spbfs.engines.arrays.values import binary_values, values_as
from spbfs.engines.cpu.native import kernels
from spbfs.operators.builtin import BINARY
from spbfs.operators.definitions import TypedBinary, TypedSemiring
from spbfs.operators.dtypes import ALL, DType
from spbfs.storage.data import is_iso

__all__ = ["Recipe", "recipe_of", "simplified"]

_CODE = {dtype.name: code for code, dtype in enumerate(ALL)}

#: Summing equal values gives that value, so a sum of iso products is known without a sum.
_IDEMPOTENT = frozenset({"any", "min", "max", "lor", "land", "band", "bor"})

#: Where a positional multiplication finds its position: the output's row, the index summed over,
#: the output's column.  A vector on the left is a row, one on the right a column.
_OF_MATRICES = {"firsti": "row", "firstj": "inner", "secondi": "inner", "secondj": "column"}
_OF_ROW_VECTOR = {"firsti": "column", "firstj": "inner", "secondi": "inner", "secondj": "row"}

_VALUELESS = frozenset({"pair", "row", "inner", "column"})


@dataclass(frozen=True, slots=True, eq=False)
class Recipe:
    """What a product kernel is told; the matrix (the left one) is its first operand.

    The same product over the same types has the same recipe: what is derived from one may be kept
    by its identity.

    ``known`` is False where no kernel has the product and it must be expanded in the array engine.
    """

    monoid: str
    multiply: str
    in_type: DType
    out_type: DType
    known: bool

    @property
    def uses_first(self) -> bool:
        return self.multiply not in _VALUELESS and self.multiply != "second"

    @property
    def uses_second(self) -> bool:
        return self.multiply not in _VALUELESS and self.multiply != "first"

    @property
    def is_pattern(self) -> bool:
        """Whether the result's values are not computed: they are one, known beforehand."""
        return self.monoid == "any" and self.multiply == "pair"

    @property
    def stops_early(self) -> bool:
        """Whether the first product of a sum is the sum."""
        return self.monoid == "any"

    @property
    def codes(self) -> tuple[str, str, int, int]:
        """The arguments by which kernels are chosen."""
        return self.monoid, self.multiply, _CODE[self.in_type.name], _CODE[self.out_type.name]


@lru_cache(maxsize=1024)
def recipe_of(semiring: TypedSemiring, vector_first: bool = False) -> Recipe:
    """The kernel's names for a semiring; with `vector_first` the operands change places."""
    op = semiring.multiply.op
    built_in = op.function is None and semiring.add.op.binaryop.function is None
    positions = _OF_ROW_VECTOR if vector_first else _OF_MATRICES
    name = positions[op.name] if op.positional else "first" if op.name == "any" else op.name
    if vector_first and not op.positional and name != "pair":
        name = {"first": "second", "second": "first"}.get(name) or op.flipped or ""
    recipe = Recipe(
        semiring.add.op.name, name, semiring.multiply.in_type, semiring.out_type, built_in
    )
    if built_in and not kernels.has_product(*recipe.codes):
        return replace(recipe, known=False)
    return recipe


def simplified(
    recipe: Recipe, semiring: TypedSemiring, first: Any, second: Any, engine: Any
) -> tuple[Recipe, Any]:
    """A cheaper recipe for these values arrays, and the value of all results where it is known.

    Where every product is one and the same value (pattern-only operands), an idempotent monoid
    leaves only the pattern to be found, and ``plus`` only counts.  The value comes as an array of
    one element of the sum's type.
    """
    # By their bits: -0.0 equals 0.0, and divides otherwise.
    x = y = None
    if recipe.uses_first:
        if not is_iso(first):
            return recipe, None
        x = first.dtype, first[:1].tobytes()
    if recipe.uses_second:
        if not is_iso(second):
            return recipe, None
        y = second.dtype, second[:1].tobytes()
    return _simplified(recipe, semiring, x, y, engine)


@lru_cache(maxsize=1024)
def _simplified(
    recipe: Recipe, semiring: TypedSemiring, x: Any, y: Any, engine: Any
) -> tuple[Recipe, Any]:
    """The same for the dtype and bytes of the one value of each operand, None where not used."""
    positional = recipe.multiply in ("row", "inner", "column")
    summable = recipe.monoid in _IDEMPOTENT or recipe.monoid == "plus"
    if not recipe.known or positional or not summable:
        return recipe, None
    op = TypedBinary(BINARY[recipe.multiply], recipe.in_type, semiring.multiply.out_type)
    left, right = (
        engine.constant(1 if v is None else np.frombuffer(v[1], v[0]), recipe.in_type.np_type, 1)
        for v in (x, y)
    )
    product = values_as(engine, binary_values(engine, op, left, right), semiring.out_type)[:1]
    if recipe.monoid in _IDEMPOTENT:
        return replace(recipe, monoid="any", multiply="pair"), product
    return (replace(recipe, multiply="pair") if product[0] == 1 else recipe), None
