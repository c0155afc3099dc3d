"""Communities: vertices whose edges lead to one another more than to others."""
