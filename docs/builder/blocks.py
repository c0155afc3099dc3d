"""What of a page is run: fenced blocks, and rows of tables that put two packages side by side.

Behind the language of a fence may stand:

``needs=PACKAGE``     run where that package, or the engine ``cuda``, is; several with commas
``raises=ERROR``      it ends in that error, whose message is shown
``alt="..."``         what the picture that it draws shows, for those who do not see it
``hidden``            run, but not shown
``quiet``             run and shown, without what it prints
``skip="..."``        not run, and why; for what installs packages only
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

__all__ = ["OPTIONS", "RUN", "Block", "Row", "parts_of", "text_of"]

#: Languages that are run; all others are shown as they are.
RUN = ("python", "bash")
OPTIONS = {"needs", "raises", "alt", "hidden", "quiet", "skip"}
#: First cells of the tables whose rows are run.
SIDES = ("you write", "write here")

_FENCE = re.compile(r"^(?P<indent> *)(?P<ticks>`{3,})(?P<info>[^`]*)$")


@dataclass(frozen=True)
class Block:
    """A fenced block that is run."""

    language: str
    code: str
    #: Lines of the page, from 1: of the opening fence, and of the closing one.
    first: int
    last: int
    indent: str
    options: dict[str, str] = field(default_factory=dict)

    @property
    def needs(self) -> list[str]:
        return [name for name in self.options.get("needs", "").split(",") if name]


@dataclass(frozen=True)
class Row:
    """One line of a table: an expression, or statement, of another package and ours."""

    theirs: str
    ours: str
    #: Line of the page, from 1.
    first: int
    #: Names of packages that stand above the table: ``<!-- needs=igraph -->``.
    needs: list[str]


def text_of(page: Path) -> str:
    """A page's Markdown; of a notebook, that of its cells."""
    if page.suffix == ".ipynb":
        from docs.builder.notebooks import markdown

        return markdown(page)
    return page.read_text(encoding="utf-8")


def parts_of(text: str) -> Iterator[Block | Row]:
    """Blocks and rows of a page in their order.

    Raises
    ------
    ValueError
        A fence has an option that there is not, or is never closed.
    """
    lines = text.splitlines()
    at, needs = 0, []
    while at < len(lines):
        line = lines[at]
        fence = _FENCE.match(line)
        if fence:
            block, at = _block(lines, at, fence)
            if block.language in RUN:
                yield block
        elif said := re.match(r"<!-- needs=(\S+) -->", line):
            needs = said[1].split(",")
        elif tuple(cell.lower() for cell in _cells(line)[:2]) == SIDES:
            at += 2
            while at < len(lines) and lines[at].startswith("|"):
                yield _row(lines[at], at + 1, needs)
                at += 1
            needs = []
            continue
        at += 1


def _block(lines: list[str], at: int, fence: re.Match[str]) -> tuple[Block, int]:
    """The block that begins at a line, and the line of its end."""
    indent, ticks = fence["indent"], fence["ticks"]
    for end in range(at + 1, len(lines)):
        if lines[end].strip() == ticks:
            break
    else:
        raise ValueError(f"line {at + 1}: the block is never closed")
    code = "\n".join(line.removeprefix(indent) for line in lines[at + 1 : end])
    language, *given = shlex.split(fence["info"]) or [""]
    options = {key: value for key, _, value in (word.partition("=") for word in given)}
    if language in RUN and not options.keys() <= OPTIONS:
        raise ValueError(f"line {at + 1}: expected options of {sorted(OPTIONS)}, got {given}")
    return Block(language, code, at + 1, end + 1, indent, options), end


def _cells(line: str) -> list[str]:
    """The cells of a line of a table; ``\\|`` separates none."""
    if not line.startswith("|"):
        return []
    inner = line.strip().removeprefix("|").removesuffix("|")
    return [cell.strip() for cell in re.split(r"(?<!\\)\|", inner)]


def _row(line: str, number: int, needs: list[str]) -> Row:
    theirs, ours = _cells(line)[:2]
    return Row(_code(theirs, number), _code(ours, number), number, needs)


def _code(cell: str, number: int) -> str:
    """What the cell has as code, its pieces on lines of their own."""
    pieces = re.findall(r"`([^`]+)`", cell)
    if not pieces:
        raise ValueError(f"line {number}: expected code in the cell {cell!r}")
    return "\n".join(pieces).replace("\\|", "|")
