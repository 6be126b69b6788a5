"""Figures, animations and reports; they read results only.

Figures of motion and of friction are loaded where they are first used: they need what they show.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from traction.quantities import Unit, quantity, unit_for
from traction.view.figures import (
    StressPlane,
    blank_figure,
    convergence_plot,
    deformed_section,
    pressure_map,
    section,
    stress_plane,
    style_axes,
    von_mises_map,
)
from traction.view.report import Table, write_report

if TYPE_CHECKING:
    from traction.view.animation import animate_bounce as animate_bounce
    from traction.view.friction import creep_force_plot as creep_force_plot
    from traction.view.friction import traction_map as traction_map
    from traction.view.friction import traction_section as traction_section
    from traction.view.motion import contact_plot as contact_plot
    from traction.view.motion import energy_plot as energy_plot
    from traction.view.motion import height_plot as height_plot
    from traction.view.motion import method_style as method_style
    from traction.view.motion import stability_plot as stability_plot
    from traction.view.motion import surface_plot as surface_plot
    from traction.view.obstacle import landing_energy_plot as landing_energy_plot
    from traction.view.obstacle import landing_plot as landing_plot
    from traction.view.obstacle import obstacle_plot as obstacle_plot

#: name -> module that holds it
_LATER = {
    "animate_bounce": "traction.view.animation",
    "contact_plot": "traction.view.motion",
    "creep_force_plot": "traction.view.friction",
    "energy_plot": "traction.view.motion",
    "height_plot": "traction.view.motion",
    "landing_energy_plot": "traction.view.obstacle",
    "landing_plot": "traction.view.obstacle",
    "method_style": "traction.view.motion",
    "obstacle_plot": "traction.view.obstacle",
    "stability_plot": "traction.view.motion",
    "surface_plot": "traction.view.motion",
    "traction_map": "traction.view.friction",
    "traction_section": "traction.view.friction",
}

__all__ = [
    "StressPlane",
    "Table",
    "Unit",
    "animate_bounce",
    "blank_figure",
    "contact_plot",
    "convergence_plot",
    "creep_force_plot",
    "deformed_section",
    "energy_plot",
    "height_plot",
    "landing_energy_plot",
    "landing_plot",
    "method_style",
    "obstacle_plot",
    "pressure_map",
    "quantity",
    "section",
    "stability_plot",
    "stress_plane",
    "style_axes",
    "surface_plot",
    "traction_map",
    "traction_section",
    "unit_for",
    "von_mises_map",
    "write_report",
]


def __getattr__(name: str) -> Any:
    """Load a name on first use."""
    if name not in _LATER:
        raise AttributeError(f"module 'traction.view' has no attribute {name!r}")
    value = getattr(import_module(_LATER[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
