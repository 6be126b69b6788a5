"""Frictionless contact: the pressure between two bodies on a grid, and the proof that it is right.

press                 checks, solves, certifies; `NormalContact` is the result
normal_problem        the input as clean numbers
normal_solver         from coarse_grids to the finest, on each a contact_window around the contact
conjugate_gradients   the iteration on one window, whose steps are kernels
pressure_certificate  computed from the answer; grid_size_advice where it reaches the edge of the grid
"""
