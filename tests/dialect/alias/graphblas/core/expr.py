"""Outputs that wait for what is written."""

# ruff: noqa: F401

from spbfs.objects.statement import Updater
