"""The names of operators: kept in a tree a kind, given by users, and described in a line."""
