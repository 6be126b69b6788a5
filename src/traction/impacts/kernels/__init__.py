"""Impacts in compiled code: `collocation_step` within `impact_march`, which `many_impacts` repeats.

A step has the motion between its ends too; `simple_impacts` are half sines and small increments, of the
approximate methods.
"""
