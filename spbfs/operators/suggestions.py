"""Names of operators that somebody may have meant."""

from __future__ import annotations

from collections.abc import Collection
from difflib import get_close_matches

__all__ = ["suggestion"]

#: What pandas, NumPy and Python call by another name.
ELSEWHERE = {
    "sum": "plus",
    "add": "plus",
    "prod": "times",
    "mul": "times",
    "sub": "minus",
    "div": "truediv",
    "and": "land",
    "or": "lor",
    "last": "second",
}


def suggestion(name: str, known: Collection[str], otherwise: str) -> str:
    """The end of a message: names among `known` that come close, or what else there is to say.

    Examples
    --------
    >>> suggestion("sum", ["plus", "times"], ""), suggestion("tims", ["plus", "times"], "")
    ('did you mean plus?', 'did you mean times?')
    """
    # First what others call so.
    meant = [ELSEWHERE[name]] if ELSEWHERE.get(name) in known else []
    likely = list(dict.fromkeys([*meant, *get_close_matches(name, known, 4)]))
    return f"did you mean {' or '.join(likely)}?" if likely else otherwise
