"""The exact oscillator, in compiled code.

`oscillator` is its free motion, and its motion under a force that is a polynomial of time. Impacts,
crossings and moving loads move their modes by it.
"""
