"""What matrices and vectors hold: arrays, packed bits, and what is derived from them and kept."""
