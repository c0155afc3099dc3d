"""What an engine does, over ranks: a file a kind of operation."""
