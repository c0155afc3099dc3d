"""The engine of the CPU: NumPy, and our own C++ for whatever follows edges."""
