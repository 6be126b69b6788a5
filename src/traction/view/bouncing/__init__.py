"""Figures of histories of bouncing bodies, and of the methods that compute them.

`history_curves` name what is given, find its contacts, and draw height, energy and one contact,
`surface_pictures` the surfaces at one time; `stability_curves` keep the look of each method and draw its
stability.
"""
