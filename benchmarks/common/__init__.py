"""What benchmarks on every device use: names, reports, the machine, sources, programs."""
