"""Stands in for the conftest of python-graphblas's tests, which starts SuiteSparse."""

import contextlib

import graphblas as gb

pypy = False
orig_binaryops = set(dir(gb.binary))
orig_semirings = set(dir(gb.semiring))


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
