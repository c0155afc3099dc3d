"""Types and operators: what is computed, whatever it is computed on.  They know no operand.

From below,

- `dtypes`, `casts`, `rules`: the types, how values become others, and what operators make of them;
- `traced`: functions of users: small functions of numbers become expressions over arrays;
- `names`: where operators are kept, and how users give them names;
- `kinds`: what an operator of each kind is; `definitions` has all of them;
- `tables`: the built-in operators, an entry each;
- `spelling`, `lookup`, `doors`: from what a user writes to an operator.
"""
