"""Masks: four classes there, one here."""

# ruff: noqa: F403

from spbfs.objects.mask import *
