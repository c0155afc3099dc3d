"""The ``spbfs`` command: parse, run, and turn whatever goes wrong into one line and an exit code.

Nothing slow is imported before the arguments are parsed: a command's module is loaded when it runs.
"""

from __future__ import annotations

import contextlib
import importlib
import io
import os
import signal
import sys
import threading
import traceback
from collections.abc import Iterator, Sequence

from spbfs.cli.parsing.errors import reason
from spbfs.cli.parsing.parser import build_parser

__all__ = ["main"]

#: What launchers of MPI have the number of a process in.
_RANKS = ("OMPI_COMM_WORLD_RANK", "PMIX_RANK", "PMI_RANK", "SLURM_PROCID")
# 2, for wrong usage, is argparse's.
OK, FAILED, INTERRUPTED, BROKEN_PIPE, TERMINATED = 0, 1, 130, 141, 143


class _Terminated(KeyboardInterrupt):
    """The process is to end: what is half done is undone as after Ctrl-C."""


def main(argv: Sequence[str] | None = None) -> int:
    """Run the ``spbfs`` command.

    Parameters
    ----------
    argv : sequence of str, optional
        Arguments without the program's name; those of the process by default.

    Returns
    -------
    int
        Exit code: 0 done, 1 failed, 2 wrong usage, 130 interrupted, 141 output pipe closed,
        143 terminated.

    Examples
    --------
    >>> from spbfs.cli import main
    >>> main(["--help"])  # doctest: +ELLIPSIS
    usage: spbfs ...
    0
    """
    _open_streams()
    try:
        words = sys.argv[1:] if argv is None else argv
        with _terminable(words):
            code = _run(words)
        sys.stdout.flush()
    except _Terminated:
        _complain("terminated")
        return TERMINATED
    except KeyboardInterrupt:
        _complain("interrupted")
        return INTERRUPTED
    except BrokenPipeError:
        _silence()
        return BROKEN_PIPE
    except Exception as error:
        if os.environ.get("SPBFS_DEBUG"):
            traceback.print_exc()
        _complain(reason(error))
        if isinstance(error, OSError):
            _silence()
        return FAILED
    return code


def _open_streams() -> None:
    """Make sure of somewhere to print to."""
    if sys.stdout is None:
        # It was closed.  Its descriptor is taken, lest a graph's file gets it, by what refuses
        # whatever is written.
        sys.stdout = os.fdopen(os.open(os.devnull, os.O_RDONLY), "w", encoding="utf-8")
    if isinstance(sys.stdout, io.TextIOWrapper):
        # A file's name need not be text that the terminal's encoding has.
        sys.stdout.reconfigure(errors="backslashreplace")


def _silence() -> None:
    """Nobody takes our output: point it elsewhere, so that Python's closing it stays quiet."""
    try:
        sys.stdout.flush()
    except (OSError, ValueError):
        try:
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        except (OSError, ValueError):  # no file at all
            sys.stdout = None


@contextlib.contextmanager
def _terminable(words: Sequence[str]) -> Iterator[None]:
    """SIGTERM is an exception in the block, unless somebody else has it.

    Ranks of a job end at once: one that waits for others would not come back to Python.
    """
    ours = threading.current_thread() is threading.main_thread() and "--distributed" not in words
    if not ours or signal.getsignal(signal.SIGTERM) is not signal.SIG_DFL:
        yield
        return

    def end(*_: object) -> None:
        raise _Terminated

    signal.signal(signal.SIGTERM, end)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, signal.SIG_DFL)


def _run(words: Sequence[str]) -> int:
    try:
        with _once(words):
            arguments = build_parser().parse_args(words)
    except SystemExit as stop:  # after --help, or a usage error it has reported
        return stop.code if isinstance(stop.code, int) else FAILED
    importlib.import_module(f"spbfs.cli.commands.{arguments.command}").run(arguments)
    return OK


@contextlib.contextmanager
def _once(words: Sequence[str]) -> Iterator[None]:
    """Usage that is wrong at all ranks of a job is told by the first."""
    # MPI has not begun, and need not to say that.  A launcher gives all ranks the same words; one
    # that was given others, wrong ones, ends with 2 and no word of its own, for which the launcher
    # ends the job and says which rank it was.
    rank = next((os.environ[name] for name in _RANKS if name in os.environ), "0")
    others = "--distributed" in words and rank != "0"
    with contextlib.redirect_stderr(io.StringIO()) if others else contextlib.nullcontext():
        yield


def _complain(reason: str) -> None:
    if sys.stderr is not None:  # else it would go to standard output
        with contextlib.suppress(OSError):
            print("spbfs: error:", " ".join(reason.split()), file=sys.stderr, flush=True)
