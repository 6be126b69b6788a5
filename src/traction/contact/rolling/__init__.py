"""Rolling with friction.

`steady_rolling` solves for the state that no longer changes. `transient_rolling` rolls a given way from an
earlier contact: `material_march` cuts it into parts, each a `material_step` from one `material_state` to the
next on a `material_grid` that stays while the contact moves over it. `moving_grid` is the scheme of CONTACT.
`rolling_operator` shows the matrices of that scheme.
"""
