"""Pressed bodies shifted over each other with friction, through one step or many.

A sample is a step with its tractions, found from those of the step before.
"""
