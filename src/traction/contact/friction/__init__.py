"""From a normal contact to certified tractions.

`friction_input` tells numbers, fields and laws of friction apart. A step, posed by `contact.elements` or
`contact.rolling`, is solved into a `solved_friction`. `friction_solution` checks the input, solves, and
builds a `tangential_contact` from steps of all kinds; `interface_memory` is what particles remember of it.
Where friction falls, rolling under `given_creep_forces` is sought along a `creep_force_curve`, by
`curve_search`, up to its `curve_maximum`. `friction_derivatives` computes the derivatives of all solutions.
Only unlike bodies pass `pressure_coupling`, which iterates between pressure and tractions, and
`pressed_displacement`.
`shift` is tangential loading without rolling.
"""
