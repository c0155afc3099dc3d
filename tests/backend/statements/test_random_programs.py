"""Random programs, the same text in python-graphblas and on every engine, compared exactly."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import pytest
from families import FAMILIES
from programs import MATRICES, VECTORS, Author

import spbfs

graphblas = pytest.importorskip("graphblas", reason="python-graphblas is not installed")

SEEDS = 120
STATEMENTS = 25
NAMES = "Matrix Vector unary binary monoid semiring select indexunary replace".split()


def namespace(module: Any) -> dict[str, Any]:
    return {"np": np, **{name: getattr(module, name) for name in NAMES}}


def content(thing: Any) -> tuple[Any, ...]:
    """What an object holds, as hashable and comparable values; a scalar is its value."""
    if hasattr(thing, "to_coo"):
        *coordinates, values = thing.to_coo()
        shape = tuple(int(s) for s in np.atleast_1d(getattr(thing, "shape", None)))
        keys = zip(*(c.tolist() for c in coordinates), strict=True)
        entries = {k: ("nan" if v != v else v) for k, v in zip(keys, values.tolist(), strict=True)}
        return shape, entries
    value = thing.value
    return ("nan" if value is not None and value != value else value,)


def is_tame(thing: Any, integers_too: bool) -> bool:
    """Whether numbers are small multiples of one half and no negative zero: sums stay exact.

    Integers need it where they are summed as floats.
    """
    values = thing.to_coo()[-1]
    if values.dtype.kind != "f" and not integers_too:
        return True
    doubled = values.astype(np.float64) * 2
    with np.errstate(invalid="ignore"):
        most = 32 if values.dtype.kind == "f" else 1024
        small = np.isfinite(doubled) & (np.abs(doubled) <= most) & (doubled == np.trunc(doubled))
    return bool((small & ~((values == 0) & np.signbit(values))).all())


def type_may_differ(statement: str) -> bool:
    """Positions are INT64; python-graphblas gives those of INT32 operands as INT32."""
    return "index" in statement or "semiring.ss." in statement


class Run:
    """One program in python-graphblas and in this library, side by side."""

    #: Who writes it.
    author_of = Author

    def __init__(self, seed: int, device: str) -> None:
        self.author = self.author_of(seed)
        self.device = device
        self.text: list[str] = []
        self.theirs, self.ours = namespace(graphblas), namespace(spbfs)
        for name in [*VECTORS, *MATRICES]:
            self.define(name)

    def define(self, name: str) -> None:
        text = self.author.definition(name)
        self.text.append(text)
        exec(text, self.theirs)
        exec(f"{text[:-1]}, device={self.device!r})", self.ours)

    def accepted(self, statement: str) -> bool:
        """Whether python-graphblas ran the statement; what it refuses changes nothing."""
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            try:
                exec(statement, self.theirs)
            except (KeyError, IndexError, TypeError, AttributeError):
                return False
        return True

    def step(self) -> None:
        name, statement = self.author.statement()
        if not self.accepted(statement):
            return
        self.text.append(statement)
        exec(statement, self.ours)
        got, wanted = self.ours[name], self.theirs[name]
        assert content(got) == content(wanted)
        for other in [*VECTORS, *MATRICES]:
            assert content(self.ours[other]) == content(self.theirs[other]), other
        if name in ("fresh", "total"):
            if not type_may_differ(statement):
                assert got.dtype.name == wanted.dtype.name
        elif not is_tame(wanted, integers_too=self.author.family is FAMILIES["casts"]):
            self.define(name)


@pytest.mark.parametrize("group", range(8))
def test_programs_equal_python_graphblas(device: str, group: int) -> None:
    for seed in range(group, SEEDS, 8):
        run = Run(seed, device)
        try:
            for _ in range(STATEMENTS):
                run.step()
        except BaseException as error:
            error.add_note(f"seed {seed}, device {device}:\n  " + "\n  ".join(run.text))
            raise


def test_nearly_all_statements_are_accepted() -> None:
    """The programs would test nothing if python-graphblas refused what their author writes."""
    author = Author(1)
    run = {**namespace(graphblas)}
    accepted = 0
    for name in [*VECTORS, *MATRICES]:
        exec(author.definition(name), run)
    for _ in range(200):
        try:
            exec(author.statement()[1], run)
        except (KeyError, IndexError, TypeError, AttributeError):
            continue
        accepted += 1
    assert accepted > 160
