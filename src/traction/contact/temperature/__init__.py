"""Heat of friction, and friction that depends on the temperature.

`heat_sharing` divides the frictional power between the bodies, `flash_temperature` is what it causes. In a
solution with friction by temperature, `steady_heat` and `step_heat` (with the `heat_history` of earlier
steps) return temperatures for tractions, `thermal_coupling` solves both together, by the slopes of
`heat_influence` and with the memory of particles; a `warm_step` is one step of rolling.
"""
