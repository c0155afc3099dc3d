"""``python -m tests.outside NAME``: run another package's own tests over spbfs, and count."""

from __future__ import annotations

import argparse

from tests.outside import networkx, scipy

SUITES = {"networkx": networkx, "scipy": scipy}


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.outside")
    suites = parser.add_subparsers(dest="suite", required=True)
    for name, suite in SUITES.items():
        suite.add_options(suites.add_parser(name, help=suite.__doc__))
    options = parser.parse_args()
    return SUITES[options.suite].run(options)


if __name__ == "__main__":
    raise SystemExit(main())
