"""Whether engines may compute the next frontiers of a loop before it asks for them."""

from __future__ import annotations

from collections.abc import Iterator

from spbfs.base.blocks import Nested, block

__all__ = ["enabled", "lookahead"]

_enabled = Nested("spbfs_lookahead", default=True)
#: Whether looking ahead is allowed in this context.
enabled = _enabled.get


@block
def lookahead(enabled: bool = True) -> Iterator[None]:
    """Allow or forbid that frontiers are computed before a loop of statements asks for them.

    On CUDA a search written as a loop, ``q(~v.S, replace) << semiring(q @ A)`` and
    ``v(q.S) << depth`` in turns, is recognised, and one launch of the fused search computes its
    next frontiers; the statements that follow are then looked up. What is computed never depends
    on it, only how fast, and how much of the GPU's memory is in use meanwhile. Other devices
    compute nothing ahead. In a trace such products have the kernel "ahead".

    Parameters
    ----------
    enabled : bool, optional
        False: in the block every product is computed when it is asked for, and loops in it are
        not remembered either. True: within such a block, as usual.

    Notes
    -----
    The setting is of the current thread and asynchronous task, as that of `trace` is. It takes
    effect with the next product; vectors that are there already keep their entries. A block that
    is ended in another context holds here until another one begins and ends.

    Examples
    --------
    >>> import spbfs as sb
    >>> A = sb.generate.path(5)
    >>> q, v = sb.Vector.from_coo([0], True, size=5), sb.Vector(int, 5)
    >>> with sb.lookahead(False):
    ...     for depth in range(5):
    ...         v(q.S) << depth
    ...         q(~v.S, sb.replace) << sb.semiring.any_pair(q @ A)
    >>> v.to_dict()
    {0: 0, 1: 1, 2: 2, 3: 3, 4: 4}
    """
    with _enabled.inside(bool(enabled)):
        yield
