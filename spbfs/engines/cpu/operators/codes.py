"""The names and type codes by which the CPU's product kernels are chosen."""

from __future__ import annotations

from functools import lru_cache

from spbfs.engines.cpu.native import kernels
from spbfs.engines.specialise import ProductKey

__all__ = ["CODES", "Codes", "kernel_codes", "pulled_by_rows"]

#: Monoid, multiplication, type of the operands and of the sums.
Codes = tuple[str, str, int, int]

#: A type's name -> what kernels know it by.
CODES = {name: code for code, name in enumerate(kernels.TYPES)}


@lru_cache(maxsize=1024)
def kernel_codes(key: ProductKey) -> Codes | None:
    """What kernels are told of a product; None where none has it and it must be expanded."""
    types = CODES[key.multiply.in_type.name], CODES[key.add.dtype.name]
    codes = key.add.op.name, key.name, *types
    return codes if key.is_built_in and kernels.has_product(*codes) else None


@lru_cache(maxsize=1024)
def pulled_by_rows(codes: Codes) -> bool:
    """Whether a pull goes by rows, each as far as it needs, rather than by blocks of entries.

    It does where the loop over a row is compiled for the product, where a row may stop early, as
    most Boolean sums do, and where the product is a position.
    """
    monoid, multiply, _, out = codes
    stops = monoid == "any" or kernels.TYPES[out] == "BOOL"
    return stops or multiply in ("row", "inner", "column") or kernels.is_compiled(*codes)
