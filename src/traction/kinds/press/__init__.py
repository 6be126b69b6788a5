"""Two bodies of any shape pressed together, through one load or many.

A sample is a load with its pressure; each starts from the one before. `pressed_stepper` is shared with the
kinds of friction.
"""
