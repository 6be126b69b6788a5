"""Trains that cross bridges: `tr.moving_load` (forces, rigid wheels) and `tr.cross` (any contact).

A crossing is prepared (`setup`, with the times of `packed_train` and the steps of `time_step`), marched, and
returned as a result composed of the motion of the beam, of the vehicles and of the contacts. A march has
`begin() -> state`, `advance(state, until) -> (state, part)` and `result(part)`; scenario files divide it at
their samples, with the same result bit for bit.

Each row imports from those below it only:

    sweeps          many crossings: resonance over speed, methods compared
    cross           -> moving_load, driving (friction under driven wheels), small_deflections (notices)
    marches         rigid wheels, wheels in elastic contact (condensed, or by a method), plain forces
    results         Crossing, ContactCrossing; BeamMotion, VehicleMotion; energies, rolling
    setup           checked input, ready to march; small_deflections refuses excessive ones
    bridge_models   modes, elements and differences as a march and a result need them
    wheel_contact, packed_train, choices
"""
