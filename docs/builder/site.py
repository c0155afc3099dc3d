"""The pages as Sphinx reads them: with outputs and pictures, and links within the site."""

from __future__ import annotations

import shutil
from collections.abc import Iterable, Iterator
from pathlib import Path

from docs.builder import algorithms, links
from docs.builder.blocks import text_of
from docs.builder.contents import SECTIONS
from docs.builder.rendered import rendered
from docs.builder.run_pages import ROOT, Ran

__all__ = ["beside", "pages", "write"]

#: Of pages that only other pages lead to.
ORPHAN = "---\norphan: true\n---\n\n"


def pages() -> list[Path]:
    """The pages of the site; notebooks first, for they take longest."""
    notebooks = sorted((ROOT / "examples" / "notebooks").glob("*.ipynb"))
    return [*notebooks, *sorted(links.DOCS.rglob("*.md"))]


def beside() -> list[Path]:
    """Pages whose blocks are run as well."""
    return [ROOT / "README.md", ROOT / "CONTRIBUTING.md"]


def write(folder: Path, ran: Iterable[Ran], pictures: Path) -> None:
    """Fill a folder anew with the pages, their pictures and what they link."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    shutil.copytree(pictures, folder / "pictures")
    shutil.copy(links.DOCS / "conf.py", folder)
    shutil.copytree(links.DOCS / "static", folder / "static")
    found = {page.page: page for page in ran}
    listed = {page for _, pages in SECTIONS for page in pages}
    others = ("CHANGELOG.md", "SECURITY.md", "examples/README.md")
    sources = [*pages(), *beside(), *(ROOT / name for name in others)]
    for source in {*sources, *links.linked(sources)}:
        place = links.place_of(source)
        assert place is not None
        path = folder / place
        path.parent.mkdir(parents=True, exist_ok=True)
        if path.suffix != ".md":
            shutil.copy(source, path)
            continue
        text = text_of(source)
        if source in found:
            text = rendered(text, found[source], "../" * place.count("/"))
        text = links.within_site(text, source, place)
        text = text.replace("<!-- algorithms -->", algorithms.table())
        text = text.replace("<!-- other algorithms -->", algorithms.others())
        if place == "index.md":
            text += "\n".join(_contents())
        elif place not in listed:
            text = ORPHAN + text
        path.write_text(text, encoding="utf-8")


def _contents() -> Iterator[str]:
    """The sections of the site, for its side bar."""
    for name, pages in SECTIONS:
        yield from ("", "```{toctree}", ":hidden:", f":caption: {name}", "", *pages, "```")
