"""Where entries are, whatever their values: sorted keys as sets, offsets of rows, labels."""
