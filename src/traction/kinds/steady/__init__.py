"""Steady rolling with friction, at one creepage or at several.

A sample is a creepage, or a force in its place, with its tractions; none depends on another.
"""
