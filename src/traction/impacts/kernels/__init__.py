"""Impacts in compiled code: `collocation_step` within `impact_march`, which `many_impacts` repeats.

`path_values` is the motion between steps; `half_sines` and `small_increments` are of the approximate
methods.
"""
