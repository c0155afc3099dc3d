"""The statements of python-graphblas's documentation, run by it and by us, one by one.

Code of its user guide, its README, its notebooks and its docstrings is run document by document.
After each statement all that it names is compared, values and dtypes.  A statement that
python-graphblas cannot run where it stands, since it shows a form (``M(mask, accum) << ...``), is
run among names that fit; one that it cannot run at all is not counted.
"""

from __future__ import annotations

import ast
import doctest
import json
import re
import textwrap
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from tests.dialect.digests import equal
from tests.dialect.processes import both

__all__ = ["compare", "documents"]

#: Recording, starting and configuring the wrapper, SuiteSparse's own names, pictures, a network.
INTERNAL = re.compile(
    r"\.ss\b|gb\.init|Recorder|recorder|\bburble\b|config|FC32|FC64|complex|d\.draw\(|"
    r"datashade|http|IPython|display\(|gb_name|gb_obj|normalize_chunks|_string"
    # record types
    r"|UDT|udt|Point|\{'x'|v\.x|= \(1, 2\)"
)


def documents(checkout: Path) -> Iterator[tuple[str, list[str]]]:
    """The name of each document and its statements, in order."""
    for path in [checkout / "README.md", *sorted((checkout / "docs").rglob("*.rst"))]:
        yield path.name, _statements(_of_text(path.read_text()))
    for path in sorted((checkout / "notebooks").glob("*.ipynb")):
        cells = json.loads(path.read_text())["cells"]
        yield (
            path.name,
            _statements("".join(c["source"]) for c in cells if c["cell_type"] == "code"),
        )
    for path in sorted((checkout / "graphblas").rglob("*.py")):
        if not {"tests", "ss"} & set(path.parts):
            name = f"docstrings of {path.relative_to(checkout)}"
            yield name, _statements(_of_docstrings(path.read_text()))


def _of_text(text: str) -> Iterator[str]:
    """Blocks of Python in Markdown or reStructuredText."""
    for found in re.finditer(r"^```python\n(.*?)^```", text, re.M | re.S):
        yield found[1]
    for found in re.finditer(r"^( *)\.\. code-block:: python\n((?:\1 +.*\n|\s*\n)+)", text, re.M):
        block = "\n".join(
            line for line in found[2].splitlines() if not line.strip().startswith(":")
        )
        yield _without_prompts(textwrap.dedent(block))


def _without_prompts(block: str) -> str:
    if ">>>" not in block:
        return block
    lines = [line for line in block.splitlines() if line.startswith((">>>", "..."))]
    return "\n".join(line[4:] for line in lines)


def _of_docstrings(source: str) -> Iterator[str]:
    """The examples of docstrings, one after the other."""
    documented = (ast.Module, ast.ClassDef, ast.FunctionDef)
    for node in ast.walk(ast.parse(source)):
        text = ast.get_docstring(node) if isinstance(node, documented) else None
        for example in doctest.DocTestParser().get_examples(text or ""):
            yield example.source


def _statements(blocks: Iterator[str]) -> list[str]:
    """Statements that parse, but for those about what is internal."""
    found = []
    for block in blocks:
        lines = (x for x in block.splitlines() if not x.lstrip().startswith(("%", "!")))
        code = "\n".join(lines)
        try:
            tree = ast.parse(code)
        except SyntaxError:
            continue
        found += [text for text in map(ast.unparse, tree.body) if not INTERNAL.search(text)]
    return found


def compare(checkout: Path) -> Iterator[tuple[str, str, str]]:
    """Document, statement and "equal", "differs" or the error, for what python-graphblas runs."""
    given = dict(documents(checkout))
    where = _outcomes("documents", given)
    refused = {
        document: [x for x, (_, there) in zip(texts, where[document], strict=True) if not there]
        for document, texts in given.items()
    }
    apart = _outcomes("forms", refused)
    for document, texts in given.items():
        elsewhere = iter(apart[document])
        for text, (outcome, there) in zip(texts, where[document], strict=True):
            outcome, there = (outcome, there) if there else next(elsewhere)
            if there:
                yield document, text, outcome


def _outcomes(how: str, given: dict[str, list[str]]) -> dict[str, list[tuple[str, bool]]]:
    """Of each statement "equal", "differs" or our error, and whether python-graphblas runs it."""
    ours, theirs = both("run_statements.py", {"as": how, "texts": given})
    return {
        document: [_judged(*pair) for pair in zip(ours[document], theirs[document], strict=True)]
        for document in given
    }


def _judged(ours: list[dict[str, Any]], theirs: list[dict[str, Any]]) -> tuple[str, bool]:
    """By the first of the places where python-graphblas runs the statement."""
    for mine, expected in zip(ours, theirs, strict=True):
        if "value" in expected:
            same = equal(mine.get("value"), expected["value"])
            return mine.get("error") or ("equal" if same else "differs"), True
    return "", False
