"""Where things are in the site, and links that lead there.

On a site that is a folder on somebody's disk nothing leads elsewhere: what a page names of the
sources comes along.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator
from pathlib import Path

from docs.builder.blocks import text_of
from docs.builder.run_pages import ROOT

__all__ = ["DOCS", "LINK", "linked", "place_of", "within_site"]

DOCS = ROOT / "docs"
#: A link or a picture with a path; other sites and places of the same page are none.
LINK = re.compile(r"\[(?P<text>[^\]]*)\]\((?!\w+:|#)(?P<path>[^)#\s]+)(?P<anchor>#[^)\s]*)?\)")
#: What a browser shows by itself; all else is text to it.
_PICTURES = (".svg", ".png")


def place_of(path: Path) -> str | None:
    """Where a file of the checkout is in the site; None for what is no file."""
    if not path.is_file():
        return None
    if path.suffix == ".ipynb":
        return f"notebooks/{path.stem}.md"
    inner = path.relative_to(DOCS if path.is_relative_to(DOCS) else ROOT)
    if path.is_relative_to(DOCS) and path.suffix == ".md":
        return (inner.with_name("index.md") if inner.name == "README.md" else inner).as_posix()
    if path.suffix == ".md":
        return f"project/{inner.as_posix()}"
    return f"sources/{inner.as_posix()}{'' if path.suffix in _PICTURES else '.txt'}"


def linked(pages: Iterable[Path]) -> set[Path]:
    """The files that pages link outside of the folder, and those that these link."""
    found: set[Path] = set()
    waiting = list(pages)
    while waiting:
        page = waiting.pop()
        for target in set(_targets(page)) - found:
            if target.is_file() and not (target.is_relative_to(DOCS) and target.suffix == ".md"):
                found.add(target)
                if target.suffix == ".md":
                    waiting.append(target)
    return found


def _targets(page: Path) -> Iterator[Path]:
    for link in LINK.finditer(text_of(page)):
        yield _target(page, link)


def _target(page: Path, link: re.Match[str]) -> Path:
    return Path(os.path.normpath(page.parent / link["path"]))


def within_site(text: str, page: Path, place: str) -> str:
    """The page with links that lead to places of the site; of those to folders the text alone."""

    def replaced(link: re.Match[str]) -> str:
        target = _target(page, link)
        if target.is_dir():
            return link["text"]
        leads = place_of(target)
        if leads is None:  # Sphinx complains of it.
            return link[0]
        path = os.path.relpath(leads, Path(place).parent)
        anchor = link["anchor"] or ""
        if anchor and f'<a id="{anchor[1:]}">' in target.read_text(encoding="utf-8"):
            return _html(link["text"], path, anchor)
        return f"[{link['text']}]({path}{anchor})"

    text = re.sub(
        r"\[([^\]]+)\](\((#[^)\s]+)\))",
        lambda link: _html(link[1], "", link[3]) if f'<a id="{link[3][1:]}">' in text else link[0],
        text,
    )
    return LINK.sub(replaced, text)


def _html(text: str, page: str, anchor: str) -> str:
    """A link to an anchor that a page has as HTML, which Sphinx knows nothing of."""
    return f'<a href="{page.removesuffix(".md") + ".html" if page else ""}{anchor}">{text}</a>'
