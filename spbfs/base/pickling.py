"""What classes with ``__slots__`` need to be pickled as those without are."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

__all__ = ["added_to", "by_any_protocol"]


def by_any_protocol(self: Any, protocol: Any) -> Any:
    """``__reduce_ex__`` of a class with slots, of which Python's own takes protocols from 2 on.

    What it gives for 2, the class and a state, the older protocols write as well.
    """
    return object.__reduce_ex__(self, max(int(protocol), 2))


def added_to(self: Any, library: type) -> Any:
    """What a user's subclass of a class of ours adds to an object, as ``__getstate__`` gives it.

    Parameters
    ----------
    self : object
    library : type
        The class of ours, whose own ``__reduce__`` knows its slots, and asks ``__getstate__``,
        which subclasses may have of their own, for the rest.

    Returns
    -------
    dict, tuple of (dict or None, dict), or None
        The attributes, with those in slots where there are any, or None where there are none.
    """
    slots: dict[str, Any] = {}
    for kind in type(self).__mro__:
        if kind is library:
            break
        declared = kind.__dict__.get("__slots__", ())
        for name in (declared,) if isinstance(declared, str) else declared:
            hidden = name.startswith("__") and not name.endswith("__")
            attribute = f"_{kind.__name__.lstrip('_')}{name}" if hidden else name
            if attribute in ("__dict__", "__weakref__"):
                continue
            with suppress(AttributeError):  # never set
                slots[attribute] = object.__getattribute__(self, attribute)
    attributes = getattr(self, "__dict__", None)
    return (attributes or None, slots) if slots else attributes or None
