"""The array engine: all of the protocol but the products, written once over an array module.

``values`` evaluates operators (``elementwise``) on values; ``sets`` combines sorted keys;
``forms`` converts vectors; ``vectors`` and ``matrices`` map entries to entries; ``vector_output``
and ``matrix_output`` write them under masks (``vector_masks``, ``matrix_masks``), the ``_assign``
modules into regions, ``in_place`` what need not be made anew; ``reductions``, ``structure`` and
``build`` (with ``layout``) do the rest; ``packed`` does on bits what it can; ``expand`` spells
products out.  All of these are functions of an engine; ``engine`` is the class that ties them up.
"""
