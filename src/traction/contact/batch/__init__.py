"""Batches: many contacts at once, on the processor or a GPU."""
