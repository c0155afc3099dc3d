"""Classes are shallow: code is shared by calling functions, not by inheriting them."""

from __future__ import annotations

import ast

from test_layers import MODULES

#: How many classes of ours a class may have above it.
ABOVE = 3
#: What is inherited to say a type, and not to share code.
TYPES = ("Protocol", "TypedDict", "NamedTuple")


def bases() -> dict[str, list[str]]:
    """For every class of the package, read and not imported, the classes in its brackets.

    Ours are named ``module.Class``, whichever module hands them on.
    """
    names: dict[str, dict[str, str]] = {}
    written: dict[str, tuple[str, list[str]]] = {}
    for module, path in MODULES.items():
        tree = ast.parse(path.read_text())
        names[module] = here = {}
        for node in ast.walk(tree):
            if isinstance(node, ast.ImportFrom) and str(node.module).startswith("spbfs"):
                origin = str(node.module).removeprefix("spbfs").removeprefix(".")
                here.update({x.asname or x.name: f"{origin}.{x.name}" for x in node.names})
            elif isinstance(node, ast.ClassDef):
                kind = here[node.name] = f"{module}.{node.name}"
                # Of Generic[T] the name.
                written[kind] = module, [ast.unparse(x).partition("[")[0] for x in node.bases]

    def named(module: str, name: str) -> str:
        first, dot, rest = name.partition(".")
        name = names[module].get(first, first) + dot + rest
        while name not in written:
            module, _, last = name.rpartition(".")
            if last not in names.get(module, {}):
                break
            name = names[module][last]  # handed on by another module
        return name

    return {kind: [named(module, x) for x in found] for kind, (module, found) in written.items()}


def above(kind: str, known: dict[str, list[str]]) -> set[str]:
    """The classes of ours that one inherits from; protocols and typed dictionaries are none."""
    parents = [base for base in known[kind] if base in known]
    inherited = {x for parent in parents for x in (parent, *above(parent, known))}
    return {x for x in inherited if not set(known[x]) & set(TYPES)}


def test_classes_are_shallow() -> None:
    known = bases()
    assert len(known) > 100
    deep = {kind: sorted(above(kind, known)) for kind in known}
    deep = {kind: found for kind, found in deep.items() if len(found) > ABOVE}
    assert not deep, deep


def test_depth_is_found() -> None:
    known = bases()
    assert above("objects.vector.Vector", known) == {
        "objects.operands.operand.Operand",
        "objects.stored_object.StoredObject",
        "objects.operands.vector_operand.VectorOperand",
    }
