"""Graphs that stay on the disk: CSR folders, and the files of others that can be mapped."""
