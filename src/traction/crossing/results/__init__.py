"""Results of a crossing.

`Crossing` is composed of `crossing_motion`: a `BeamMotion` (modal or nodal coordinates, and fields along the
beam) and, with wheels, a `VehicleMotion`; `ContactCrossing` adds approaches, patches, `Energies` and the
`WheelRolling` of driven wheels.
"""
