"""Discretisations of friction: what tractions on elements do to the slip of others.

Each poses a `friction_step`: the equation of slip on a window, and the way back to the grid. `whole_cells`
are the elements of the program CONTACT; `covered_cells` end where the contact does and have the shape of an
edge there. `element_influence` multiplies: far away as whole cells, near by exactly.
"""
