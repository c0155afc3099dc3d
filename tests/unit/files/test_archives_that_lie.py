"""Archives of arrays from strangers: parts that are missing, lie or do not fit one another."""

from __future__ import annotations

import io
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import scipy.sparse
from io_cases import npz_bytes, read, read_text

from spbfs.exceptions import DomainMismatch, FormatError
from spbfs.io.files import source


def archive(**arrays: bytes) -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as target:
        for name, data in arrays.items():
            target.writestr(f"{name}.npy", data)
    return stream.getvalue()


def npy(array: Any) -> bytes:
    stream = io.BytesIO()
    np.save(stream, array, allow_pickle=True)
    return stream.getvalue()


def csr_parts(**changed: Any) -> bytes:
    parts: dict[str, Any] = {
        "format": np.array(b"csr"),
        "shape": np.array([2, 2]),
        "data": np.ones(2),
        "indices": np.array([0, 1], np.int32),
        "indptr": np.array([0, 1, 2], np.int32),
    }
    parts |= changed
    return archive(
        **{k: v if isinstance(v, bytes) else npy(v) for k, v in parts.items() if v is not None}
    )


def lying_header() -> bytes:
    return npy(np.ones(2)).replace(b"(2,)", b"(99999999999,)".ljust(4))[: len(npy(np.ones(2)))]


def shaped(shape: bytes) -> bytes:
    """Two numbers, with a header that writes their shape so."""
    made = npy(np.ones(2))
    changed = made.replace(b"(2,), }" + (len(shape) - 4) * b" ", shape + b", }")
    assert changed != made and len(changed) == len(made)
    return changed


@pytest.mark.parametrize(
    ("changed", "reason"),
    [
        ({"format": None}, "no array 'format'"),
        ({"format": np.array(b"xyz")}, "'xyz' is none of"),
        ({"format": np.array([1])}, "not a word"),
        ({"format": np.array(b"coo")}, "no array 'row'"),
        ({"shape": np.array([2])}, "not two counts"),
        ({"shape": np.array([2, -2])}, "not two counts"),
        ({"shape": np.array([2.0, 2.0])}, "not two counts"),
        ({"shape": np.array([2, 2**60 + 1])}, r"expected at most 2\*\*60"),
        ({"shape": np.array([3, 2])}, "do not make a matrix of 3 rows"),
        ({"shape": np.array([2, 1])}, "column 1 is not one of the 1"),
        ({"indices": np.array([0, -1])}, "column -1"),
        ({"indices": np.array([0.0, 1.0])}, "not a list of integers"),
        ({"indices": np.array([[0, 1]])}, "not a list of integers"),
        ({"indptr": np.array([0, 2, 1])}, "does not rise"),
        ({"indptr": np.array([0, 9, 2])}, "does not rise"),
        ({"indptr": np.array([1, 1, 2])}, "does not rise"),
        ({"indptr": np.array([0, 2**63, 2], np.uint64)}, "does not rise"),
        ({"data": np.ones((2, 1))}, "do not make"),
        ({"data": np.array([{}, {}])}, "not one of numbers"),
        ({"data": np.zeros(2, [("a", int)])}, "not one of numbers"),
        ({"data": b"junk"}, "does not start like"),
        ({"data": npy(np.ones(2))[:-1]}, "promises 16 bytes and holds 15"),
        ({"data": npy(np.ones(2)) + b"x"}, "promises 16 bytes and holds 17"),
        ({"data": lying_header()}, "array 'data'"),
        ({"data": shaped(b"(0 2,)")}, "not one of numbers, or damaged"),
        ({"data": shaped(b"(2 2)")}, "not one of numbers, or damaged"),
        # Split into numbers in every way, so many digits would take years.
        ({"data": shaped(b"(" + 40 * b"1" + b"x)")}, "not one of numbers, or damaged"),
        ({"data": shaped(b"(" + 40 * b"1" + b",)")}, "not one of numbers, or damaged"),
    ],
)
def test_npz_that_lies(tmp_path: Path, changed: dict[str, Any], reason: str) -> None:
    with pytest.raises(FormatError, match=reason):
        read_text(tmp_path, "a.npz", csr_parts(**changed))


@pytest.mark.parametrize("layout", ["csc", "bsr", "coo", "dia"])
def test_other_npz_layouts_with_indices_out_of_range(tmp_path: Path, layout: str) -> None:
    parts = {
        "csc": {"indices": [0, 7], "indptr": [0, 1, 2], "data": [1.0, 1.0]},
        "bsr": {"indices": [0, 7], "indptr": [0, 1, 2], "data": [[[1.0]], [[1.0]]]},
        "coo": {"row": [0, 7], "col": [0, 1], "data": [1.0, 1.0]},
        "dia": {"offsets": [0, 0], "data": [[1.0, 1.0], [1.0, 1.0]]},
    }[layout]
    data = archive(
        format=npy(np.array(layout.encode())),
        shape=npy(np.array([2, 2])),
        **{k: npy(np.array(v)) for k, v in parts.items()},
    )
    with pytest.raises(FormatError, match=f"not a {layout} matrix of 2 x 2"):
        read_text(tmp_path, "a.npz", data)


def test_npz_of_values_without_a_dtype(tmp_path: Path) -> None:
    data = npz_bytes(scipy.sparse.csr_array(np.array([[0, 1j]])))
    with pytest.raises(DomainMismatch, match="complex128"):
        read_text(tmp_path, "a.npz", data)
    assert read_text(tmp_path, "a.npz", data, weights=False).nvals == 1


def test_npz_bomb(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(source, "UNQUESTIONED", 1 << 24)
    with pytest.raises(FormatError, match="expands to more than 200 times"):
        read_text(tmp_path, "a.npz", csr_parts(data=np.zeros(1 << 22)))


def test_messages_do_not_quote_the_file(tmp_path: Path) -> None:
    stream = io.BytesIO()
    scipy.sparse.save_npz(stream, scipy.sparse.random_array((99, 99), density=0.5))
    content = bytearray(stream.getvalue())
    # The length of the first member's name: zipfile's message has all that it then takes for it.
    content[26:28] = b"\xff\x7f"
    path = tmp_path / "a.npz"
    path.write_bytes(content)
    with pytest.raises(FormatError, match="not a readable") as caught:
        read(path)
    assert len(str(caught.value)) < len(str(path)) + 300
