"""Every test of this folder runs on every engine present; an absent one is skipped by name."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from spbfs.engines import get_engine
from spbfs.exceptions import BackendUnavailable

if TYPE_CHECKING:
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
