"""Friction under driven and braked wheels, once the contact forces are known.

`driven_wheels` divides the path of each wheel into parts of one element at most and rolls these, step by step
from an explicit state; `driven_wheel` is one wheel: its pressure, its tractions, its rotation under a
torque; `shaft_torsion` the twist of the shaft that turns it.
"""
