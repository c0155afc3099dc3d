"""What graphs as small as tests' never see on a GPU, forced."""

from __future__ import annotations

from typing import Any

import pytest

from spbfs.engines.bfs import DIRECTIONS


def force_direction(monkeypatch: pytest.MonkeyPatch, direction: str) -> None:
    """All fused searches on CUDA go this way, those too of which a loop's steps are made."""
    from spbfs.engines.cuda.bfs.fused import FusedBFS, Tuning
    from spbfs.engines.cuda.searches import device as searches

    launch = FusedBFS.launch

    def directed(self: FusedBFS, *given: Any, **named: Any) -> None:
        launch(self, *given[:6], DIRECTIONS.index(direction), *given[7:], **named)

    # No levels by one CTA or the cluster tier, which push.
    tuning = Tuning(cta_enter=0, cluster_enter=0)
    monkeypatch.setattr(searches, "fused_tuning", lambda: tuning)
    monkeypatch.setattr(FusedBFS, "launch", directed)
