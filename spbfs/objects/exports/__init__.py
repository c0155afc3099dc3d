"""Matrices and vectors as others take them: arrays, dictionaries, tables."""
