"""Strings as Arrow has them, told apart without an object of Python's for each."""

from __future__ import annotations

import sys
from typing import Any

__all__ = ["arrow_strings", "told_apart"]


def arrow_strings(column: Any) -> Any:
    """Strings of one of Arrow's types that a column of pyarrow or of pandas has; else None.

    Whoever has them has loaded pyarrow.
    """
    arrow = sys.modules.get("pyarrow")
    if arrow is None:
        return None
    dtype = getattr(column, "dtype", None)
    if getattr(dtype, "storage", None) == "pyarrow" or hasattr(dtype, "pyarrow_dtype"):
        column = arrow.array(column.array)
    if not isinstance(column, arrow.Array | arrow.ChunkedArray):
        return None
    kinds = arrow.types.is_string, arrow.types.is_large_string, arrow.types.is_string_view
    if len(column) == 0 or column.null_count or not any(is_kind(column.type) for is_kind in kinds):
        return None
    return arrow.chunked_array(getattr(column, "chunks", [column])).cast(arrow.large_string())


def told_apart(columns: list[Any]) -> tuple[Any, Any]:
    """Numbers of the strings of all columns, one after the other as they are met, and the strings.

    The columns are what `arrow_strings` gives.
    """
    arrow = sys.modules["pyarrow"]
    chunks = [chunk for column in columns for chunk in column.chunks]
    encoded = arrow.chunked_array(chunks).dictionary_encode().combine_chunks()
    return tuple(
        part.to_numpy(zero_copy_only=False) for part in (encoded.indices, encoded.dictionary)
    )
