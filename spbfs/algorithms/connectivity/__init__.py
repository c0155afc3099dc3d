"""Who is connected with whom: components, sides, forests."""
