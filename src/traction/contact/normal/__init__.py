"""Frictionless contact: `tr.press`.

`press` checks and certifies; `normal_problem` holds the clean numbers; `normal_solver` goes from the coarsest
of `coarse_grids` to the finest; `conjugate_gradients` iterates inside a `contact_window`, so that products
cost by the contact and not by the grid. `pressure_certificate` is computed from the answer alone;
`grid_size_advice` says how large a grid must be that the contact outgrows.
"""
