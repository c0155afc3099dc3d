"""What symbols between operands make."""

# ruff: noqa: F403

from spbfs.objects.infix_expressions import *
