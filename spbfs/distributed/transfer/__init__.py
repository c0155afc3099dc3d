"""Objects to ranks and back: spread, gathered, and written as one file by all of them."""
