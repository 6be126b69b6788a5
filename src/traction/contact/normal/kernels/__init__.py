"""The normal contact in compiled code.

`pressure_iteration` is the conjugate-gradient method on one window, with `window_products` where it is
small, and goes from a start to a checked solution on a grid that needs no window; `pressure_fields` looks at
fields: where they are not zero, on another grid, and their errors.
"""
