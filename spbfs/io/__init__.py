"""Graphs and matrices in files, and as other libraries hold them.

`read` and `write` are for files of any format, by extension, with or without ``.gz``; the others
bear python-graphblas's names.  `on_disk` has `convert` and `open_csr`, `rates` the files that say
what searches cost, `slices` what one of several processes reads.  Below them are

- `formats`: a format a module: entries in, CSR out; `registry` knows them by their extensions;
- `files`: one file: read as a stranger's, within bounds, and written whole or not at all;
- `mapped`: graphs that stay on the disk: CSR folders, and files of others that can be mapped;
- `conversion`: lists of edges larger than memory, sorted on the disk into a CSR folder;
- `libraries`: matrices and vectors as other libraries hold them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, overload

from spbfs.base.public import listed
from spbfs.base.wording import brief
from spbfs.exceptions import DomainMismatch, InvalidValue
from spbfs.io.libraries.awkward_arrays import from_awkward, to_awkward
from spbfs.io.libraries.matrix_market_engines import mmread, mmwrite
from spbfs.io.libraries.networkx_graphs import from_networkx, to_networkx
from spbfs.io.libraries.pydata_arrays import from_pydata_sparse, to_pydata_sparse
from spbfs.io.libraries.scipy_arrays import from_scipy_sparse, to_scipy_sparse
from spbfs.io.on_disk import convert, open_csr

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np

    from spbfs.objects.matrix import Matrix

__all__ = [
    "convert",
    "from_awkward",
    "from_networkx",
    "from_pydata_sparse",
    "from_scipy_sparse",
    "mmread",
    "mmwrite",
    "open_csr",
    "read",
    "to_awkward",
    "to_networkx",
    "to_pydata_sparse",
    "to_scipy_sparse",
    "write",
]


@overload
def read(
    path: Any,
    *,
    directed: bool = ...,
    one_based: bool | None = ...,
    weights: bool | None = ...,
    dtype: Any = ...,
    compact: Literal[False] = ...,
    mmap: bool = ...,
    columns: Sequence[str] | None = ...,
    progress: bool | None = ...,
) -> Matrix: ...


@overload
def read(
    path: Any,
    *,
    directed: bool = ...,
    one_based: bool | None = ...,
    weights: bool | None = ...,
    dtype: Any = ...,
    compact: Literal[True],
    mmap: bool = ...,
    columns: Sequence[str] | None = ...,
    progress: bool | None = ...,
) -> tuple[Matrix, np.ndarray[Any, Any]]: ...


def read(
    path: Any,
    *,
    directed: bool = True,
    one_based: bool | None = None,
    weights: bool | None = None,
    dtype: Any = None,
    compact: bool = False,
    mmap: bool = False,
    columns: Sequence[str] | None = None,
    progress: bool | None = None,
) -> Any:
    """Read a graph or a matrix from a file.

    ================  ============================================================  ========
    extension         format                                                        ids from
    ================  ============================================================  ========
    .mtx              Matrix Market, coordinate or array, any symmetry              1
    .txt .el .edges   SNAP edge list, ``source target [weight]``, # % comments      0
    .wel              edge list in which every edge has a weight                    0
    .csv .tsv         a header naming source, target and perhaps weight; a CSV may  0
                      have ``;`` between its fields in the place of ``,``
    .parquet          columns of such names, by pyarrow                             0
    .gr               DIMACS shortest paths, ``a u v weight``                       1
    .graph            METIS, a line of neighbours for each vertex                   1
    .npz              `scipy.sparse.save_npz`                                       0
    .sg .wsg          serialized graph of the GAP benchmark suite                   0
    .csr              a CSR folder of ours, which can stay on the disk: `open_csr`  0
    ================  ============================================================  ========

    Each file but Parquet may be compressed, ``.gz`` following the extension.  Self-loops are kept.
    Of several entries in one place a graph format keeps the least weight, as the GAP suite does;
    Matrix Market and ``.npz`` add them up, as SciPy does.  The vertices of an edge list or CSV are
    0 to the greatest id, or as many as a SNAP comment ``# Nodes: N`` says if those are more.  Where
    a file says how many rows there are, they may be far more than its entries; ids alone that are
    so far off are refused.

    Parameters
    ----------
    path : str or os.PathLike
        The file.
    directed : bool, default True
        True stores what the file lists.  False makes each line an undirected edge: its mirror
        image is stored too.  (Files that list both directions, and Matrix Market files with a
        symmetric header, need nothing.)
    one_based : bool, optional
        For edge lists and CSV only: whether ids count from 1.  Not by default.
    weights : bool, optional
        True insists on weights, False passes over them; by default they are read where the file
        has them.  In an edge list of more than three columns, True takes the third.
    dtype : dtype, optional
        What the values become; ``INT64`` or ``FP64`` by default, as the file has them (``.npz``
        keeps its own), and ``BOOL`` without weights.
    compact : bool, default False
        Number the vertices that occur in an entry 0, 1, 2, ... in the order of their ids.  For ids
        that are hashes or have gaps: a matrix has a row for every number up to the greatest.
    mmap : bool, default False
        Leave the arrays on the disk, as `open_csr` does: for graphs larger than memory.  Of a CSR
        folder, which `convert` makes of a list of edges and `write` of what was read; of a ``.sg``,
        and of a ``.npz`` of a CSR matrix that is not compressed.  These two have their arrays at
        odd bytes: breadth-first searches go part by part, what needs an array whole copies it to
        memory, and a ``.npz`` has no second half to pull by.  That a ``.sg`` without directions is
        symmetric is its word, and rows have to rise.  The options that change what is stored do not
        go with it.
    columns : (str, str) or (str, str, str), optional
        For CSV and Parquet only: the columns of sources, targets and, if there is a third, weights.
        By default those with names that say so (``source``, ``from``, ``u``, ..., ``target``,
        ``to``, ``v``, ..., ``weight``); of two or three columns whose names do not, by their order.
    progress : bool, optional
        Whether to show a progress bar on standard error; by default only if that is a terminal
        and the file takes more than a second.

    Returns
    -------
    Matrix
        ``BOOL`` with one shared value where there are no weights.  Where a CSV below its header, or
        Parquet, has names in the place of numbers the matrix has them as its `labels`.
    labels : numpy.ndarray
        With ``compact=True`` only: ``labels[i]`` is the id, or name, that the file gives to vertex
        ``i``.

    Raises
    ------
    FormatError
        The file is malformed, truncated or contradicts itself; the message names file, line where
        known, and reason.
    OutOfMemory
        The matrix does not fit; the message says how much it needs and how much there is.
    FileMissing, FileError
        There is no such file, or it cannot be read.
    InvalidValue, DomainMismatch
        An extension, option or dtype that the file cannot go with.

    Examples
    --------
    >>> import spbfs, tempfile, pathlib
    >>> path = pathlib.Path(tempfile.mkdtemp()) / "triangle.txt"
    >>> _ = path.write_text("# a comment\\n0 1\\n1 2\\n2 0\\n")
    >>> A = spbfs.read(path)
    >>> A.nrows, A.nvals, A.dtype
    (3, 3, BOOL)
    """
    from spbfs.io.arguments import flag_of, path_of
    from spbfs.io.formats.entries import ReadOptions
    from spbfs.io.formats.registry import is_csr_folder, is_parquet, load
    from spbfs.objects.labels import Labels
    from spbfs.objects.matrix import Matrix

    A: Matrix
    options = ReadOptions(
        directed=flag_of("directed", directed),
        one_based=None if one_based is None else flag_of("one_based", one_based),
        weights=None if weights is None else flag_of("weights", weights),
        dtype=dtype,
        compact=flag_of("compact", compact),
        columns=_columns(columns),
    )
    if flag_of("mmap", mmap):
        from spbfs.io.mapped.other_formats import map_graph

        return Matrix._from_data(map_graph(path_of(path), options))
    if is_parquet(path):
        from spbfs.io.formats.parquet import read_parquet

        A = read_parquet(path_of(path), options)
        ids: Any = A.labels
    elif is_csr_folder(path):
        from spbfs.io.mapped.csr_folder import read_folder

        data, ids = read_folder(path_of(path), options)
        A = Matrix._from_data(data)
    else:
        data, ids = load(path, options, progress)
        A = Matrix._from_data(data)
    if not compact:
        A.labels = ids
        return A
    A.labels = None  # numbers are what the caller wants
    return A, ids.names(range(A.nrows)) if isinstance(ids, Labels) else ids


def write(path: Any, A: Any, *, progress: bool | None = None) -> None:
    """Write a matrix to a file, in the format of its extension (see `read`).

    What is read back equals what was written; integers of any width come back as ``INT64`` and
    reals as ``FP64`` except from ``.npz`` and ``.csr``.  A format that cannot hold the matrix is
    refused.  The file appears, or replaces an older one, only when it is complete.  A CSR folder
    (``.csr``) has the transpose beside the matrix where it differs.
    Names of vertices go into CSV and Parquet; the other formats have none.

    Parameters
    ----------
    path : str or os.PathLike
        The file.
    A : Matrix or SciPy sparse array
        What to write.
    progress : bool, optional
        As for `read`.

    Raises
    ------
    DimensionMismatch, DomainMismatch, InvalidValue
        The format cannot hold `A`: not square, not symmetric (METIS), no weights (``.gr``,
        ``.wel``, ``.wsg``) or weights of another kind, NaN in a text format, trailing vertices
        without edges (CSV, Parquet), far fewer edges than vertices (CSV), names that are no text.
        The message says which.
    FileError, FileMissing
        The file cannot be written.

    Examples
    --------
    >>> import spbfs, tempfile, pathlib
    >>> path = pathlib.Path(tempfile.mkdtemp()) / "edge.mtx.gz"
    >>> A = spbfs.Matrix.from_coo([0], [1], 2.5, nrows=2, ncols=3)
    >>> spbfs.write(path, A)
    >>> spbfs.read(path).isequal(A)
    True
    """
    from spbfs.io.arguments import path_of
    from spbfs.io.formats.registry import is_csr_folder, is_csv, is_parquet, store
    from spbfs.objects.constructors.scipy_arrays import is_sparse
    from spbfs.objects.display.makers import kind_of
    from spbfs.objects.matrix import Matrix
    from spbfs.objects.operands.matrix_operand import MatrixOperand

    if is_sparse(A):
        A = Matrix.from_scipy(A, dup_op="plus")
    elif not isinstance(A, MatrixOperand):
        raise DomainMismatch(f"A: expected a Matrix or a SciPy sparse array, got {kind_of(A)}")
    if not isinstance(A, Matrix):
        A = A.new()
    if A.device == "cuda":
        A = A.to("cpu")
    if is_parquet(path):
        from spbfs.io.formats.parquet import write_parquet

        write_parquet(path_of(path), A)
        return
    if is_csr_folder(path):
        from spbfs.io.mapped.csr_writer import write_csr

        write_csr(path_of(path), A._ready())
        return
    if A.labels is not None and is_csv(path):
        from spbfs.io.formats.named_edges import write_named

        write_named(path_of(path), A, progress)
        return
    store(path, A._ready(), progress)


def _columns(columns: Any) -> tuple[str, ...] | None:
    if columns is None:
        return None
    named = tuple(columns) if isinstance(columns, list | tuple) else ()
    texts = all(isinstance(name, str) for name in named)
    if not texts or len(named) not in (2, 3) or len(set(named)) < len(named):
        raise InvalidValue(
            f"columns: {brief(columns)}; expected two names of columns, or three with the weight's"
        )
    return named


listed(__name__)
