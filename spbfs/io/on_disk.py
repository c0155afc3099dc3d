"""Graphs larger than memory: folders that are mapped, and made of lists of edges."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from spbfs.base.wording import brief
from spbfs.exceptions import InvalidValue

if TYPE_CHECKING:
    from spbfs.objects.matrix import Matrix

__all__ = ["convert", "open_csr"]


def open_csr(folder: Any, *, verify: bool = False) -> Matrix:
    """A graph in a CSR folder, which stays where it is: for graphs larger than memory.

    Opening reads the header and maps the arrays, whatever their size.  A folder may come from
    anybody.  Its header is checked now, against its own checksum and the lengths of the files; an
    array when something first asks for it, once, in a pass that holds a few blocks at a time: its
    checksums, that offsets rise, that columns are in range and rise in every row.  A breadth-first
    search over parts of the edges, which is how one that exceeds memory is searched, does so with
    the offsets alone, and looks at every column before it follows it: checksums of columns, and
    whether the halves agree, are then for ``verify=True``.

    Parameters
    ----------
    folder : str or os.PathLike
        What `convert` or `write` has made, ``graph.csr`` say.
    verify : bool, optional
        Check everything now, also that the second half is the transpose of the first.

    Returns
    -------
    Matrix
        On the CPU.  Everything that reads a matrix reads this one; it is never written, what
        changes the Matrix makes arrays in memory, and `nbytes` counts what is in memory only.
        Searches, `bfs_many` and products copy no edges: pulls are by the folder's second half, and
        without one they are refused.  The files must stay as they are while the matrix is there:
        what is called after somebody has written to them is refused, and what is under way then may
        find anything, or not end.

    Raises
    ------
    FormatError
        The folder is damaged, or is something else; now, or when an array is first asked for.
    FileMissing, FileError
        There is no such folder, or a file of it cannot be read, loses pages in use or is written
        to.

    See Also
    --------
    convert : Makes a folder of a list of edges that may be larger than memory.

    Examples
    --------
    >>> import spbfs as sb, tempfile, pathlib
    >>> folder = pathlib.Path(tempfile.mkdtemp()) / "path.csr"
    >>> sb.write(folder, sb.generate.path(6))
    >>> A = sb.open_csr(folder)
    >>> sb.bfs(A, 0).depth, A.nvals
    (5, 10)
    """
    from spbfs.io.arguments import flag_of, path_of
    from spbfs.io.mapped.csr_folder import map_folder, verify_folder
    from spbfs.objects.matrix import Matrix

    verified = flag_of("verify", verify)
    data = map_folder(path_of(folder, "folder"))
    if verified:
        verify_folder(data)
    made: Matrix = Matrix._from_data(data)
    return made


def convert(
    source: Any,
    target: Any,
    *,
    memory: int | None = None,
    directed: bool = True,
    one_based: bool | None = None,
    weights: bool | None = None,
    transpose: bool = True,
    progress: bool | None = None,
) -> None:
    """Make a CSR folder of a list of edges, which may be larger than memory.

    Entries are sorted in files beside the folder (`target` with ``.partial`` behind it): what fits
    into memory at a time, 8 bytes an entry on the disk or 16 with a weight, which are merged into
    the folder.  The folder has its name only when it is complete.  A call that was stopped, killed
    too, goes on where it was when the same is called again; of a file that is compressed it
    decompresses what it has read before.  Of several entries in one place the least weight stays,
    as `read` has it.

    Parameters
    ----------
    source : str or os.PathLike
        An edge list or CSV of numbers up to 2^32 - 1, with ``.gz`` behind its extension or not:
        ``.txt .el .edges .wel .csv .tsv``.
    target : str or os.PathLike
        The folder, ``graph.csr`` say; an older one is replaced.
    memory : int, optional
        Bytes to work in, 2^27 or more; half of those that are free by default.
    directed, one_based, weights : optional
        As for `read`.
    transpose : bool, optional
        Whether the folder has the graph by columns, too, where that is not the same: pulls and
        backward searches need it.
    progress : bool, optional
        As for `read`, of the lines.

    Raises
    ------
    FormatError
        The list is malformed; the message names file and line.
    InvalidValue
        An argument is not as described, or what is beside the folder is of another conversion.
    FileError, FileMissing, FileBusy
        A file cannot be read or written, the disk is full, or another call writes the folder.

    See Also
    --------
    write : Makes a folder of a matrix in memory.

    Examples
    --------
    >>> import spbfs as sb, tempfile, pathlib
    >>> folder = pathlib.Path(tempfile.mkdtemp())
    >>> _ = (folder / "edges.txt").write_text("0 1\\n1 2\\n2 0\\n")
    >>> sb.convert(folder / "edges.txt", folder / "graph.csr")
    >>> sb.bfs(sb.open_csr(folder / "graph.csr"), 1).levels.to_dense().tolist()
    [2, 0, 1]
    """
    from spbfs.base.memory import available_bytes
    from spbfs.io.arguments import flag_of, path_of
    from spbfs.io.conversion.edge_lists import LEAST_MEMORY, convert_edges
    from spbfs.io.formats.entries import ReadOptions
    from spbfs.io.formats.registry import is_csr_folder, is_edge_list

    options = ReadOptions(
        directed=flag_of("directed", directed),
        one_based=None if one_based is None else flag_of("one_based", one_based),
        weights=None if weights is None else flag_of("weights", weights),
    )
    both_ways = flag_of("transpose", transpose)
    lines, folder = path_of(source, "source"), path_of(target, "target")
    if not is_edge_list(lines):
        raise InvalidValue(
            f"source: {str(lines)!r} is no list of edges by its extension; expected one,"
            " or what read takes, and write what was read"
        )
    if not is_csr_folder(folder):
        raise InvalidValue(f"target: {str(folder)!r} does not end in .csr")
    free = available_bytes()
    room = max(free // 2, LEAST_MEMORY) if memory is None else memory
    if type(room) is not int or room < LEAST_MEMORY:
        raise InvalidValue(f"memory: {brief(memory)}; expected {LEAST_MEMORY:,} bytes or more")
    # More than there is means what there is.
    convert_edges(lines, folder, options, both_ways, max(min(room, free), LEAST_MEMORY), progress)
