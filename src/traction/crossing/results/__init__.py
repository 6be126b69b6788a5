"""What a crossing returns.

`Crossing` is composed of a `BeamMotion` (coordinates, modal or nodal, and what follows along the beam) and,
with wheels, a `VehicleMotion`; `ContactCrossing` adds approaches, patches, `Energies` and the `WheelRolling`
of driven wheels.
"""
