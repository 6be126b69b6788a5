"""What formulas of methods share, in the part of Python that can be compiled.

`step_solver` solves the equations of an implicit step, by Newton's method or Picard's iteration, and has the
motion between its ends.
"""
