"""From a pressed contact to certified tractions.

`friction_solution` checks, lets pressure and tractions of unlike bodies settle (`pressure_coupling`), and
finishes a `solved_friction` to a `tangential_contact`, with its `friction_derivatives`. `shift` is tangential
loading without rolling.
"""
