"""Batches: many contacts on one grid at once, on the processor or a GPU.

`Batch` checks its members; `friction_groups` bring those that share matrices together, `slip_matrices` fill
these from the elements of a contact, halved by their symmetry, and `splitting` iterates with them;
`feedback` has members with bounds of their own, by fields and laws of friction, and unlike bodies;
`pressing` does the same for pressures, and `member_parts` has what both share. A `device` multiplies, and has
kernels of its own: those in `kernels` are written twice, in Python for the `Processor` and in CUDA for the
`GraphicsProcessor`, with the same names and arguments. Members that do not converge are solved one by one.
"""
