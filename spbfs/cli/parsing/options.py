"""Messages of the library in the words of the command line: options instead of arguments."""

from __future__ import annotations

import re

__all__ = ["spoken"]

#: What an argument of Python's is called here, with a value or without.
_SPOKEN = {
    "compact=True": "--compact",
    "directed=False": "--undirected",
    "one_based=True": "--one-based",
    "weights=True": "--weights",
    "weights=False": "--no-weights",
    "columns=": "--columns",
    "columns": "--columns",
    "compact": "--compact",
    "dtype": "--weights",
    "directed": "--undirected",
    "one_based": "--one-based",
    "weights": "--weights",
    "max_depth": "--depth",
    "source": "--source",
    "sources": "--source",
    "vertices": "--source",
    "samples": "--samples",
    "seed": "--seed",
    "threads": "--threads",
    "device": "--device",
    "devices": "--devices",
    "scheduler": "--scheduler",
    "strategy": "--strategy",
    "seconds": "--seconds",
    "k": "--hops",
    "to": "--to",
    "levels": "--levels",
    "outputs": "--levels",
    "memory": "--memory",
    "transpose": "--transpose",
}


def spoken(message: str) -> str:
    """The message with options in the place of arguments.

    Examples
    --------
    >>> spoken("one_based: 'a.mtx' says itself where ids start; expected None")
    "--one-based: 'a.mtx' says itself where ids start; leave it out"
    >>> spoken("a.txt: far too sparse; read with compact=True")
    'a.txt: far too sparse; read with --compact'
    """
    message = re.sub(r"\b\w+=(?:(?:True|False)\b)?", lambda m: _SPOKEN.get(m[0], m[0]), message)
    message = message.replace("; expected None", "; leave it out")
    # Arguments are named at the beginning, several with commas between.
    names, colon, rest = message.partition(": ")
    called = [_SPOKEN.get(name, "") for name in names.split(", ")]
    return f"{', '.join(called)}{colon}{rest}" if colon and all(called) else message
