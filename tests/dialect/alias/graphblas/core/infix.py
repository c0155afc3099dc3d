"""What symbols between operands make."""

# ruff: noqa: F403

from spbfs.objects.operands.infix_expressions import *
