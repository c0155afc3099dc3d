"""Every test of this folder runs on every engine present; an absent one is skipped by name."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from spbfs.engines import get_engine
from spbfs.exceptions import BackendUnavailable
from spbfs.planner import search_cpu as planner_search

if TYPE_CHECKING:
    from collections.abc import Iterator

    from spbfs.engines.protocol import Engine


@pytest.fixture(scope="session", params=["reference", "cpu", "cuda"])
def device(request: pytest.FixtureRequest) -> str:
    """The device string of an engine that can run here."""
    name: str = request.param
    try:
        get_engine(name)
    except (BackendUnavailable, ModuleNotFoundError) as error:
        pytest.skip(str(error))
    return name


@pytest.fixture(scope="session")
def engine(device: str) -> Engine:
    """The engine itself, for tests at the level of the protocol."""
    return get_engine(device)


@pytest.fixture
def configured(device: str) -> Iterator[None]:
    """NetworkX's calls with ``backend="spbfs"`` run on the device; that conversions are kept is no
    news."""
    nx = pytest.importorskip("networkx")
    with nx.config(warnings_to_ignore={"cache"}), nx.config.backends.spbfs(device=device):
        yield


@pytest.fixture(scope="module")
def short_lists() -> Iterator[None]:
    """Lists of small graphs overflow as those of large ones do: levels are then bitmaps, which
    several threads push."""
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(planner_search, "SHORT_LIST", 0)
        yield
