"""What the tests import of the wrapper's helpers."""

_NP2 = True
#: A file of theirs imports it; its own test is left out (`INTERNAL` of the suite).
ensure_type = None
