"""Kernels that all of beams/ and what stands on it share: the exact oscillator."""
