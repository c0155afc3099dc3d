"""Vertices in numbers that several subjects ask for: degrees, places in a queue, what is around."""
