"""After which rounds of a loop its end is looked for."""

from __future__ import annotations

__all__ = ["MOST_BETWEEN_LOOKS", "rounds_to_look"]

#: Rounds between two looks on a GPU at most.  A look waits for all that was launched, and what
#: follows is launched anew; rounds behind the end are wasted, so no more of them than this.
MOST_BETWEEN_LOOKS = 8


def rounds_to_look(done: int, device: str) -> int:
    """How many rounds from now the end of a loop is looked for, `done` of them made.

    On a GPU as many as were made so far, within limits: no more than half of all rounds are then
    behind the end, however short the loop.  Elsewhere a look is cheaper than a round.

    Examples
    --------
    >>> [rounds_to_look(done, "cuda") for done in (0, 1, 2, 4, 8, 16)]
    [1, 1, 2, 4, 8, 8]
    >>> rounds_to_look(100, "cpu")
    1
    """
    return min(max(done, 1), MOST_BETWEEN_LOOKS) if device == "cuda" else 1
