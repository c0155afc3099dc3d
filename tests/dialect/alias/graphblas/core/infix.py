"""What symbols between operands make."""

# ruff: noqa: F403

from spbfs.objects.symbols.infix_expressions import *
