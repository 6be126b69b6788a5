"""Vibration of a beam from a given shape and speed, free or under F sin(Omega t).

given_shape     what a user gives: a function, values or a beam at rest; shares of the modes in it
beam_vibration  `Vibration`, by modes or by a march of a discrete beam
"""
