"""Natural frequencies and mode shapes of a beam, exact to rounding.

A sample is a mode: its frequency, damping, effective mass and shape. The run also checks orthonormality,
and the report reads both.
"""
