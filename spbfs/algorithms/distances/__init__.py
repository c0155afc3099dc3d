"""What distances from many sources say: tables of them, eccentricities, who is within k hops."""
