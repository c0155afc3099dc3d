"""The real graphs beside the checkout, or where SPBFS_DATA says, and what is known of them."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

DATA = Path(os.environ.get("SPBFS_DATA", Path(__file__).resolve().parents[2] / "shared" / "data"))
FACTS = DATA / "expected.json"
EXPECTED: dict[str, Any] = json.loads(FACTS.read_text()) if FACTS.is_file() else {}
ABSENT = "no ../shared/data with real graphs, and SPBFS_DATA names none"
