"""A file as a bounded stream: opened once, read front to back, decompressed on the way."""

from __future__ import annotations

import codecs
import re
import stat
import zlib
from collections.abc import Iterator
from pathlib import Path
from types import TracebackType
from typing import Any, BinaryIO

from spbfs.base.memory import require_bytes
from spbfs.base.progress import progress_bar
from spbfs.base.wording import brief
from spbfs.exceptions import FileError, FileMissing, FormatError, InvalidValue

__all__ = ["LONGEST_LINE", "Source", "Text"]

#: Bytes of text handed to the parser at once.  Large enough that the hand-over costs nothing, small
#: enough that a piece of nothing but newlines, with room for one entry a line, stays under 100 MB.
PIECE = 4 << 20
#: Longest line of a format in which a line is one entry or one comment.
LONGEST_LINE = 1 << 20
#: A gzip file may expand to this much whatever its size, and beyond it to no more than
#: `STEEPEST` times its size.  Text of real graphs shrinks 3 to 20 times; zeros shrink 1000 times.
UNQUESTIONED = 1 << 30
STEEPEST = 200

#: Lines of nothing but blanks, one after another.
_BLANK_LINES = re.compile(rb"(?:[ \t\r\v\f]*\n)+")
_GZIP_MAGIC = b"\x1f\x8b"
_BYTE_ORDER = codecs.BOM_UTF8
_COMPRESSED_PIECE = 1 << 18


class Source:
    """One regular file, plain or gzip, whose content arrives in pieces of the size asked for.

    Parameters
    ----------
    path : Path
        The file.  A name that ends in ``.gz`` is decompressed.
    progress : bool or None
        As `progress_bar`; the bar counts bytes of the file as it lies on disk.
    """

    def __init__(self, path: Path, progress: bool | None = None) -> None:
        self.path = path
        self.name = str(path)
        try:
            kind = path.stat()
            if stat.S_ISDIR(kind.st_mode):
                raise FileError(f"path: {self.name!r} is a directory; expected a file")
            if not stat.S_ISREG(kind.st_mode):
                raise FileError(f"path: {self.name!r} is not a regular file")
            self._file: BinaryIO = open(path, "rb", buffering=0)  # noqa: SIM115
        except FileNotFoundError:
            raise FileMissing(f"path: there is no file {self.name!r}") from None
        except OSError as error:
            raise self._unreadable(error) from None
        except ValueError as error:  # a NUL in the name
            raise InvalidValue(f"path: {self.name!r} is not a file name ({brief(error)})") from None
        self.size = kind.st_size
        self.compressed = path.suffix.lower() == ".gz"
        self._waiting = b""
        self._decoder: Any = None
        self._members = 0
        self._expanded = 0
        self._bar = progress_bar(self.size, "B", f"reading {path.name}", progress)
        if self.size == 0:
            self.close()
            raise self.error("the file is empty")

    def _unreadable(self, error: OSError) -> FileError:
        if isinstance(error, FileError):
            return error
        return FileError(f"path: {self.name!r} cannot be read: {error.strerror or error}")

    def __enter__(self) -> Source:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        at: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        self._file.close()
        if self._bar is not None:
            self._bar.close()

    def error(self, reason: str, line: int | None = None) -> FormatError:
        """The error that says `reason` of this file, at `line` (counted from 1) where known."""
        where = self.name if line is None else f"{self.name}, line {line}"
        return FormatError(f"{where}: {reason}")

    def _raw(self, size: int) -> bytes:
        try:
            data = self._file.read(size) or b""
        except OSError as error:
            raise self._unreadable(error) from None
        if self._bar is not None:
            self._bar.update(len(data))
        return data

    def seek(self, place: int) -> None:
        """Go on at a byte of a file that is not compressed."""
        try:
            self._file.seek(place)
        except OSError as error:
            raise self._unreadable(error) from None

    def read(self, size: int) -> bytes:
        """Between 1 and `size` bytes of content; none at the end of the file."""
        if not self.compressed:
            return self._raw(size)
        while True:
            data = self._inflate(size)
            if data is None:
                return b""
            if data:
                self._expanded += len(data)
                self.check_expansion(self._expanded)
                return data

    def check_expansion(self, size: int) -> None:
        """Refuse the file if it expands to `size` bytes and that is no graph's doing."""
        if size > max(UNQUESTIONED, STEEPEST * self.size):
            raise self.error(f"expands to more than {STEEPEST} times its size; no graph does that")

    def _inflate(self, size: int) -> bytes | None:
        """Some decompressed bytes, perhaps none yet; None after the last member."""
        if not self._waiting:
            self._waiting = self._raw(_COMPRESSED_PIECE)
        if self._decoder is None:
            if self._members:
                # The format allows zeros after a member, to fill a tape block.
                self._waiting = self._waiting.lstrip(b"\0")
            if not self._waiting:
                return b"" if self._file.tell() < self.size and self._members else None
            if not self._members and self._waiting[:2] != _GZIP_MAGIC[: len(self._waiting)]:
                raise self.error("its name ends in .gz, and it is not a gzip file")
            self._decoder = zlib.decompressobj(wbits=31)
        ended = not self._waiting
        try:
            data: bytes = self._decoder.decompress(self._waiting, size)
        except zlib.error as error:
            raise self.error(f"damaged gzip data ({brief(error)})") from None
        if self._decoder.eof:
            self._waiting = self._decoder.unused_data
            self._decoder = None
            self._members += 1
        else:
            self._waiting = self._decoder.unconsumed_tail
            if ended and not data:
                raise self.error("truncated: the gzip data stops before its end")
        return data

    def skip(self, size: int) -> None:
        """Pass over the first `size` bytes of content, which were read before."""
        if not self.compressed:
            self.seek(size)
            return
        while size > 0 and (piece := self.read(min(size, PIECE))):
            size -= len(piece)

    def read_exactly(self, size: int, what: str) -> bytearray:
        """`size` bytes, which are `what`; memory grows with what the file really holds."""
        data = bytearray()
        while len(data) < size:
            piece = self.read(min(size - len(data), PIECE))
            if not piece:
                raise self.error(
                    f"truncated: {len(data):,} bytes of {what}, which should have {size:,}"
                )
            data += piece
            if len(data) % (64 * PIECE) < len(piece):
                require_bytes(min(len(data), size - len(data)), f"reading {self.name}")
        return data

    def read_rest(self) -> bytes:
        """All that is left, as far as memory allows."""
        pieces = []
        while piece := self.read(PIECE):
            pieces.append(piece)
            if len(pieces) % 64 == 0:
                require_bytes(len(pieces) * PIECE, f"reading {self.name}")
        return b"".join(pieces)


class Text:
    """The content of a text file by lines while the header lasts, then by pieces.

    Every piece ends in a newline, or for ``cut="blank"`` in any white space: METIS puts a whole
    neighbourhood in a line, and a line may be as long as the file.
    """

    def __init__(self, source: Source, cut: str = "line") -> None:
        self.source = source
        #: Lines handed out one by one so far, and the bytes of the file before what is left.
        self.line = self.offset = 0
        self._cut = cut
        self._head = b""
        self._at = self._last = 0
        self._pieces = self._split()

    def _split(self) -> Iterator[bytes]:
        rest: list[bytes] = []
        held = 0
        first = True
        lines = 0
        while piece := self.source.read(PIECE):
            if first:
                if piece.startswith(_GZIP_MAGIC):
                    raise self.source.error("holds gzip data; its name should end in .gz")
                if piece.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
                    raise self.source.error("is UTF-16; expected UTF-8, as which it may be saved")
                if piece.startswith(_BYTE_ORDER):
                    piece = piece.removeprefix(_BYTE_ORDER)
                    self.offset = len(_BYTE_ORDER)
                first = False
            end = piece.rfind(b"\n") + 1
            if self._cut == "blank":
                end = max(end, piece.rfind(b" ") + 1, piece.rfind(b"\t") + 1)
            if end:
                ready = b"".join((*rest, piece[:end]))
                lines += ready.count(b"\n")
                yield ready
                rest, held = [], 0
                piece = piece[end:]
            rest.append(piece)
            held += len(piece)
            if held > LONGEST_LINE:
                unit = "a line" if self._cut == "line" else "a number"
                raise self.source.error(f"{unit} is longer than {LONGEST_LINE:,} bytes", lines + 1)
        if held:
            yield b"".join((*rest, b"\n"))

    def next_line(self) -> bytes | None:
        """The next line without its newline, None at the end of the file."""
        while True:
            end = self._head.find(b"\n", self._at)
            if end >= 0:
                return self._taken(end + 1)
            rest = self._head[self._at :]
            more = next(self._pieces, None)
            if more is None:
                return self._taken(len(self._head)) if rest else None
            self._head, self._at = rest + more, 0
            if len(rest) > LONGEST_LINE:
                raise self.source.error(
                    f"a line is longer than {LONGEST_LINE:,} bytes", self.line + 1
                )

    def next_filled(self) -> bytes | None:
        """The next line that has more than blanks; those before it are passed over at once."""
        while True:
            blank = _BLANK_LINES.match(self._head, self._at)
            if blank is not None:
                self.line += self._head.count(b"\n", self._at, blank.end())
                self.offset += blank.end() - self._at
                self._at = blank.end()
            line = self.next_line()
            if line is None or line.strip():
                return line

    def _taken(self, end: int) -> bytes:
        """The line up to there."""
        line = self._head[self._at : end]
        self._last = len(line)
        self._at = end
        self.offset += self._last
        self.line += 1
        return line.rstrip(b"\r\n")

    def push_back(self) -> None:
        """Give back the line that `next_line` returned last."""
        self._at -= self._last
        self.offset -= self._last
        self.line -= 1

    def pieces(self) -> Iterator[bytes]:
        """What is left, in order; use it once."""
        if self._at < len(self._head):
            yield self._head[self._at :]
        self._head, self._at = b"", 0
        yield from self._pieces
