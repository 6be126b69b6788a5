"""A wheelset on a track: contact patches and forces at one position, at several, or along a sweep.

A sample is a position. The findings keep the patches of one position as maps, the same on a finer grid, and
the rolling radius difference over the lateral shift.
"""
