"""Comments that name a file name one that there is, wherever it has moved to."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
SOURCES = ("spbfs", "kernels")
#: A file with a folder before it: `cuda/runtime/launch.py`.  What has a sign in it is a pattern.
NAMED = re.compile(r"(?<![\w./*<{}-])((?:[\w-]+/)+[\w-]+\.(?:py|cuh?|cpp|h|md))\b")


@pytest.mark.skipif(not (ROOT / "kernels").is_dir(), reason="only in a checkout")
def test_named_files_exist() -> None:
    folders = [ROOT / name for name in (*SOURCES, "docs", "tests", "benchmarks", "examples")]
    paths = [p for folder in folders for p in folder.rglob("*.*") if p.is_file()]
    ends = {"/".join(p.parts[-k:]) for p in paths for k in range(2, len(p.parts))}
    texts = [p for p in paths if p.suffix in {".py", ".h", ".cpp", ".cu", ".cuh"}]
    texts = [p for p in texts if p.relative_to(ROOT).parts[0] in SOURCES]
    named = [(p, name) for p in texts for name in NAMED.findall(p.read_text("utf-8"))]
    assert len(named) > 100
    assert not [f"{p.relative_to(ROOT)}: {name}" for p, name in named if name not in ends]
