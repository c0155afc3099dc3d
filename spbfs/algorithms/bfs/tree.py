"""What a breadth-first tree tells beside parents: paths, an order of visits, its edges."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from spbfs.exceptions import InvalidValue
from spbfs.objects.checks import as_index
from spbfs.objects.matrix import Matrix
from spbfs.objects.vector import Vector

__all__ = ["order_of", "path_to", "tree_of"]

Ints = npt.NDArray[np.int64]


def path_to(parents: Vector, vertex: int) -> Ints:
    """The vertices from the root of a vertex's tree to it."""
    at = as_index(vertex, parents.size, "vertex")
    # Of a vector in host memory without a copy of it, however many paths are asked for.
    parents = parents if parents.device != "cuda" else parents.to("cpu")
    data = parents._ready()
    path = [at]
    while True:
        if data.indices is None:
            there = data.present is None or bool(data.present[at])
            place = at
        else:
            place = int(np.searchsorted(data.indices, at))
            there = place < len(data.indices) and int(data.indices[place]) == at
        if not there:
            raise InvalidValue(f"vertex: {vertex} was not reached")
        parent = int(data.values[place])
        if parent == at:
            return np.array(path[::-1], np.int64)
        path.append(parent)
        at = parent


def order_of(levels: Vector) -> Ints:
    """The vertices that have a level, by level and number."""
    vertices, depth = levels.to_coo()
    # Stable and by radix: as long as there are vertices, whatever the depth.
    return np.asarray(vertices[np.argsort(depth, kind="stable")], np.int64)


def tree_of(parents: Vector) -> Matrix:
    """Entries (parent, child), on the device of the parents."""
    children, above = parents.to_coo()
    others = children != above
    n = parents.size
    tree = Matrix.from_coo(
        above[others], children[others], True, nrows=n, ncols=n, device=parents.device
    )
    tree.labels = parents.labels
    return tree
