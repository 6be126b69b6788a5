"""A table made to a stated error.

`adaptive_table` is the way: `refinement` places nodes where the error asks for them,
`ellipses` solve the creepages of each ellipse in batches, until the error of all cells is small enough.
"""
