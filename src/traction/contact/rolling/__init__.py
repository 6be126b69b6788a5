"""Rolling with friction.

`steady_rolling` solves for the stationary state, with falling friction on the branch of `friction_branches`.
`transient_rolling` rolls a given distance from an
earlier contact: `material_march` divides it into parts, each a `material_step` from one `material_state` to
the next, under the contacts of a `load_path`, on a `material_grid` that stays while the contact moves over
it; `stick_tips` are the places inside elements where rows begin to stick. `moving_grid` is the scheme of
CONTACT. `rolling_operator` has the matrices of that scheme.
"""
