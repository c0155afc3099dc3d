"""Names that somebody may have meant."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from difflib import get_close_matches

__all__ = ["suggestion"]


def suggestion(
    name: str, known: Collection[str], elsewhere: Mapping[str, str], otherwise: str
) -> str:
    """The end of a message: names among `known` that come close, or what else there is to say.

    `elsewhere` has the names of other packages, and what they are called here.

    Examples
    --------
    >>> suggestion("sum", ["plus", "times"], {"sum": "plus"}, "")
    'did you mean plus?'
    >>> suggestion("tims", ["plus", "times"], {}, "")
    'did you mean times?'
    """
    # First what others call so.
    meant = [elsewhere[name]] if elsewhere.get(name) in known else []
    likely = list(dict.fromkeys([*meant, *get_close_matches(name, known, 4)]))
    return f"did you mean {' or '.join(likely)}?" if likely else otherwise
