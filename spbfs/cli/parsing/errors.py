"""What went wrong, in a line for whoever gave the command."""

from __future__ import annotations

from spbfs.cli.parsing.options import spoken

__all__ = ["reason"]


def reason(error: BaseException) -> str:
    """The error in the words of the command line."""
    from spbfs.exceptions import SpbfsError

    if isinstance(error, SpbfsError):
        return spoken(str(error))
    if isinstance(error, MemoryError):
        return f"out of memory: {error}".removesuffix(": ")
    if isinstance(error, OSError) and error.strerror:
        # Without a name it is what we print to: files that are read and written have theirs.
        return f"{error.filename or 'standard output'}: {error.strerror}"
    if isinstance(error, ModuleNotFoundError):
        return f"{error}; this needs a package that is not installed"
    where = "set SPBFS_DEBUG=1 to see where, and please report it"
    return f"unexpected {type(error).__name__}: {error} ({where})"
