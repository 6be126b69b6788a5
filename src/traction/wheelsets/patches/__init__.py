"""Contact patches of one position: their planes, distances, creepages and forces.

A `wheel_side` is a wheel on its rail: `merging` turns regions of overlap into patches, each with a
`contact_plane` (on the rail's lattice by `lattice_laying` in transient rolling). `patch_pressing` finds
pressures, `wheelset_motion` creepages, `rolling` tractions with `rail_friction`; `transient_friction`
begins from a `rail_memory`. `balance` begins from a `first_guess` and repeats it until forces are those
given; `free_roll` does so for both wheels, whose roll angle is found too. All contacts are `tasks`, solved
singly or by `contact_batches`.
"""
