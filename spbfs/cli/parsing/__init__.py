"""What the command line accepts, and its own words for what is wrong with it."""
