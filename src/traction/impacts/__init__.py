"""Impacts on flexible structures: the Hertz integral equation and its solvers."""
