"""Types and values as CUDA C++ spells them."""

from __future__ import annotations

from typing import Any

import numpy as np

from spbfs.operators.dtypes import ALL, DType

__all__ = ["C_TYPE", "literal"]

#: The C++ type of every GraphBLAS type, by name.
C_TYPE = dict(
    zip(
        (t.name for t in ALL),
        "bool|signed char|short|int|long long|unsigned char|unsigned short|unsigned|"
        "unsigned long long|float|double".split("|"),
        strict=True,
    )
)


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
