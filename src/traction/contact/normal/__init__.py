"""Frictionless contact: `tr.press`.

`press` checks and certifies; `normal_problem` holds the checked input; `normal_solver` goes from the coarsest
of `coarse_grids` to the finest; `conjugate_gradients` iterates inside a `contact_window`, so that the cost of
a product depends on the contact and not on the grid. `pressure_certificate` is computed from the solution
alone; `grid_size_advice` recommends a size where the contact reaches the edge of the grid.
"""
