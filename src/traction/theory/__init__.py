"""Closed forms: one idea per file, with its source.

Contact at rest (`hertz` with its results `hertz_contacts`, `adhesion`, `loads`), with friction (`cattaneo`,
`carter`), its heat (`moving_heat`), and waves on a rolling surface (`rolling_waves`):

>>> import traction as tr
>>> tr.hertz.sphere(radius=0.01, pair=tr.Pair(tr.STEEL, tr.RIGID), force=100.0).peak_pressure > 1e9
True
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
