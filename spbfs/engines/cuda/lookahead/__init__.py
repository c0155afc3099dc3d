"""Steps of a loop that are computed before its statements ask for them."""
