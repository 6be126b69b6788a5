"""Rolling with friction.

`steady_rolling` solves for the state that no longer changes. `transient_rolling` rolls a given way from an
earlier contact: `material_march` cuts it into steps, each a `material_step` on a `material_grid` that stays
while the contact moves over it, solved into a `material_solution`; `material_derivatives` follow from those.
`moving_grid` is the scheme of CONTACT, and `rolling_operator` its matrices.
"""
