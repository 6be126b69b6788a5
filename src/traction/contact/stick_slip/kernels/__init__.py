"""Stick and slip in compiled code: the parts of Newton's method.

`stick_slip_states` (or `sliding_states`, where the bound depends on the slip) are states and projections;
`rigid_border` adds unknown rigid shifts, and `krylov_vectors` serve the linear problem of a step.
`rolling_newton`, with the products of `rolling_step`, is the whole iteration for steady rolling on a small
window.
"""
