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

ROOT = Path(__file__).parents[3]
SCRIPTS = Path(os.environ.get("SPBFS_DIALECT", ROOT.parent / "shared" / "dialect"))
ABSENT = "no ../shared/dialect with scripts, and SPBFS_DIALECT names none"

#: How a script shows an error: its type, built-in types above it, and the beginning of a message
#: that may go on in further lines.
ERROR = re.compile(r"(\w+)\(([\w, ]*)\): (?:(?! \| )[^\n]|\n(?= |Expect|function))*")
SHORT = re.compile(r"<(\w+) ([\w, ]*)>")

#: script -> the beginnings of lines that may differ, and why.
ALLOWED: dict[str, dict[str, str]] = {
    "11_position_dtype": {
        "apply('index')": "indices stay INT64 whatever the operand's type",
        "rowindex": "indices stay INT64 whatever the operand's type",
    },
    "12_missing_value_nan": {
        "from_dense([5, nan], missing_value=nan)": "NaN that is missing is left out",
    },
    "13_index_types_and_order": {
        "to_coo dtypes": "indices are int64, those of CSR as narrow as SciPy's",
        "list(v)": "indices are Python integers",
    },
    "14_select_thunk": {
        "INT64 valuegt 2.5": "comparison with a thunk is exact",
        "UINT8 valuegt -1": "comparison with a thunk is exact",
    },
    "20_matmul_without_semiring": {
        "BOOL (B @ B)": "plus of Booleans is `or`, so that plus_times has a meaning for them",
    },
    "24_constructors": {
        "Scalar(2**63)": "what fits 64 bits without a sign is UINT64, as NumPy has it",
    },
    "28_hash_weakref_len": {"hash": "len counts the entries"},
    "29_rpow_bitwise": {"rpow(0.0, nan)": "a NaN makes a power NaN, in rpow as in pow"},
    "31_autocompute": {"int(v.reduce())": "an element can be added to in place"},
}


def lines(script: Path, package: str) -> list[str]:
    """What a script prints over a package, errors without their messages."""
    done = subprocess.run(
        [sys.executable, "-W", "ignore", str(script), package],
        capture_output=True,
        text=True,
        env=os.environ | {"PYTHONPATH": str(ROOT)},
        check=False,
    )
    assert not done.returncode, done.stderr
    return ERROR.sub(r"<\1 \2>", done.stdout).split("\n")


def same(ours: str, theirs: str) -> bool:
    """Whether two lines say the same, errors by what catches them."""
    mine, yours = SHORT.findall(ours), SHORT.findall(theirs)
    if len(mine) != len(yours) or SHORT.sub("", ours).split() != SHORT.sub("", theirs).split():
        return False
    return all(
        theirs[0] in (ours[0], *ours[1].split(", "))
        for ours, theirs in zip(mine, yours, strict=True)
    )


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
