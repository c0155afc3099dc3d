"""A list of edges that may be larger than memory, made into a CSR folder; it goes on after a stop.

Lines are read once.  What memory holds of their entries is sorted and written as a run; the runs
are merged into rows, and for a directed graph the rows are sorted and merged likewise into columns.
Beside the folder lies another with the runs, and with what is done so far: whoever is killed in
between loses one run, or one part of a merge.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Literal

import numpy as np

from spbfs.base.memory import typed_refusals
from spbfs.exceptions import FormatError, InvalidValue
from spbfs.io.conversion.csr_half import Half, HalfWriter
from spbfs.io.conversion.external_sort import LARGEST_ID, Run, RunWriter, cuts, keys_of, merged
from spbfs.io.conversion.progress import Asked, Progress
from spbfs.io.files.lock import FileLock
from spbfs.io.files.refusals import unwritable
from spbfs.io.files.source import Source, Text
from spbfs.io.files.tokens import Grammar, Piece, parsed
from spbfs.io.formats.edge_list import csv_grammar, edge_grammar
from spbfs.io.formats.entries import ReadOptions, is_sparse
from spbfs.io.mapped.csr_header import BLOCK, HEADER, Header, index_type
from spbfs.io.mapped.csr_writer import ArrayWriter, check_target, finish_folder
from spbfs.operators.dtypes import lookup_dtype

__all__ = ["LEAST_MEMORY", "convert_edges"]

Array = Any  # numpy.ndarray

#: Least memory to convert in: the pieces of text that are parsed at a time, and some entries.
LEAST_MEMORY = 1 << 27
#: Bytes that the former take, and those of an entry in memory, without a value and with one.
_PIECES = 96 << 20
_ENTRY, _VALUED_ENTRY = 24, 72
#: Entries of the rows that are read at a time.
_PIECE = 1 << 18


def capacity_of(room: int, valued: bool) -> int:
    """Entries that so many bytes hold while they are sorted."""
    return room // (_VALUED_ENTRY if valued else _ENTRY)


@typed_refusals
def convert_edges(
    source: Path, target: Path, options: ReadOptions, transpose: bool, memory: int, progress: Any
) -> None:
    """Write the graph in a list of edges to a CSR folder; see `spbfs.convert`."""
    final = check_target("target", target)
    lock = FileLock("target", final)
    try:
        conversion = _Conversion(source, final, options, transpose, memory, progress)
        try:
            conversion.run()
        except (FormatError, InvalidValue):  # of the lines, which the same call would come to again
            conversion.discard()
            raise
    finally:
        lock.release()


class _Conversion:
    """One conversion, from where an earlier one of the same file was stopped."""

    def __init__(
        self,
        source: Path,
        final: Path,
        options: ReadOptions,
        transpose: bool,
        memory: int,
        progress: bool | None,
    ) -> None:
        self._source, self._final, self._options = source, final, options
        self._room, self._bar = memory - _PIECES, progress
        self._folder = final.with_name(f"{final.name}.partial")
        with Source(source, False):
            asked = Asked.of(source, options, transpose)
        self._made = self._folder / "graph"
        if not self._made.is_dir() or (self._made / HEADER).exists():
            # What is left of one that had ended but for this, or the folder that it has replaced.
            shutil.rmtree(self._folder, ignore_errors=True)
        try:
            self._made.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise unwritable("target", final, error) from None
        self._state = Progress.load(self._folder, asked)

    def run(self) -> None:
        state = self._state
        if state.phase == "reading":
            self._read()
            state.real = any(run.values == "<f8" for run in state.runs)
            state.next_phase(self._folder, "rows")
        if state.phase == "rows":
            self._check_size()
            state.files |= self._merge("", state.rows)
            merged_runs, state.runs = state.runs, []
            state.next_phase(self._folder, "across" if self._wants_columns() else "done")
            self._remove(merged_runs)
        if state.phase == "across":
            self._mirror()
            state.next_phase(self._folder, "columns")
        if state.phase == "columns":
            state.files |= self._merge("transpose.", state.columns)
            state.next_phase(self._folder, "done")
        self._finish()

    def discard(self) -> None:
        """Nothing is left to go on from."""
        shutil.rmtree(self._folder, ignore_errors=True)

    # -- the runs --------------------------------------------------------------------------------
    def _read(self) -> None:
        """All lines, as runs."""
        state = self._state
        with Source(self._source, self._bar) as source:
            text = self._text(source)
            if state.grammar is None:
                return
            grammar = Grammar(**state.grammar)
            writer = self._runs("rows")
            for piece in parsed(text, grammar):
                if piece.failure is not None:
                    raise source.error(piece.failure, state.lines + piece.lines)
                entries = self._entries(source, piece)
                if not writer.fits(sum(keys.shape[0] for keys, _ in entries)):
                    writer.flush()
                    state.save(self._folder)
                for keys, values in entries:
                    writer.add(keys, values)
                state.offset += piece.size
                state.lines += piece.lines
            writer.flush()

    def _text(self, source: Source) -> Text:
        """What is left to be read; its grammar is worked out once."""
        state = self._state
        if state.grammar is not None:
            source.skip(state.offset)
            return Text(source)
        text = Text(source)
        name = source.path.name.lower().removesuffix(".gz")
        grammar: Grammar | None
        if name.endswith((".csv", ".tsv")):
            grammar, named, _ = csv_grammar(text, self._options)
            if named:
                raise InvalidValue(
                    f"source: {source.name!r} has names for vertices; expected numbers (read it "
                    "into memory, and write that)"
                )
        else:
            weighted = True if name.endswith(".wel") else None
            grammar, state.at_least = edge_grammar(text, self._options, weighted)
        if grammar is not None:
            state.grammar = {"roles": grammar.roles, "delimiter": grammar.delimiter}
            state.grammar["base"] = grammar.base
        state.offset, state.lines = text.offset, text.line
        return text

    def _runs(self, prefix: str) -> RunWriter:
        capacity = capacity_of(self._room, self._valued)
        return RunWriter(self._folder, prefix, capacity, self._state.runs)

    @property
    def _valued(self) -> bool:
        grammar = self._state.grammar
        return grammar is not None and Grammar(**grammar).weighted

    def _entries(self, source: Source, piece: Piece) -> list[tuple[Array, Array]]:
        """Keys and values of a piece, and those of the mirror images where edges lead both ways."""
        rows, columns, values = piece.rows, piece.cols, piece.values
        if not rows.shape[0]:
            return []
        greatest = max(int(rows.max()), int(columns.max()))
        if greatest > LARGEST_ID:
            raise InvalidValue(
                f"source: {source.name!r} has the vertex {greatest}; expected numbers up to "
                f"{LARGEST_ID} (reading it with compact=True numbers the vertices that occur)"
            )
        self._state.greatest = max(self._state.greatest, greatest)
        found = [(keys_of(rows, columns), values)]
        if not self._options.directed:
            other = rows != columns
            mirrored = None if values is None else values[other]
            found.append((keys_of(columns[other], rows[other]), mirrored))
        return found

    def _mirror(self) -> None:
        """The rows that are written, by columns, as runs."""
        state, writer = self._state, self._runs("columns")
        for keys, values in self._written_entries(state.mirrored):
            if not writer.fits(keys.shape[0]):
                writer.flush()
                state.save(self._folder)
            writer.add(keys, values)
            state.mirrored += keys.shape[0]
        writer.flush()

    def _written_entries(self, begin: int) -> Iterator[tuple[Array, Array]]:
        """Keys of the transpose, and values, of the entries from number `begin` on."""
        state, made = self._state, self._made
        count = state.rows.entries
        if begin >= count:
            return
        offsets = np.memmap(made / "offsets", "<i8", "r")
        columns = np.memmap(made / "columns", index_type(state.vertices), "r")
        values = np.memmap(made / "values", state.value_type, "r") if self._valued else None
        for at in range(begin, count, _PIECE):
            end = min(at + _PIECE, count)
            first = int(np.searchsorted(offsets, at, side="right")) - 1
            last = int(np.searchsorted(offsets, end))
            lengths = np.diff(np.clip(offsets[first : last + 1], at, end))
            rows = np.repeat(np.arange(first, last), lengths)
            yield keys_of(columns[at:end], rows), None if values is None else values[at:end]

    def _remove(self, runs: list[Run]) -> None:
        for run in runs:
            run.remove(self._folder)

    # -- the folder ------------------------------------------------------------------------------
    def _check_size(self) -> None:
        n, count = self._state.vertices, sum(run.length for run in self._state.runs)
        if is_sparse((n, n), count):
            raise FormatError(
                f"{self._source}: {n:,} vertices for {count:,} entries; one id or a count in the"
                " header is far off"
            )

    def _merge(self, prefix: str, half: Half) -> dict[str, Any]:
        """All runs, as half of the folder."""
        state = self._state
        values = state.value_type if self._valued else None
        room = sum(run.length for run in state.runs)
        bounds = cuts(self._folder, state.runs, capacity_of(self._room, self._valued))
        with HalfWriter(
            self._made, prefix, state.vertices, values, room, half, state.key
        ) as writer:
            below = state.vertices << 32
            for entries, until in merged(self._folder, state.runs, bounds, half.until, below):
                writer.append(entries, until)
                state.save(self._folder)
            return {prefix + name: record for name, record in writer.close().items()}

    def _wants_columns(self) -> bool:
        return self._state.asked.transpose and not self._state.rows.itself

    def _finish(self) -> None:
        state = self._state
        rows, n, iso = state.rows, state.vertices, not self._valued
        across: Literal["itself", "stored", "absent"] = "itself"
        if not rows.itself:
            across = "stored" if state.asked.transpose else "absent"
        if iso:
            with ArrayWriter("target", self._made / "values", np.dtype(bool), 1) as one:
                one.append(np.ones(min(rows.entries, 1), bool))
                state.files["values"] = one.close()
        dtype = "BOOL" if iso else lookup_dtype(state.value_type).name
        header = Header(n, n, rows.entries, dtype, iso, rows.symmetric, across, BLOCK, state.files)
        finish_folder("target", self._made, self._final, header)
        shutil.rmtree(self._folder, ignore_errors=True)
