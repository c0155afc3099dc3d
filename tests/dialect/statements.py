"""The statements of python-graphblas's documentation, run by it and by us, one by one.

Code of its user guide, its README and its notebooks is run document by document.  After each
statement all that it names is compared, values and dtypes; a statement that python-graphblas
itself cannot run (of an earlier version, or with data of somebody else's) is not counted.
"""

from __future__ import annotations

import ast
import json
import re
import textwrap
from collections.abc import Iterator
from pathlib import Path

from tests.dialect.digests import equal
from tests.dialect.processes import both

__all__ = ["compare", "documents"]

#: Recording, starting and configuring the wrapper, SuiteSparse's own names, pictures, a network.
INTERNAL = re.compile(
    r"\.ss\b|gb\.init|Recorder|recorder|\bburble\b|config|FC32|FC64|complex|draw\(|spy\(|\bplt\.|"
    r"datashade|http|matplotlib|IPython|display\(|gb_name|gb_obj"
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
    ours, theirs = both("run_statements.py", given)
    for document, texts in given.items():
        for text, mine, expected in zip(texts, ours[document], theirs[document], strict=True):
            if "value" not in expected:
                continue
            if "value" not in mine:
                yield document, text, mine["error"]
            else:
                same = equal(mine["value"], expected["value"])
                yield document, text, "equal" if same else "differs"
