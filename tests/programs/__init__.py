"""Programs that take every operation to every type, mask and accumulator, run here and there.

``python -m tests.programs 1000`` writes a thousand, runs them in python-graphblas and on the
engines, and prints how often each cell of the table came up.
"""
