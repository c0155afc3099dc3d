"""The array engine: all of the protocol but the products, written once over an array module.

``values`` evaluates operators (``elementwise``) on values; ``sets`` combines sorted keys;
``forms`` converts vectors; ``vectors`` and ``matrices`` map entries to entries; ``vector_output``,
``vector_assign`` and ``matrix_output`` write them under masks; ``reductions``, ``structure`` and
``build`` (with ``layout``) do the rest; ``engine`` ties them up.
"""

from spbfs.engines.arrays.engine import ArrayEngine

__all__ = ["ArrayEngine"]
