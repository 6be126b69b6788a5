"""Creep-force tables: smooth forces of steady rolling, with derivatives, for ellipses of all sizes and loads.

`reduced_creepages` are the coordinates in which one table serves all; `spline_table` continues node values by
their symmetries and fits a `SplineTable`, which `kernels` evaluate; `CreepTable` is what users hold.
`usetab_file` reads and writes the tables of CONTACT and multibody programs, `solved_usetab` solves all nodes
of one; `exports` make C and units of a table. `creep_table` makes one in `making`, to a stated error.
"""
