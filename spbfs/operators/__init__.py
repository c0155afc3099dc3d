"""Types and operators: what is computed, whatever it is computed on.  They know no operand."""
