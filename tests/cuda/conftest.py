"""Puts the helpers of this folder (`gpu`, `search_graphs`) on the path of every room below it."""

from collections.abc import Iterator

import pytest


@pytest.fixture
def several_gpus() -> Iterator[None]:
    from peer_gpus import searching_together  # it skips where there is no GPU

    with searching_together():
        yield
