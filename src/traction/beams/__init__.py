"""Beams: description, exact and discrete solutions, vibration, and contact with obstacles.

beam_description                segments, supports, damping; `BeamDescription`, which all solvers take
exact                           modes, statics and influence lines, exact to rounding
discrete                        finite elements and differences, and their march in time
beam_vibration                  motion from a given shape, free or under a harmonic force
beam                            `Beam`: the description with methods that call the solvers above; `rail`
obstacle                        beams pressed on obstacles and on each other
kernels                         the exact oscillator, which impacts and crossings share

>>> import traction as tr
>>> float(tr.Beam(20.0, 2.08e9, 7900.0, supports=("pinned", "pinned")).frequencies(1)[0].round(3))
12.661
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
