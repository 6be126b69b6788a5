"""Kalker's simplified and linear theories: `fastsim`, `polach`, and the creep coefficients of `kalker`."""
