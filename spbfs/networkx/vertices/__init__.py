"""Every vertex in numbers that several subjects ask for: its degrees, its place in a queue."""
