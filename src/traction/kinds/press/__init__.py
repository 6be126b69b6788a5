"""Two bodies of any shape pressed together, through one load or many.

A sample is a load with its pressure; each starts from the one before. The kinds of friction press their
bodies with the base of this stepper.
"""
