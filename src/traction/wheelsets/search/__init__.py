"""Where wheel and rail touch.

`locus` is the contact locus: for each lateral position the lowest distance of the turned wheel above the
rail, and from it the regions in which they overlap. `brute_force` finds the same over a lattice of points,
as a check.
"""
