"""A format a module: entries in, CSR out; `registry` knows them by their extensions."""
