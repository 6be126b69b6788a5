"""A ball or any body falls on an elastic ground and bounces.

The run marches the equation of motion by any method and stores samples at equal times, a log of the contacts,
and the first contact step by step; the contact is Hertz's or solved on a grid.
"""
