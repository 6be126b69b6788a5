"""Stick and slip areas of a contact, and its tractions.

A `slip_equation` (built by `contact.elements` from a `friction_patch` and a `rigid_slip`) is solved by
`stick_slip_solver`: `newton_iteration` over the states, `linear_step` for one of its steps,
`flexible_gmres` inside. Where friction depends on the slip or a layer yields, an `interface` says how, states
and steps are those of `sliding_step`, and `given_forces` stays on the rising branch. `traction_rates` are the
derivatives at constant states. `friction_certificate` proves that tractions and slips obey Coulomb's law.
"""
