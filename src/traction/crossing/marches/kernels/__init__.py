"""Compiled steps of crossings.

`modal_steps` moves modes under plain forces, `condensed_steps` condenses modes and vehicles to the wheels;
`rigid_march` and `elastic_march` build on it, `edge_march` is the latter near soft ends; `drive_work` counts
the work of the drive. Rigid wheels stand on a `rigid_track`, modes follow `changing_forces` under them, and
`rigid_works` count their energies.
"""
