"""Bodies that slide with friction and move.

`belt_oscillator` is a mass on a spring and a moving belt: friction that falls with the slip speed makes it
stick and slip. Phases of slip are integrated by `integrate` to the event at which they end; where the mass
sticks, it moves with the belt.
"""
