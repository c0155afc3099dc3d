"""What an operator of each kind is; `definitions`, above, has all of them."""
