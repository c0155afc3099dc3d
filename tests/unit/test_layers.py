"""Imports point downward only: CONTRIBUTING says which layer is above which."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[2] / "spbfs"

#: From the top; a module may import its own layer and those after it.
LAYERS = (
    "__main__",
    "cli",
    "generate",
    "verify",
    "algorithms",
    "io",
    "",
    "core",
    "backends",
    "planner",
)
#: Public names of operators, which are core's.
NAMES = ("binary", "indexunary", "monoid", "select", "semiring", "unary")
#: What all layers share: how arrays look, types and operators, threads, memory, what is kept, the
#: trace, the errors.
VOCABULARY = (
    *("_cpu", "_paths", "burble", "exceptions"),
    *("core.degree_order", "core.dtypes", "core.layout", "core.memory", "core.operators"),
    *("core.packed", "core.storage", "core.threads"),
)


def layer(module: str) -> int:
    """The place in `LAYERS` of a module, its name without ``spbfs.``."""
    first = module.partition(".")[0]
    if first.startswith("planner") or first == "expansion":
        first = "planner"
    return LAYERS.index("core" if first in NAMES else first)


def shared(module: str) -> bool:
    return any(module == name or module.startswith(f"{name}.") for name in VOCABULARY)


def imported(tree: ast.AST) -> Iterator[str]:
    """Modules of this package that a module imports when it runs, not only for type checkers."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING":
            continue
        if isinstance(node, ast.ImportFrom) and node.module == "spbfs":
            for name in node.names:
                inside = ROOT / name.name
                there = inside.is_dir() or inside.with_suffix(".py").exists()
                yield name.name if there or name.name == "_cpu" else ""
        elif isinstance(node, ast.ImportFrom) and (node.module or "").startswith("spbfs."):
            yield str(node.module).removeprefix("spbfs.")
        elif isinstance(node, ast.Import):
            yield from (
                name.name.removeprefix("spbfs").removeprefix(".")
                for name in node.names
                if name.name.partition(".")[0] == "spbfs"
            )
        else:
            yield from imported(node)


def test_imports_point_downward() -> None:
    upward, seen = [], 0
    for path in sorted(ROOT.rglob("*.py")):
        module = ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")
        if module == "__init__":
            continue
        for other in imported(ast.parse(path.read_text())):
            seen += 1
            if not shared(other) and layer(other) < layer(module):
                upward.append(f"{module} imports {other or 'spbfs'}")
    assert not upward, upward
    assert seen > 400
