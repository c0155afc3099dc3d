"""The docstring of every public algorithm says what a user has to ask of one."""

from __future__ import annotations

import inspect
import re
from types import FunctionType

import pytest

import spbfs as sb

#: They run what somebody else wrote, or choose a device: no algorithms on graphs.
OTHERS = {"loop", "repeat", "suggest_device"}
ALGORITHMS = [
    name
    for name in sb.__all__
    if isinstance(getattr(sb, name), FunctionType)
    and inspect.unwrap(getattr(sb, name)).__module__.startswith("spbfs.algorithms")
    and name not in OTHERS
]
SECTIONS = ["Parameters", "Returns|Yields", "Raises", "Notes", "References", "Examples"]
#: What must be told, by the words that tell it.
TOLD = {
    "work": r"\b[Ww]ork\b|O\(|[Ee]very e\w+ (is looked|looks) at|sweep looks at|round takes",
    "memory": r"[Mm]emory|bytes|O\(n\)",
    "directions": r"[Dd]irect|entry \(u, v\)|symmetric|stored (A|entry)",
    "loops": r"[Ll]oops?\b|its own\s+vertex",
    "values": r"\bNaN\b",
    "zero": r"[Zz]ero|\b0\b",
    "negative": r"[Nn]egative|below 0|from 0",
    "empty graphs": r"[Ww]ithout\s+edges|without\s+neighbours|no\s+vertices|no\s+edges?",
    "determinism": r"[Tt]he\s+same|do(es)?\s+not\s+depend",
    "a paper": r"\b(19|20)\d\d\)",
}


def test_there_are_algorithms() -> None:
    assert len(ALGORITHMS) > 40


@pytest.mark.parametrize("name", ALGORITHMS)
def test_sections(name: str) -> None:
    text = inspect.getdoc(getattr(sb, name)) or ""
    found = [
        next(iter(re.finditer(rf"^({section})\n-+$", text, re.M)), None) for section in SECTIONS
    ]
    missing = [section for section, at in zip(SECTIONS, found, strict=True) if at is None]
    assert not missing
    places = [at.start() for at in found if at is not None]
    assert places == sorted(places), "in the order of numpydoc"


@pytest.mark.parametrize("name", ALGORITHMS)
def test_what_is_told(name: str) -> None:
    text = inspect.getdoc(getattr(sb, name)) or ""
    assert not [what for what, words in TOLD.items() if not re.search(words, text)]
