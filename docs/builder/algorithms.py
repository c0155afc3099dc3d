"""The table of all algorithms, from what the package exports and the first lines of docstrings."""

from __future__ import annotations

import inspect
import re
from pathlib import Path
from typing import Any

import spbfs

__all__ = ["others", "public", "table"]

DOCS = Path(__file__).parents[1]


def public() -> dict[str, Any]:
    """What ``spbfs.algorithms`` has, by the name that ``spbfs`` gives it."""
    found = {name: getattr(spbfs, name) for name in spbfs.__all__ if name != "__version__"}
    return {
        name: thing
        for name, thing in sorted(found.items(), key=lambda item: item[0].lower())
        if getattr(inspect.unwrap(thing), "__module__", "").startswith("spbfs.algorithms.")
    }


def table() -> str:
    """A line an algorithm: its name, leading to where it is described, and what it gives."""
    pages = _described()
    lines = ["| algorithm | what it gives |", "|---|---|"]
    for name, thing in public().items():
        if not inspect.isfunction(thing):
            continue
        what = (inspect.getdoc(thing) or "").partition("\n")[0].replace("``", "`")
        page = pages.get(name, "index.html")
        lines.append(f'| <a href="{page}#spbfs.{name}"><code>sb.{name}</code></a> | {what} |')
    return "\n".join(lines)


def others() -> str:
    """Docstrings of what has no place on a page by hand."""
    pages = _described()
    lines = ["```{eval-rst}"]
    for name, thing in public().items():
        if name in pages:
            continue
        if inspect.isfunction(thing):
            lines += [f".. autofunction:: spbfs.{name}", ""]
        else:
            # The fields of a tuple are in its docstring.
            members = [] if issubclass(thing, tuple) else ["   :members:"]
            lines += [f".. autoclass:: spbfs.{name}", *members, ""]
    return "\n".join([*lines, "```"])


def _described() -> dict[str, str]:
    """The page that has an algorithm's docstring, as those of the folder ``algorithms`` link it."""
    pages = [*sorted(DOCS.glob("algorithms/*.md")), *sorted(DOCS.glob("reference/*.md"))]
    return {
        name: f"../{page.parent.name}/{page.stem}.html"
        for page in pages
        for name in re.findall(r"^\.\. auto\w+:: spbfs\.(\w+)$", page.read_text("utf-8"), re.M)
    }
