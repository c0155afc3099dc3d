"""Where real graphs are looked for: beside the checkout, or where SPBFS_DATA says."""

from __future__ import annotations

import os
from pathlib import Path

__all__ = ["DATA"]

DATA = Path(os.environ.get("SPBFS_DATA", Path(__file__).parents[3] / "shared" / "data"))
