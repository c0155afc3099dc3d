"""Stands in for the conftest of python-graphblas's tests, which starts SuiteSparse."""

import contextlib

import graphblas as gb

pypy = False
orig_binaryops = {name for name in dir(gb.binary) if hasattr(getattr(gb.binary, name), "kind")}
orig_semirings = {name for name in dir(gb.semiring) if hasattr(getattr(gb.semiring, name), "kind")}


def autocompute(func):
    """Nothing to switch on: an expression of spbfs is computed when it is read."""
    return func


def compute(x):
    return x


def shouldhave(module, opname):
    return True


@contextlib.contextmanager
def burble():
    yield
