"""Unary operators: functions of one stored value.

Attributes are operators by name; ``register_new(name, ...)`` and ``register_anonymous(...)`` make
operators from plain Python expressions, ``from_string`` looks one up.
"""

from spbfs.core.operators.lookup import namespace_exports as _exports

globals().update(_exports("unary"))
