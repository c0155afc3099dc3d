"""Random programs over objects of 2**40 rows, columns and elements that have a few dozen entries.

They are those of `programs`, whose indices are scattered: place k of a small dimension is one of a
few random, rising places of the large one.  What would need an array over a whole dimension is
left out: a number assigned to all of a row, a slice that is not everything.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from programs import MATRICES, VECTORS, Author

SIDE = 2**40


class ScatteredAuthor(Author):
    """Writes statements over long dimensions."""

    def __init__(self, seed: int) -> None:
        super().__init__(seed)
        #: Where the places of a small dimension lie in the large one; first and last are places.
        self.places = {
            name: np.unique(
                np.concatenate(([0, SIDE - 1], self.rng.integers(0, SIDE, max(0, size - 2))))
            )
            for name, size in self.sizes.items()
        }
        self.sizes = {name: len(places) for name, places in self.places.items()}

    def scatter(self, size: str, indices: Any) -> str:
        """Indices of a small dimension as text, where they lie in the large one."""
        return f"np.array({self.places[size][indices].tolist()}, dtype=np.int64)"

    def definition(self, name: str) -> str:
        dtype = self.pick(self.family.dtypes)
        dimensions = VECTORS.get(name, "") or MATRICES[name]
        lengths = [self.sizes[s] for s in dimensions]
        cells = int(np.prod(lengths))
        where = np.flatnonzero(self.rng.random(cells) < self.rng.choice([0.0, 0.15, 0.4, 1.0]))
        values = [self.value(dtype) for _ in where]
        if self.coin(0.25) and values:
            values = [values[0]] * len(values)
        coordinates = np.unravel_index(where, lengths)
        at = ", ".join(self.scatter(s, c) for s, c in zip(dimensions, coordinates, strict=True))
        kind = {"BOOL": "bool_", "FP32": "float32", "FP64": "float64"}.get(dtype, dtype.lower())
        array = f"np.array({values}, dtype=np.{kind})"
        if name in VECTORS:
            return f"{name} = Vector.from_coo({at}, {array}, {dtype!r}, size={SIDE})"
        shape = f"nrows={SIDE}, ncols={SIDE}"
        return f"{name} = Matrix.from_coo({at}, {array}, {dtype!r}, {shape})"

    def indices(self, size: str, length: str) -> str:
        return ":"  # a list as long as the dimension is no list of a few

    def region(self, size: str) -> str:
        have = self.sizes[size]
        count = int(self.rng.integers(1, have + 1))
        order = self.rng.permutation(have)[:count]
        return self.scatter(size, self.pick([order, np.sort(order)]))

    def mask(self, shape: str | tuple[str, str]) -> str:
        """Plain: python-graphblas spells the complement of a combination out."""
        name = self.vec(shape) if isinstance(shape, str) else self.mat(shape).removesuffix(".T")
        return self.pick(["", "~"]) + name + self.pick([".S", ".V"])

    def scalar_everywhere(self) -> tuple[str, str]:
        """Where a mask admits: a number everywhere would fill the memory."""
        name = str(self.pick([*VECTORS, *MATRICES]))
        same = VECTORS if name in VECTORS else MATRICES
        other = self.pick([x for x, shape in same.items() if shape == same[name]])
        words = [f"{other}.{self.pick('SV')}"]
        words += [f"binary.{self.pick(self.family.accums)}"] if self.coin() else []
        words += ["replace"] if self.coin() else []
        return name, f"{name}({', '.join(words)}) << {self.pick(self.family.scalars)}"

    def row(self) -> tuple[str, str]:
        name = str(self.pick(MATRICES))
        nrows, ncols = MATRICES[name]
        i = int(self.pick(self.places[nrows]))
        j = int(self.pick(self.places[ncols]))
        u, t = self.vec(nrows), self.vec(ncols)
        return self.pick(
            [
                (u, f"{u}{self.options(nrows)} << {name}[:, {j}]"),
                (t, f"{t}{self.options(ncols)} << {name}[{i}, :]"),
                (name, f"{name}[:, {j}] << {u}"),
                (name, f"{name}[{i}, :] << {t}"),
                (name, f"{name}[{i}, :]{self.options(ncols)} << {t}"),
                (name, f"{name}[:, {j}]{self.options(nrows)} << {u}"),
                (name, f"{name}{self.options(ncols)}[{i}, :] << {t}"),
                (name, f"{name}{self.options(nrows)}[:, {j}] << {u}"),
            ]
        )

    def element(self) -> tuple[str, str]:
        name = str(self.pick([*VECTORS, *MATRICES]))
        dimensions = VECTORS.get(name, "") or MATRICES[name]
        at = ", ".join(str(int(self.pick(self.places[s]))) for s in dimensions)
        k = self.pick(self.family.scalars)
        accum = f"binary.{self.pick(self.family.accums)}"
        texts = [f"{name}[{at}] = {k}", f"del {name}[{at}]", f"{name}({accum})[{at}] << {k}"]
        return name, str(self.pick(texts))

    def statement(self) -> tuple[str, str]:
        """No positions for values: they are too large for most types."""
        while True:
            name, text = super().statement()
            if "ss." not in text and "index," not in text:
                return name, text

    def fresh(self) -> tuple[str, str]:
        while True:
            name, text = super().fresh()
            if "kronecker" not in text and "diag(" not in text:  # of more than 2**60 rows, or odd
                return name, text
