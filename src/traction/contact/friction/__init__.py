"""From a normal contact to certified tractions.

A step, posed by `contact.elements` or `contact.rolling`, is solved into a `solved_friction`.
`friction_solution` checks the input, solves, and builds a `tangential_contact` from steps of all kinds;
`friction_derivatives` computes the derivatives of all of them. Only unlike bodies pass `pressure_coupling`,
which iterates between pressure and tractions, and `pressed_displacement`. `shift` is tangential loading
without rolling.
"""
