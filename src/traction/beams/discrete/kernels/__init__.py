"""Discrete beams in compiled code.

`element_shapes` are the matrices of one element; `banded_matrices` multiplies, factors and solves with
those of the whole beam, with which `march_steps` moves it under axles.
"""
