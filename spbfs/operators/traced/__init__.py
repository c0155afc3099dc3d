"""Functions of users: small functions of numbers become expressions over arrays."""
