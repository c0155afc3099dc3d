"""A page as it is shown: blocks without their options, followed by what they gave."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from docs.builder.blocks import Block, parts_of
from docs.builder.run_pages import Ran

__all__ = ["rendered"]

#: Lines of output that a page shows.
SHOWN = 40


def rendered(text: str, ran: Ran, up: str) -> str:
    """The page with its output; `up` leads from the page to the top of the site."""
    lines = text.splitlines()
    shown: list[str] = []
    at = 0
    for block in (part for part in parts_of(text) if isinstance(part, Block)):
        shown += lines[at : block.first - 1]
        at = block.last
        if "hidden" not in block.options:
            shown.append(f"{block.indent}```{block.language}")
            shown += lines[block.first : block.last]
        shown += (block.indent + line for line in _output(block, ran.parts[block.first], up))
    return "\n".join([*shown, *lines[at:]]) + "\n"


def _output(block: Block, part: dict[str, Any], up: str) -> Iterator[str]:
    if "left_out" in part:
        return
    output = part["output"].rstrip().splitlines()
    if output and not block.options.keys() & {"hidden", "quiet"}:
        yield ""
        yield "```{code-block} text"
        yield ":class: output"
        yield ""
        yield from output[:SHOWN]
        if len(output) > SHOWN:
            yield f"... {len(output) - SHOWN} more lines"
        yield "```"
    for picture in part["pictures"]:
        yield ""
        yield f"![{block.options['alt']}]({up}pictures/{picture})"
        yield ""
