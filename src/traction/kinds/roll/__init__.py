"""Transient rolling with friction, by steps of any length, from a shift or from rest.

A sample is a step with its pressure and tractions. The state also holds the tractions on the material, so
that a stopped run continues bit for bit.
"""
