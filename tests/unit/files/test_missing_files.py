"""Files that are not there: what the error says of those that have the name."""

from __future__ import annotations

from pathlib import Path

import pytest
from io_cases import put, read

import spbfs as sb
from spbfs.exceptions import FileMissing, InvalidValue


def test_a_name_without_an_extension(tmp_path: Path) -> None:
    with pytest.raises(FileMissing, match=r"there is no file '.*people'$"):
        read(tmp_path / "people")
    put(tmp_path, "people.csv", "source,target\n0,1\n")
    with pytest.raises(FileMissing, match=r"people'; there is 'people\.csv'$"):
        read(tmp_path / "people")
    put(tmp_path, "people.mtx.gz", "")
    with pytest.raises(FileMissing, match=r"there are people\.mtx\.gz, people\.csv$"):
        read(tmp_path / "people")
    put(tmp_path, "people", "0 1\n")
    with pytest.raises(InvalidValue, match=r"people' has no extension.*expected one of \.mtx"):
        read(tmp_path / "people")


def test_no_name_is_not_the_folder_of_the_process() -> None:
    for name in ("", b""):
        for call in (sb.read, sb.io.open_csr, lambda path: sb.write(path, sb.generate.path(3))):
            with pytest.raises(InvalidValue, match=r"(path|folder): b?'' is not a file name"):
                call(name)
