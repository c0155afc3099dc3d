"""Types."""

# ruff: noqa: F401, F403

from spbfs.operators.dtypes import *
from spbfs.operators.dtypes import _INDEX
