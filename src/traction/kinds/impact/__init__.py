"""A ball strikes a beam, a plate or the ground, once or several times.

The run computes the whole impact by `tr.impact` and stores samples at equal times, every contact, the
energies of the modes and the curves and frames that the report draws.
"""
