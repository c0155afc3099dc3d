"""What searches cost on this machine, measured: the paper's training set, two models, one file.

Zhang et al.: An adaptive breadth-first search algorithm on integrated architectures (2018).
"""

from __future__ import annotations

from spbfs.calibration.rates import calibrate

__all__ = ["calibrate"]
