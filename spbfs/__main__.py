"""``python -m spbfs`` is the ``spbfs`` command."""

from __future__ import annotations

import sys

from spbfs.cli import main

if __name__ == "__main__":
    sys.exit(main())
