"""Discretisations of friction: influence of tractions on the slip of other elements.

Each poses a `friction_step`: the equation of slip on a window, and the transfer to the grid. `whole_cells`
are the elements of CONTACT (Vollebregt); `covered_cells` end where the contact does and have the traction
of an edge there; `covered_rolling` decides what sticks and glides in them. `element_influence` multiplies:
whole cells far away, exact nearby.
"""
