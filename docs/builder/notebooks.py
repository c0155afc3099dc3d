"""Notebooks as pages: their cells as Markdown, code as blocks that are run."""

from __future__ import annotations

import json
from pathlib import Path

__all__ = ["markdown"]


def markdown(notebook: Path) -> str:
    """The cells of a notebook, one below the other.

    The words behind ``#|`` on a cell's first line are the options of its block.
    """
    parts = []
    for cell in json.loads(notebook.read_text(encoding="utf-8"))["cells"]:
        source = "".join(cell["source"])
        if cell["cell_type"] == "code":
            options, newline, rest = source.partition("\n")
            if newline and options.startswith("#| "):
                parts.append(f"```python {options.removeprefix('#| ')}\n{rest}\n```")
            else:
                parts.append(f"```python\n{source}\n```")
        else:
            parts.append(source)
    return "\n\n".join(parts) + "\n"
