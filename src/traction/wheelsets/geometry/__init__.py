"""Tracks, wheelsets and the position of one on the other.

`track` and `wheelset` are what users describe; `pose` places a wheelset on its track. `curve_nodes` are
points of a profile, close enough that the cubic pieces of the kernels between them are the profile itself.
"""
