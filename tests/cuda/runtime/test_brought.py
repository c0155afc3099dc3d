"""Machine code compiled ahead runs, and what the driver refuses is compiled when it is used."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from gpu import cp

from spbfs.engines.cuda.ahead import nvrtc
from spbfs.engines.cuda.ahead.__main__ import compile_ahead, machine
from spbfs.engines.cuda.runtime import cubins
from spbfs.engines.cuda.runtime.device import limits
from spbfs.engines.cuda.specialisations import specialisations

if not machine().capabilities:
    pytest.skip("the emulator runs no machine code", allow_module_level=True)

COUNT = next(s for s in specialisations() if s.kernels == ("count_reached<int>",))


@pytest.fixture
def folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Path]:
    """For this GPU, with one module."""
    monkeypatch.setattr(cubins, "cubins_path", lambda: tmp_path)
    arch = limits().capability
    assert arch in machine().capabilities
    folder = tmp_path / f"sm_{arch}"
    library = nvrtc.library_for(arch, [r for r in nvrtc.LATEST if r <= machine().release])
    assert compile_ahead(folder, arch, library, {COUNT.stem})
    _forget()
    yield folder
    _forget()


def _forget() -> None:
    cubins._folder.cache_clear()
    cubins._kept.cache_clear()


def test_it_runs(folder: Path) -> None:
    found = cubins.find(COUNT)
    assert found is not None
    levels, indptr = cp.asarray([2, -1, 0], np.int32), cp.asarray([0, 3, 5, 9], np.int32)
    totals = cp.zeros(4, np.int64)
    found.get_function(COUNT.kernels[0])((1,), (256,), (levels, indptr, np.int64(3), totals))
    assert totals.tolist()[:2] == [2, 7]


@pytest.mark.parametrize("damaged", [b"", b"\x7fELF", b"not machine code" * 100])
def test_what_the_driver_refuses(damaged: bytes, folder: Path) -> None:
    cubins.file_of(folder, COUNT).write_bytes(damaged)
    assert cubins.find(COUNT) is None
