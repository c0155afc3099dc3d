"""The array engine: all of the protocol but the products, written once over an array module.

A room imports from those before it only.  ``patterns`` knows where entries are, ``values`` what
they are worth; ``vectors`` and ``matrices`` have each their elements two by two (``elements``),
their masks (``masks``), where results end up (``output``) and regions (``assign``), and what need
not be made anew: ``vectors.in_place``, ``matrices.edits``; ``matrices.packed`` does on bits what it
can.  ``structure`` builds, moves and multiplies out.  All of these are functions of an engine;
``engine`` is the class that ties them up.
"""
