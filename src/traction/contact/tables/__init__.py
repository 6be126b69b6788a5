"""Tables of creep forces: filled by batches, interpolated, and exported to other programs."""
