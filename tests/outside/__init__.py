"""Tests that other packages bring, run over spbfs: ``python -m tests.outside NAME``."""
