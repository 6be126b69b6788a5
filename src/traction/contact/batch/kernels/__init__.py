"""Compiled kernels of batches on the processor."""
