"""Every test of this folder runs on every engine present; an absent one is skipped by name."""

from __future__ import annotations

import importlib
from typing import Any

import pytest

ENGINES = {
    "reference": ("spbfs.backends.reference", "ReferenceBackend"),
    "cpu": ("spbfs.backends.cpu", "CpuBackend"),
    "cuda": ("spbfs.backends.cuda", "CudaBackend"),
}


def _gpu_missing() -> str | None:
    try:
        import cupy

        cupy.cuda.runtime.getDeviceCount()
    except Exception as error:
        return f"no usable GPU: {type(error).__name__}"
    return None


@pytest.fixture(scope="session", params=list(ENGINES))
def device(request: pytest.FixtureRequest) -> str:
    """The device string of an engine that can run here."""
    name: str = request.param
    if name == "cuda":
        reason = _gpu_missing()
        if reason is not None:
            pytest.skip(reason)
    module, _ = ENGINES[name]
    if importlib.util.find_spec(module) is None:
        pytest.skip(f"this version has no {name} engine")
    return name


@pytest.fixture(scope="session")
def engine(device: str) -> Any:
    """The engine itself, for tests at the level of the protocol."""
    module, cls = ENGINES[device]
    return getattr(importlib.import_module(module), cls)()
