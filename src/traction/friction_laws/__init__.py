"""Friction that is not constant, and layers between the bodies: descriptions that never solve.

`friction` makes the laws: coefficients that depend on the slip speed (`falling_law`), or on a function of
the user's own (`own_law`), each with a memory along the particle's way; the contract is that of
`friction_law`. A `layer` is a thin film between the bodies, elastic or yielding.

>>> import traction as tr
>>> law = tr.friction.exponential(0.15, (0.2, 1.0), memory=(3e-6, 1e-3))
>>> print(law.static, law.coefficient(1.0).round(3))
0.35 0.25
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
