"""Lines by folder, and the files over 300 of them: a size to look at, not a limit."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

ROOT = Path(__file__).parents[1]
FOLDERS = ("spbfs", "kernels", "tests", "benchmarks", "examples", ".ci")
SOURCES = {".py", ".cpp", ".h", ".cu", ".cuh"}
LONG = 300


def main() -> None:
    lines = {
        path.relative_to(ROOT): len(path.read_text("utf-8").splitlines())
        for folder in FOLDERS
        for path in (ROOT / folder).rglob("*")
        if path.suffix in SOURCES
    }
    total: Counter[Path] = Counter()
    files: Counter[Path] = Counter()
    for path, count in lines.items():
        total[path.parent] += count
        files[path.parent] += 1
    print("  lines files  folder")
    for folder in sorted(total):
        print(f"{total[folder]:7,} {files[folder]:5}  {folder}")
    print(f"{sum(total.values()):7,} {sum(files.values()):5}  in all")
    print(f"Files over {LONG} lines:")
    for path, count in sorted(lines.items(), key=lambda item: -item[1]):
        if count > LONG:
            print(f"{count:7,}        {path}")


if __name__ == "__main__":
    main()
