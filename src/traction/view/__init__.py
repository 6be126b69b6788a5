"""Figures, animations and reports; they read results only.

Each is loaded where it is first used, since it needs what it shows. `figures` has the look of all, `chart`
the pieces they are drawn with; `contacts`, `friction_curves`, `stress`, `patches` and `resting` show
contacts, `wheelset_curves` wheels and rails, `bouncing/`, `impact_curves`, `bridges` and `wheel_forces`
histories, `sweep_curves` sweeps; `animations/` what moves; `report` writes the page of a run.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
