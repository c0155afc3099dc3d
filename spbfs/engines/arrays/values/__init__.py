"""What entries are worth: operators over arrays of values, and sums of them."""
