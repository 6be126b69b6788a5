"""What formulas of methods share, in the part of Python that can be compiled."""
