"""Breadth-first searches from many sources at once; the rooms that a call passes, in order:

`arguments` are checked, `prepare` finds the engine's searches, what memory allows and the outputs
to fill, `batches` cuts the sources (`grouping` says which share a batch), `searches` runs every
batch, `outputs` collects what it found: a folder, with a file for each kind of output.
"""

from spbfs.algorithms.bfs_many.levels import levels_many
from spbfs.algorithms.bfs_many.result import BFSManyResult
from spbfs.algorithms.bfs_many.search import bfs_many

__all__ = ["BFSManyResult", "bfs_many", "levels_many"]
