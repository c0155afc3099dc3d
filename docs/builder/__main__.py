"""``python -m docs.builder``: run the blocks of pages, and write the pages for Sphinx."""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections import Counter
from collections.abc import Iterable
from pathlib import Path

from docs.builder.run_pages import Ran, run_pages
from docs.builder.site import beside, pages, write


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m docs.builder", description=__doc__)
    parser.add_argument("pages", type=Path, nargs="*", help="pages whose blocks are run")
    parser.add_argument("--site", type=Path, help="run all there are, and write the site's pages")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        pictures = Path(folder)
        if arguments.site is None:
            return _report(run_pages((page.resolve() for page in arguments.pages), pictures))
        ran = run_pages([*pages(), *beside()], pictures)
        if failed := _report(ran):
            return failed
        write(arguments.site, ran, pictures)
    return 0


def _report(ran: Iterable[Ran]) -> int:
    """Say what ran and what did not; whether something failed."""
    total, left_out, failed = 0, Counter[str](), 0
    for page in ran:
        total += page.count
        left_out.update(page.left_out)
        if page.error:
            print(page.error, file=sys.stderr)
            failed = 1
    print(f"{total} blocks and rows run")
    for why, count in left_out.items():
        print(f"{count} not run: {why}")
    return failed


if __name__ == "__main__":
    sys.exit(main())
