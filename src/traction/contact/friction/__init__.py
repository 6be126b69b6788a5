"""From a pressed contact to certified tractions.

A step, posed by `contact.elements` or `contact.rolling`, is solved into a `solved_friction`.
`friction_solution` checks what is given, solves, and finishes steps of all kinds to a `tangential_contact`;
`friction_derivatives` are the derivatives of all of them. Only unlike bodies pass `pressure_coupling`, where
pressure and tractions settle, and `pressed_displacement`. `shift` is tangential loading without rolling.
"""
