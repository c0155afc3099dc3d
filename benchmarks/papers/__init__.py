"""The papers' tables and figures from live runs: ``python -m benchmarks papers``."""
