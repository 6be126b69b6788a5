"""Figures, animations and reports; they read results only.

Each is loaded where it is first used, since it needs what it shows: `figures` of a grid and its sections,
`friction`, `stress`, `patches` and `resting` of contacts, `motion`, `impact` and `bridges` of histories,
`sweeps` of many runs; `animations/` for what moves; `report` writes the page of a run.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
