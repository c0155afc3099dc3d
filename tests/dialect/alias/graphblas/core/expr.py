"""Outputs that wait for what is written."""

# ruff: noqa: F401

from spbfs.objects.assignment.statement import Updater
