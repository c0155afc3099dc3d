"""What a rank needs of the others: three ways of exchanging, all of them collective.

Every rank makes the same calls in the same order.  `mpi` has them between processes, `threads`
between threads of one, where ranks are simulated; `nccl` carries arrays from GPU to GPU for either.
"""

from __future__ import annotations

import pickle
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from hashlib import blake2b
from typing import Any, NamedTuple, Protocol, TypeVar

import numpy as np
import numpy.typing as npt

from spbfs.base.memory import typed_refusals
from spbfs.exceptions import InvalidValue, RankFailed, SpbfsError

__all__ = [
    "FOLD",
    "Bytes",
    "Pending",
    "Ranks",
    "agree",
    "agree_all",
    "at_call",
    "everyones",
    "not_together",
    "settled",
    "sums",
    "within",
]

Bytes = npt.NDArray[np.uint8]
Ints = npt.NDArray[np.int64]
T = TypeVar("T")
#: The call that ranks are in while they compare what they call.
_BEGINNING = "the beginning of a call"
#: How numbers of ranks are put together, by the name that `Ranks.reduce` is given.
FOLD: dict[str, Any] = {"sum": np.add, "min": np.minimum, "max": np.maximum}


class Pending(Protocol):
    """An exchange under way."""

    #: What every rank has said of what it sends here.
    heads: list[int]

    def wait(self) -> list[Bytes]:
        """What every rank has sent here."""


class Ranks(Protocol):
    """Processes that run one program, as one of them sees them."""

    #: Which one this is, and how many there are.
    rank: int
    size: int
    #: Bytes that this rank has sent to others so far.
    sent: int
    #: The module of the arrays that are sent.
    xp: Any
    #: Whether each stands for a host of its own: what another one has in memory it does not see.
    apart: bool
    #: `host_memory.Meetings` of ranks that see one memory.
    meetings: Any
    #: Its exchanges between GPUs, which `gpus.exchange_of` sets up once for all matrices.
    on_gpus: Ranks | None
    #: How many graphs they have made, all in one order.
    graphs: int

    @property
    def call(self) -> str:
        """The call that this rank has entered last."""

    @property
    def on_host(self) -> Ranks:
        """The same, exchanging from host memory."""

    def begin(self, parts: Sequence[Bytes], heads: Sequence[int] | None = None) -> Pending:
        """Send ``parts[r]`` to rank r; this rank may work before it waits for what others send.

        A part's length is a multiple of 8, and what arrives is aligned to 8 bytes.  A number that
        goes ahead of each is known at once; 0 where none is given.
        """

    def swap(self, rows: Ints) -> Ints:
        """Row r from rank r, who was sent one of this rank's rows: a few numbers each."""

    def reduce(self, numbers: Ints, how: str) -> Ints:
        """The "sum", "min" or "max" of every number over all ranks, at every rank."""

    def enter(self, call: str, shown: str = "") -> None:
        """This rank begins a call, of which all ranks have the same name.

        Whatever is exchanged from now on is for it: ranks that are in others raise `RankFailed`.
        Messages show the name, or what is to be `shown` for it.
        """

    def listen(self) -> None:
        """Raise `RankFailed` when it is known that another rank will not come."""


def at_call(kind: str, call: str) -> str:
    """Where a rank is, for a message: an exchange of this kind, in a call."""
    return f"{call} ({kind})" if call and kind else call or kind


def not_together(one: tuple[int, str], other: tuple[int, str]) -> str:
    """The message of two ranks that are at different places."""
    (first, here), (second, there) = sorted((one, other))
    return f"ranks do not make the same calls: rank {first} is at {here}, rank {second} at {there}"


@contextmanager
def within(ranks: Ranks, call: str) -> Iterator[None]:
    """Be in a call that others may ask for, and then in theirs again."""
    before = ranks.call
    ranks.enter(call)
    try:
        yield
    finally:
        ranks.enter(before)


def everyones(ranks: Ranks, value: T) -> list[T]:
    """A small Python object of every rank, at every rank."""
    packed = pickle.dumps(value)
    room = np.zeros(8 + -(-len(packed) // 8) * 8, np.uint8)
    room[:8].view(np.int64)[0] = len(packed)
    room[8 : 8 + len(packed)] = np.frombuffer(packed, np.uint8)
    arrived = ranks.on_host.begin([room] * ranks.size).wait()
    # The ranks of a job run one program: what they send is no stranger's.
    return [
        pickle.loads(part[8 : 8 + int(part[:8].view(np.int64)[0])].tobytes()) for part in arrived
    ]


def sums(ranks: Ranks, *numbers: int) -> list[int]:
    """Every number summed over all ranks."""
    return ranks.reduce(np.array(numbers, np.int64), "sum").tolist()


def agree(ranks: Ranks, name: str, value: Any) -> None:
    """Raise at every rank unless a small value is the same at all of them.

    Raises
    ------
    InvalidValue
        It names the value, the first rank that has another one, and both.
    """
    agree_all(ranks, {name: value}, lambda _: repr(value))


class _Told(NamedTuple):
    """What a rank tells of one of its values: for a message, and for comparing it."""

    shown: str
    key: Any


def agree_all(
    ranks: Ranks, keys: dict[str, Any], shown: Callable[[str], str], call: str = ""
) -> None:
    """Raise at every rank unless each of some values is the same at all of them.

    Parameters
    ----------
    ranks : Ranks
    keys : dict
        Small values that are equal, and written the same, where those in question are.
    shown : callable
        What a message shows of one, by its name.
    call : str, optional
        What all ranks have called, if they agree; by default they are in one since before.

    Raises
    ------
    InvalidValue
        It names the first value that differs, the first rank that has another one, and both.
    """
    # Nearly always they agree, and a number tells that.
    digest = blake2b(repr(keys).encode(), digest_size=7).digest()
    number, before = int.from_bytes(digest, "little"), ranks.call
    # Those that begin different calls meet here, to be told which.
    ranks.enter(_BEGINNING, call or before)
    after = before  # a call that is refused has not begun
    try:
        least, most = ranks.reduce(np.array([number, -number], np.int64), "min").tolist()
        if least == -most:
            after = call or before
        else:
            _refuse_difference(ranks, keys, shown)
    finally:
        ranks.enter(after)


def _refuse_difference(ranks: Ranks, keys: dict[str, Any], shown: Callable[[str], str]) -> None:
    """Raise for the first value that differs; see `agree_all`."""
    given = everyones(ranks, {name: _Told(shown(name), key) for name, key in keys.items()})
    nothing = _Told("none", None)
    for name in dict.fromkeys(name for told in given for name in told):
        first, *others = (told.get(name, nothing) for told in given)
        for rank, other in enumerate(others, 1):
            if other.key != first.key:
                shown_here = "another one" if other.shown == first.shown else other.shown
                raise InvalidValue(
                    f"{name}: expected the same at every rank, got {first.shown} at rank 0 and "
                    f"{shown_here} at rank {rank}"
                )


def settled(ranks: Ranks, work: Callable[[], T]) -> T:
    """What `work` returns here, once it has ended at all ranks; where it raised at one, all raise.

    Raises
    ------
    SpbfsError
        That of the first rank that had one, its number before the message.
    """
    made, failed = None, None
    try:
        made = typed_refusals(work)()
    except BaseException as error:  # whatever it is, the others wait to hear of it
        failed = error
    # Nearly always nobody has, and a number tells that.
    if not ranks.reduce(np.array([int(failed is not None)], np.int64), "max")[0]:
        return made  # type: ignore[return-value]
    told: tuple[Any, str] | None = None
    if failed is not None:
        # Others may not have a class of a user's to unpack, nor is every one to be packed.
        kind = type(failed) if isinstance(failed, SpbfsError) else type(failed).__name__
        told = kind, str(failed)
    for rank, other in enumerate(everyones(ranks, told)):
        if other is not None:
            kind, reason = other
            if failed is not None and (told == other or not isinstance(failed, Exception)):
                raise failed
            if isinstance(kind, str):
                kind, reason = RankFailed, f"{kind}: {reason}"
            raise _again(kind, f"rank {rank}: {reason}")
    raise AssertionError("a rank that has failed says why")


def _again(kind: type[SpbfsError], message: str) -> SpbfsError:
    """An error of a class that may want more than a message."""
    try:
        return kind(message)
    except TypeError:
        return RankFailed(f"{kind.__name__}: {message}")
