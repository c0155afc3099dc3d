"""What a breadth-first tree tells beside parents: paths, an order of visits, its edges."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from spbfs.algorithms.named import numbers
from spbfs.base.wording import brief
from spbfs.exceptions import InvalidValue
from spbfs.objects.checks import as_index
from spbfs.objects.labels import each_of
from spbfs.objects.matrix import Matrix
from spbfs.objects.placement.parts import whole
from spbfs.objects.vector import Vector
from spbfs.storage.data import iso_array

__all__ = ["order_of", "path_to", "tree_of"]

Ints = npt.NDArray[np.int64]


def path_to(parents: Vector, vertex: Any) -> npt.NDArray[Any]:
    """The vertices from the root of a vertex's tree to it, by name where they have names."""
    spread, labels = parents._engine.spread, parents.labels
    if spread is not None:
        spread.agree({"vertex": vertex})
    at = vertex if labels is None else numbers(vertex, labels, "vertex")
    at = as_index(at, parents.size, "vertex")
    path = _to_root(parents, at) if spread is None else spread.path(parents._ready(), at)
    if not path:
        raise InvalidValue(f"vertex: {brief(vertex)} was not reached")
    found = np.array(path[::-1], np.int64)
    return found if labels is None else labels.names(found)


def _to_root(parents: Vector, at: int) -> list[int]:
    """The vertices from one to the root of its tree; none where it has no parent."""
    labels, vertex = parents.labels, at
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
            if at == vertex:
                return []
            # Of negative lengths what is far may be a way to what is near.
            ends = (vertex, at) if labels is None else each_of(labels.names([vertex, at]))
            end, left_out = map(brief, ends)
            raise InvalidValue(
                f"vertex: the path to {end} leads through {left_out}, which the search has left "
                "out as too far; expected one that it has whole"
            )
        parent = int(data.values[place])
        if parent == at:
            return path
        path.append(parent)
        at = parent


def order_of(levels: Vector) -> Ints:
    """The vertices that have a level, by level and number."""
    vertices, depth = whole(levels).to_coo()
    # Stable and by radix: as long as there are vertices, whatever the depth.
    return np.asarray(vertices[np.argsort(depth, kind="stable")], np.int64)


def tree_of(parents: Vector) -> Matrix:
    """Entries (parent, child), on the device of the parents."""
    spread = parents._engine.spread
    children, above = (parents if spread is None else parents.local).to_coo()
    others = children != above
    rows, columns, n = above[others], children[others], parents.size
    if spread is None:
        tree = Matrix.from_coo(rows, columns, True, nrows=n, ncols=n, device=parents.device)
    else:
        true = iso_array(np.array([True]), rows.shape[0])
        tree = Matrix._from_data(spread.assembled(rows, columns, true), parents.device)
    tree.labels = parents.labels
    return tree
