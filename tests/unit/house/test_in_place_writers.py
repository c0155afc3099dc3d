"""Whoever writes into a vector's arrays has them from `writable`: found in the sources.

On CUDA arrays are still to be written by a search that runs ahead of a loop, and what is known of
a vector's entries is kept with it; `writable` puts an end to both.  So in the array engine and the
CUDA engine every store into ``x.values`` or ``x.present`` must be into a vector that `writable`
returned, or that was made there and then.  A store is an assignment (of an array, an element, a
slice), an in-place operator or method, an ``out=``, or an address that a kernel is given of a
vector named as the protocol names what its methods may write into.  Where it is a function's
parameter that is written into, the same is asked of those who call the function.
"""

from __future__ import annotations

import ast
import inspect
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import spbfs
from spbfs.engines.protocol import Engine

ENGINES = Path(spbfs.__file__).parent / "engines"
#: Arrays of a vector.
ARRAYS = {"values", "present"}
#: Methods of arrays that change them.
CHANGING = {"fill", "put", "sort", "partition", "itemset", "scatter_add", "set"}
#: Parameters that methods of the protocol may write into.
_WRITTEN = re.compile(r"May write into (?:the arrays of a vector )?`?(\w)")
GIVEN_UP = {
    name
    for _, method in inspect.getmembers(Engine, inspect.isfunction)
    for name in _WRITTEN.findall(method.__doc__ or "")
}
Function = ast.FunctionDef


@cache
def functions_of(source: str) -> list[Function]:
    return [node for node in ast.walk(ast.parse(source)) if isinstance(node, Function)]


def functions(sources: dict[str, str]) -> dict[str, list[Function]]:
    """All functions of some sources by name; those within functions are looked at with them."""
    found: dict[str, list[Function]] = {}
    for source in sources.values():
        for function in functions_of(source):
            found.setdefault(function.name, []).append(function)
    return found


def called(node: ast.AST | None) -> str:
    """The last name of what is called, '' for anything else."""
    if not isinstance(node, ast.Call):
        return ""
    return getattr(node.func, "attr", getattr(node.func, "id", ""))


def owner(node: ast.AST) -> str:
    """The name x of ``x.values``, ``x.present[i]`` and the like, '' for anything else."""
    while isinstance(node, ast.Subscript):
        node = node.value
    if isinstance(node, ast.Attribute) and node.attr in ARRAYS and isinstance(node.value, ast.Name):
        return "" if node.value.id == "self" else node.value.id
    return ""


@cache
def calls(function: Function) -> list[ast.Call]:
    return [node for node in ast.walk(function) if isinstance(node, ast.Call)]


@cache
def returned(function: Function) -> list[str]:
    """What is called for the values that a function returns."""
    returns = [node for node in ast.walk(function) if isinstance(node, ast.Return)]
    return [called(node.value) for node in returns if node.value]


@cache
def stores(function: Function) -> list[tuple[str, int]]:
    """The names of the vectors that a function stores into, and where."""
    return list(_stores(function))


def _stores(function: Function) -> Iterator[tuple[str, int]]:
    for node in ast.walk(function):
        targets: list[ast.AST] = []
        if isinstance(node, ast.Assign):
            targets = [e for t in node.targets for e in getattr(t, "elts", [t])]
        elif isinstance(node, ast.AugAssign | ast.AnnAssign):
            targets = [node.target]
        elif isinstance(node, ast.Call):
            targets = [k.value for k in node.keywords if k.arg == "out"]
            if isinstance(node.func, ast.Attribute) and node.func.attr in CHANGING:
                targets.append(node.func.value)
            if called(node) == "pointer" and owner(node.args[0]) in GIVEN_UP:
                targets.append(node.args[0])
        elif isinstance(node, ast.Attribute) and node.attr == "ptr":
            address = node.value  # x.values.data
            if isinstance(address, ast.Attribute) and owner(address.value) in GIVEN_UP:
                targets.append(address.value)
        for target in targets:
            if owner(target):
                yield owner(target), node.lineno


def leading_to(body: list[ast.stmt], line: int) -> Iterator[ast.stmt]:
    """The statements that have run when a line is reached, on whichever way it was."""
    for statement in body:
        if statement.lineno > line:
            return
        yield statement
        for block in ("body", "orelse", "finalbody"):
            inner = getattr(statement, block, [])
            if inner and inner[0].lineno <= line <= inner[-1].end_lineno:
                yield from leading_to(inner, line)


def bound(function: Function, name: str, line: int) -> str:
    """What was called for the value of a name that a function stores into."""
    made = ""
    for node in leading_to(function.body, line):
        targets = node.targets if isinstance(node, ast.Assign) else []
        if any(isinstance(target, ast.Name) and target.id == name for target in targets):
            made = called(node.value) or made
    return made


def makers(known: dict[str, list[Function]], seeds: set[str]) -> set[str]:
    """Functions that return nothing but what one of `seeds`, or of each other, returned."""
    found = set(seeds)
    while True:
        more = set()
        for name, bodies in known.items():
            made = [one for function in bodies for one in returned(function)]
            if made and all(one in found for one in made):
                more.add(name)
        if more <= found:
            return found
        found |= more


def returns_matrix(function: Function) -> bool:
    """Whether a function makes a matrix: what it stores into is that, and nobody else's yet."""
    return function.returns is not None and "MatrixData" in ast.unparse(function.returns)


def parameters(function: Function) -> list[str]:
    names = [a.arg for a in (*function.args.posonlyargs, *function.args.args)]
    return [n for n in names if n not in ("self", "engine")]


def of_array(call: ast.Call) -> bool:
    """Whether it is a method of an attribute, ``x.values.fill(...)``, and no function of ours."""
    return isinstance(call.func, ast.Attribute) and isinstance(call.func.value, ast.Attribute)


def passed(call: ast.Call, function: Function, parameter: str) -> str:
    """The name that a call passes for a parameter of a function, '' for anything else."""
    given = [a for a in call.args if not (isinstance(a, ast.Name) and a.id in ("self", "engine"))]
    place = parameters(function).index(parameter)
    value: ast.AST | None = given[place] if place < len(given) else None
    for keyword in call.keywords:
        value = keyword.value if keyword.arg == parameter else value
    if any(isinstance(a, ast.Starred) for a in given[: place + 1]):
        return "an unpacked argument"
    return value.id if isinstance(value, ast.Name) else called(value)


def writers(sources: dict[str, str]) -> tuple[set[str], list[str]]:
    """The functions that write into vectors from `writable`, and complaints about others."""
    known = functions(sources)
    writable = makers(known, {"writable"})
    fresh = makers(known, {"VectorData", "CudaVector"})
    good, bad = set(), []
    # (function, the name stored into, where), and whose parameters are followed already
    waiting = [
        (f, name, line)
        for f in (f for bodies in known.values() for f in bodies)
        if f.name != "writable" and not returns_matrix(f)
        for name, line in stores(f)
    ]
    followed: set[tuple[str, str]] = set()
    while waiting:
        function, name, line = waiting.pop()
        origin = bound(function, name, line)
        if origin in writable:
            good.add(function.name)
        elif origin in fresh:
            pass
        elif name in parameters(function) and not origin:
            if (function.name, name) in followed:
                continue
            followed.add((function.name, name))
            callers = [
                (caller, call)
                for bodies in known.values()
                for caller in bodies
                for call in calls(caller)
                if called(call) == function.name and caller is not function and not of_array(call)
            ]
            if not callers:
                bad.append(f"{function.name} writes into its parameter {name} (line {line})")
            for caller, call in callers:
                given = passed(call, function, name)
                if given not in writable | fresh:
                    waiting.append((caller, given, call.lineno))
        else:
            bad.append(f"{function.name} writes into {name} (line {line}), not from writable")
    return good, bad


def sources() -> dict[str, str]:
    paths = [p for engine in ("arrays", "cuda") for p in sorted((ENGINES / engine).rglob("*.py"))]
    return {str(p.relative_to(ENGINES)): p.read_text() for p in paths}


def test_the_protocol_says_what_it_may_write_into() -> None:
    assert sorted(GIVEN_UP) == ["C", "w"]


def test_writers_have_their_arrays_from_writable() -> None:
    good, bad = writers(sources())
    assert not bad, "\n".join(bad)
    assert len(good) >= 8, good


def test_a_writer_that_does_not_ask_is_found() -> None:
    """Every statement that asks `writable`, taken out of the sources one at a time."""
    given, taken = sources(), 0
    asking = makers(functions(given), {"writable"})
    for path, text in given.items():
        lines = text.splitlines()
        for node in ast.walk(ast.parse(text)):
            if not (isinstance(node, ast.Assign) and called(node.value) in asking):
                continue
            first, last = node.lineno - 1, node.end_lineno
            changed = [*lines[:first], " " * node.col_offset + "pass", *lines[last:]]
            _, bad = writers(given | {path: "\n".join(changed)})
            assert bad, f"nobody misses {path}:{node.lineno}"
            taken += 1
    assert taken >= 8
