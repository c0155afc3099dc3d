"""The engine that the other two are judged by: slow and obvious, and no code shared with them."""
