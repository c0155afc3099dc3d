"""What a call of many searches returns, filled batch by batch: arrays, files, rows, frontiers."""
