"""Lists of edges as files, for tests of what reads them."""

from __future__ import annotations

import gzip
from pathlib import Path

import numpy as np

__all__ = ["put", "random_list"]


def put(folder: Path, name: str, content: str | bytes) -> Path:
    data = content.encode() if isinstance(content, str) else content
    path = folder / name
    path.write_bytes(gzip.compress(data) if name.endswith(".gz") else data)
    return path


def random_list(folder: Path, name: str, lines: int) -> Path:
    rng = np.random.default_rng(3)
    edges = rng.integers(0, 900, (lines, 3 if "wel" in name else 2))
    text = "# a comment\n" + "".join(" ".join(map(str, e)) + "\n" for e in edges.tolist())
    return put(folder, name, text)
