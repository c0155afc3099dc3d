"""Where batches of sources are searched: here, on several devices by threads, or on a cluster.

Whoever loops over batches says what is to be made of one, a `Work`, and asks `results` for all of
them; `choice` finds the `Workers` that a call names, `here`, `devices` or `cluster` have replicas
of the matrix and hand out batches.
"""

from spbfs.algorithms.workers.choice import elsewhere, workers_for
from spbfs.algorithms.workers.here import Here
from spbfs.algorithms.workers.protocol import Work, Workers, results
from spbfs.algorithms.workers.sums import Summing, sum_over_sources

__all__ = [
    "Here",
    "Summing",
    "Work",
    "Workers",
    "elsewhere",
    "results",
    "sum_over_sources",
    "workers_for",
]
