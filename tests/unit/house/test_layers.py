"""Imports point downward only: CONTRIBUTING says which room is above which."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[3] / "spbfs"

#: From the top; a module may import its own room and those after it.
ROOMS = (
    "__main__",
    "cli",
    "networkx",
    "calibration",
    "generate",
    "verify",
    "viz",
    "csgraph",
    "algorithms",
    "distributed",
    "io",
    "doors",
    "objects",
    "engines",
    "planner",
    "storage",
    "operators",
    "base",
    "_cpu",
    "exceptions",
)
#: Public names of operators, which are defined below.
DOORS = ("", "agg", "binary", "indexunary", "monoid", "op", "select", "semiring", "unary")


def modules() -> dict[str, Path]:
    """Every module of the package by its name without ``spbfs.``; the package itself is ''."""
    names = {}
    for path in sorted(ROOT.rglob("*.py")):
        name = ".".join(path.relative_to(ROOT).with_suffix("").parts)
        names[name.removesuffix("__init__").removesuffix(".")] = path
    return names


MODULES = modules()


def room(module: str) -> int:
    """The place of a module's room in `ROOMS`."""
    return ROOMS.index("doors" if module in DOORS else module.partition(".")[0])


def module_of(name: str) -> str:
    """The module that a dotted name, without ``spbfs.``, is or is in."""
    while name not in MODULES:
        name = name.rpartition(".")[0]
    return name


def imported(tree: ast.AST) -> Iterator[str]:
    """What a module imports when it runs, inside functions too, not only for type checkers."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING":
            continue
        if isinstance(node, ast.ImportFrom):
            names = [f"{node.module}.{name.name}" for name in node.names]
        elif isinstance(node, ast.Import):
            names = [name.name for name in node.names]
        elif isinstance(node, ast.Call) and "import_module" in ast.unparse(node.func):
            names = [str(a.value) for a in node.args if isinstance(a, ast.Constant)]
        else:
            yield from imported(node)
            continue
        for name in names:
            first, _, rest = name.partition(".")
            if first == "spbfs" and rest and rest.partition(".")[0] != "_cpu":
                yield module_of(rest)


@cache
def graph() -> dict[str, set[str]]:
    """For every module, the modules that it imports; the door of the package is not followed."""
    return {
        module: {other for other in imported(ast.parse(path.read_text())) if other} - {module}
        for module, path in MODULES.items()
        if module
    }


def test_imports_point_downward() -> None:
    edges = [(module, other) for module, others in graph().items() for other in others]
    upward = [f"{a} imports {b}" for a, b in edges if room(b) < room(a)]
    assert not upward, upward
    assert len(edges) > 400


def cycles(edges: dict[str, set[str]]) -> list[list[str]]:
    """The strongly connected components of more than one module (Tarjan's algorithm)."""
    number: dict[str, int] = {}
    lowest: dict[str, int] = {}
    path: list[str] = []
    found: list[list[str]] = []

    def visit(module: str) -> None:
        number[module] = lowest[module] = len(number)
        path.append(module)
        for other in edges.get(module, ()):
            if other not in number:
                visit(other)
            if other in path:
                lowest[module] = min(lowest[module], lowest[other])
        if lowest[module] == number[module]:
            at = path.index(module)
            if len(path) - at > 1:
                found.append(sorted(path[at:]))
            del path[at:]

    for module in edges:
        if module not in number:
            visit(module)
    return found


def test_no_cycle() -> None:
    found = cycles(graph())
    assert not found, found


def test_cycles_are_found() -> None:
    edges = {"a": {"b"}, "b": {"c", "d"}, "c": {"a"}, "d": {"e"}, "e": {"d"}, "f": {"a", "f"}}
    assert sorted(cycles(edges)) == [["a", "b", "c"], ["d", "e"]]


def rooms_of(folder: str) -> dict[str, set[str]]:
    """For every folder within a folder, those beside it that it imports from."""
    edges: dict[str, set[str]] = {}
    for module, others in graph().items():
        here, *below = module.removeprefix(f"{folder}.").split(".")
        if module.startswith(f"{folder}.") and (below or MODULES[module].stem == "__init__"):
            found = edges.setdefault(here, set())
            for other in others:
                there, *below = other.removeprefix(f"{folder}.").split(".")
                if other.startswith(f"{folder}.") and below:
                    found.add(there)
            found.discard(here)
    return edges


def test_rooms_import_one_way() -> None:
    folders = {name.rpartition(".")[0] for name, path in MODULES.items() if path.stem == "__init__"}
    knots = {folder: found for folder in folders - {""} if (found := cycles(rooms_of(folder)))}
    assert not knots, knots
    assert rooms_of("distributed")["constructors"] >= {"parts", "exchange"}
