"""Compiled steps of crossings.

`condensed_steps` moves modes under plain forces, and condenses modes and vehicles to the wheels;
`rigid_march` on a `rigid_track` and `elastic_march` build on it, with `bridge_edges` at soft ends, and
`march_works` count their works.
"""
