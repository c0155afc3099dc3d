"""Breadth-first searches over ranks, and what each rank knows of its vertices in one."""
