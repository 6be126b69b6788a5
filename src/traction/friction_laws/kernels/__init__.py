"""Friction laws in compiled code.

`coefficients` has every form once, with its derivative by the slip speed, and the memory of a particle;
solvers of contacts and batches call it.
"""
