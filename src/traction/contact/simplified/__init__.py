"""Kalker's simplified and linear theories: `fastsim`, and the creep coefficients of `kalker`."""
