"""Memory of a recorded round: it stays the round's for as long as that may be launched."""

from __future__ import annotations

from typing import Any

import cupy

__all__ = ["Arena"]


class Arena:
    """Blocks of CuPy's that what a round makes lies in, in every round again.

    A block that nothing lies in any more is given out again to whoever asks for as much, as kernels
    run in the order of their launches, but never to anybody outside of the round.
    """

    def __init__(self) -> None:
        self._allocate = cupy.cuda.get_allocator()
        self._device = cupy.cuda.runtime.getDevice()
        self._blocks: list[Any] = []
        self._free: dict[int, list[int]] = {}
        #: Where arrays of the round have begun.
        self.addresses: set[int] = set()
        #: Arrays that lie in it.
        self.held = 0

    def allocate(self, nbytes: int) -> Any:
        """As CuPy's arrays ask for memory."""
        free = self._free.setdefault(nbytes, [])
        if not free:
            block = self._allocate(nbytes)
            self._blocks.append(block)
            self.addresses.add(block.ptr)
            free.append(block.ptr)
        lease = _Lease(self, nbytes, free.pop())
        memory = cupy.cuda.UnownedMemory(lease.address, nbytes, lease, self._device)
        return cupy.cuda.MemoryPointer(memory, 0)

    def take_back(self, lease: _Lease) -> None:
        """The last array in a block is gone."""
        self.held -= 1
        self._free[lease.nbytes].append(lease.address)


class _Lease:
    """A block, held by the arrays that lie in it."""

    __slots__ = ("_arena", "address", "nbytes")

    def __init__(self, arena: Arena, nbytes: int, address: int) -> None:
        self._arena, self.nbytes, self.address = arena, nbytes, address
        arena.held += 1

    def __del__(self) -> None:
        self._arena.take_back(self)
