"""What NetworkX reads when it is imported: a few names, and nothing that takes time."""

from __future__ import annotations

from typing import Any

from spbfs.networkx.functions import FUNCTIONS

__all__ = ["get_info"]


def get_info() -> dict[str, Any]:
    """The entry point ``networkx.backend_info``."""
    return {
        "backend_name": "spbfs",
        "project": "spbfs",
        "package": "spbfs",
        "short_summary": "Traversal, paths and centrality by compiled kernels, on CPU and GPU.",
        "functions": {name: _help(name) for name in FUNCTIONS},
        "default_config": {"device": "cpu"},
    }


def _help(name: str) -> dict[str, str]:
    function = FUNCTIONS[name]
    lines = [function.note] if function.note else []
    if function.without:
        lines.append(f"left to NetworkX where somebody gives {' or '.join(function.without)}")
    return {"additional_docs": "\n".join(lines)}
