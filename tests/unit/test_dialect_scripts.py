"""Scripts that show where spbfs and python-graphblas once differed print the same over both.

They lie beside the checkout, ``../shared/dialect``, or where SPBFS_DIALECT says.  An error is the
same where ours may be caught as theirs; what may differ is listed with its reason.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("graphblas")

ROOT = Path(__file__).parents[2]
SCRIPTS = Path(os.environ.get("SPBFS_DIALECT", ROOT.parent / "shared" / "dialect"))
ABSENT = "no ../shared/dialect with scripts, and SPBFS_DIALECT names none"

#: How a script shows an error: its type, built-in types above it, the beginning of its message.
ERROR = re.compile(r"(\w+)\(([\w, ]*)\): .*")

#: script -> the beginnings of lines that may differ, and why.
ALLOWED: dict[str, dict[str, str]] = {}


def lines(script: Path, package: str) -> list[str]:
    """What a script prints over a package; messages that take several lines are cut."""
    done = subprocess.run(
        [sys.executable, "-W", "ignore", str(script), package],
        capture_output=True,
        text=True,
        env=os.environ | {"PYTHONPATH": str(ROOT)},
        check=False,
    )
    assert not done.returncode, done.stderr
    return [x for x in done.stdout.splitlines() if x and not x.startswith(("function:", "GraphBLAS"))]


def same(ours: str, theirs: str) -> bool:
    """Whether two lines say the same, errors by what catches them."""
    mine, yours = ERROR.search(ours), ERROR.search(theirs)
    if mine is None or yours is None:
        return re.sub(r"\s+", " ", ours).strip() == re.sub(r"\s+", " ", theirs).strip()
    caught_as = {mine[1], *mine[2].split(", ")}
    return ours[: mine.start()] == theirs[: yours.start()] and yours[1] in caught_as


@pytest.mark.skipif(not SCRIPTS.is_dir(), reason=ABSENT)
@pytest.mark.parametrize("script", sorted(SCRIPTS.glob("[0-9]*.py")), ids=lambda path: path.stem)
def test_a_script_prints_the_same_over_both(script: Path) -> None:
    ours, theirs = lines(script, "spbfs"), lines(script, "graphblas")
    allowed = ALLOWED.get(script.stem, {})
    differ = [
        (mine, yours)
        for mine, yours in zip(ours, theirs, strict=True)
        if not same(mine, yours) and not any(mine.startswith(label) for label in allowed)
    ]
    assert not differ, "\n".join(f"{mine}\n    {yours}" for mine, yours in differ)
