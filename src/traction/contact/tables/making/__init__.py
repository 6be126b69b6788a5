"""A table made to a stated error.

`adaptive_table` is the way: `refinement` places nodes in a `node_grid` where the error asks for them,
`ellipses` ask `node_solutions`, which solves the creepages of one ellipse in batches, until the error of
all cells is small enough.
"""
