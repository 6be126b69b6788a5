"""Which elements stick, which slip, and with what tractions.

A `slip_equation` (made by `contact.elements` from a `friction_patch` and a `rigid_slip`) is solved by
`stick_slip_solver`: `newton_iteration` over the states, `linear_step` for one of its steps,
`flexible_gmres` inside. `traction_rates` are the derivatives, states held. `friction_certificate` proves
that tractions and slips obey Coulomb's law.
"""
