"""One program in python-graphblas and on engines, side by side, compared exactly."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from functools import cache
from random import Random
from typing import Any

import numpy as np

import spbfs
from tests.programs.operations import OPERATIONS, target_of
from tests.programs.tables import ACCUMULATORS, MASKS, NUMPY, TYPES, kind_of
from tests.programs.writing import Writer

__all__ = ["Cell", "cells_of", "run"]

#: operation, type, mask, accumulator, replace
Cell = tuple[str, str, str, str, bool]

STATEMENTS = 6
NAMES = "Matrix Vector Scalar unary binary monoid semiring indexunary replace".split()


def cells_of(dtype: str) -> list[Cell]:
    """All cells of a type, in an order that mixes them."""
    found = [
        (operation, dtype, mask, accum, replace)
        for operation in OPERATIONS
        for mask in MASKS
        for accum in ("", *ACCUMULATORS[kind_of(dtype)])
        for replace in ((False, True) if mask else (False,))
    ]
    Random(dtype).shuffle(found)
    return found


_CELLS = {dtype: cells_of(dtype) for dtype in TYPES}


def cells_of_program(seed: int) -> list[Cell]:
    """Six cells of one type: programs 0, 11, 22 ... go through all those of the first."""
    cells = _CELLS[TYPES[seed % len(TYPES)]]
    first = STATEMENTS * (seed // len(TYPES))
    return [cells[(first + i) % len(cells)] for i in range(STATEMENTS)]


def content(thing: Any) -> Any:
    """Entries and type, comparable."""
    *coordinates, values = thing.to_coo()
    listed = ["nan" if x != x else x for x in values.tolist()]
    return [c.tolist() for c in coordinates], listed, thing.dtype.name


def is_tame(found: Any, integers_too: bool) -> bool:
    """Whether numbers are small multiples of one half: sums of products of them are exact."""
    _, values, dtype = found
    if not (integers_too or dtype.startswith("FP")):
        return True
    return all(
        x != "nan" and abs(x) <= 16 and 2 * x == int(2 * x) and str(x) != "-0.0" for x in values
    )


class Side:
    """The variables of one program in one library on one device."""

    def __init__(self, library: Any, device: str | None) -> None:
        self.options = {} if device is None else {"device": device}
        self.given: dict[str, Any] = {name: getattr(library, name) for name in NAMES}
        self.given |= {"np": np, "empty": library.Scalar(int)}
        self.start()
        self.given["One"] = self.made("BOOL", [np.array([0])] * 2, np.array([True]), [1, 1])

    def start(self) -> None:
        """Forget the variables of the last program."""
        self.known = dict(self.given)

    def made(self, dtype: str, where: list[Any], values: Any, lengths: list[int]) -> Any:
        if len(lengths) == 1:
            vector = self.known["Vector"]
            return vector.from_coo(*where, values, dtype, size=lengths[0], **self.options)
        matrix = self.known["Matrix"]
        nrows, ncols = lengths
        return matrix.from_coo(*where, values, dtype, nrows=nrows, ncols=ncols, **self.options)


@cache
def _sides(library: Any, devices: tuple[str, ...]) -> list[Side]:
    """python-graphblas, unless it is None, and the engines."""
    first = [] if library is None else [Side(library, None)]
    return [*first, *(Side(spbfs, device) for device in devices)]


class Program:
    """The statements of some cells, in every library at once."""

    def __init__(self, seed: int, dtype: str, sides: list[Side]) -> None:
        self.seed, self.sides = seed, sides
        self.writer = Writer(seed, dtype)
        self.text = [f"seed {seed}, {dtype}"]
        self.defined: set[str] = set()

    def define(self, name: str) -> None:
        self.defined.add(name)
        where, values, lengths = self.writer.entries(name)
        dtype = self.writer.types[name]
        self.text.append(f"{name} = {dtype} {where} {values} {lengths}")
        arrays = [np.array(c, np.int64) for c in where]
        array = np.array(values, NUMPY[dtype])
        for side in self.sides:
            side.known[name] = side.made(dtype, arrays, array, lengths)

    def step(self, cell: Cell) -> bool:
        """Run a statement of the cell; False where the first library refuses what is drawn."""
        operation, _, self.writer.mask, self.writer.accum, self.writer.replace = cell
        first, *others = self.sides
        for _ in range(20):
            statement = OPERATIONS[operation](self.writer)
            code = compile(statement, "<statement>", "exec")
            if self.writer.is_read_uncast(statement, code.co_names):
                continue
            for name in code.co_names:
                if name in self.writer.shapes and name not in self.defined:
                    self.define(name)
            try:
                exec(code, first.known)
            except (KeyError, TypeError, AttributeError):
                continue  # an operator that is not defined for these types
            break
        else:
            return False
        self.text.append(statement)
        name = target_of(statement)
        wanted = content(first.known[name])
        for side in others:
            exec(code, side.known)
            got = content(side.known[name])
            assert got == wanted, f"{statement} on {side.options}: {got}, expected {wanted}"
        if not is_tame(wanted, self.writer.casts):
            self.define(name)
        return True

    def finish(self) -> None:
        """What is not written must not have changed either."""
        first, *others = self.sides
        for name in sorted(self.defined):
            wanted = content(first.known[name])
            for side in others:
                got = content(side.known[name])
                assert got == wanted, f"{name} on {side.options}: {got}, expected {wanted}"


def run(seed: int, library: Any, devices: list[str]) -> Iterator[Cell]:
    """Run a program in a library, None for none, and on devices; the cells that it went through.

    The first of them says what is right, and decides which operators exist for which types.
    """
    sides = _sides(library, tuple(devices))
    for side in sides:
        side.start()
    cells = cells_of_program(seed)
    program = Program(seed, cells[0][1], sides)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            done = [cell for cell in cells if program.step(cell)]
            program.finish()
    except BaseException as error:
        error.add_note("\n  ".join(program.text))
        raise
    yield from done
