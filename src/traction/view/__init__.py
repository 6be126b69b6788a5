"""Figures, animations and reports; they read results only.

Figures of motion, of friction and of bridges are loaded where they are first used: they need what they show.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from traction.quantities import Unit, quantity, unit_for
from traction.view.figures import (
    blank_figure,
    convergence_plot,
    deformed_section,
    pressure_map,
    section,
    style_axes,
)
from traction.view.report import Table, write_report
from traction.view.stress import StressPlane, stress_plane, von_mises_map

if TYPE_CHECKING:
    from traction.view.animations.bounce_animation import animate_bounce as animate_bounce
    from traction.view.animations.crossing_animation import animate_crossing as animate_crossing
    from traction.view.animations.rolling_animation import RollingHistory as RollingHistory
    from traction.view.animations.rolling_animation import animate_rolling as animate_rolling
    from traction.view.bridges import crossing_map as crossing_map
    from traction.view.bridges import crossing_plot as crossing_plot
    from traction.view.bridges import envelope_plot as envelope_plot
    from traction.view.bridges import mode_plot as mode_plot
    from traction.view.bridges import resonance_plot as resonance_plot
    from traction.view.driving import driving_plot as driving_plot
    from traction.view.friction import creep_force_plot as creep_force_plot
    from traction.view.friction import traction_map as traction_map
    from traction.view.friction import traction_section as traction_section
    from traction.view.impact import animate_impact as animate_impact
    from traction.view.impact import beam_shape_plot as beam_shape_plot
    from traction.view.impact import impact_force_plot as impact_force_plot
    from traction.view.impact import impact_map as impact_map
    from traction.view.impact import impact_motion_plot as impact_motion_plot
    from traction.view.impact import iterates_plot as iterates_plot
    from traction.view.impact import plate_wave_plot as plate_wave_plot
    from traction.view.motion import contact_plot as contact_plot
    from traction.view.motion import energy_plot as energy_plot
    from traction.view.motion import height_plot as height_plot
    from traction.view.motion import method_style as method_style
    from traction.view.motion import stability_plot as stability_plot
    from traction.view.motion import surface_plot as surface_plot
    from traction.view.obstacle import landing_energy_plot as landing_energy_plot
    from traction.view.obstacle import landing_plot as landing_plot
    from traction.view.obstacle import obstacle_plot as obstacle_plot
    from traction.view.patches import patch_plot as patch_plot
    from traction.view.resting import rest_patch_plot as rest_patch_plot
    from traction.view.resting import rest_plot as rest_plot
    from traction.view.sweeps import sweep_plot as sweep_plot
    from traction.view.wheel_forces import crossing_energy_plot as crossing_energy_plot
    from traction.view.wheel_forces import spectrum_plot as spectrum_plot
    from traction.view.wheel_forces import wheel_force_plot as wheel_force_plot

#: name -> module that holds it
_LATER = {
    "RollingHistory": "traction.view.animations.rolling_animation",
    "resonance_plot": "traction.view.bridges",
    "crossing_energy_plot": "traction.view.wheel_forces",
    "patch_plot": "traction.view.patches",
    "rest_patch_plot": "traction.view.resting",
    "rest_plot": "traction.view.resting",
    "spectrum_plot": "traction.view.wheel_forces",
    "wheel_force_plot": "traction.view.wheel_forces",
    "mode_plot": "traction.view.bridges",
    "envelope_plot": "traction.view.bridges",
    "crossing_plot": "traction.view.bridges",
    "crossing_map": "traction.view.bridges",
    "animate_crossing": "traction.view.animations.crossing_animation",
    "animate_bounce": "traction.view.animations.bounce_animation",
    "animate_rolling": "traction.view.animations.rolling_animation",
    "contact_plot": "traction.view.motion",
    "animate_impact": "traction.view.impact",
    "beam_shape_plot": "traction.view.impact",
    "impact_force_plot": "traction.view.impact",
    "impact_map": "traction.view.impact",
    "impact_motion_plot": "traction.view.impact",
    "iterates_plot": "traction.view.impact",
    "plate_wave_plot": "traction.view.impact",
    "creep_force_plot": "traction.view.friction",
    "driving_plot": "traction.view.driving",
    "energy_plot": "traction.view.motion",
    "height_plot": "traction.view.motion",
    "landing_energy_plot": "traction.view.obstacle",
    "landing_plot": "traction.view.obstacle",
    "method_style": "traction.view.motion",
    "obstacle_plot": "traction.view.obstacle",
    "stability_plot": "traction.view.motion",
    "surface_plot": "traction.view.motion",
    "sweep_plot": "traction.view.sweeps",
    "traction_map": "traction.view.friction",
    "traction_section": "traction.view.friction",
}

__all__ = [
    "RollingHistory",
    "StressPlane",
    "Table",
    "Unit",
    "animate_bounce",
    "animate_crossing",
    "animate_impact",
    "animate_rolling",
    "beam_shape_plot",
    "blank_figure",
    "contact_plot",
    "convergence_plot",
    "creep_force_plot",
    "crossing_energy_plot",
    "crossing_map",
    "crossing_plot",
    "deformed_section",
    "driving_plot",
    "energy_plot",
    "envelope_plot",
    "height_plot",
    "impact_force_plot",
    "impact_map",
    "impact_motion_plot",
    "iterates_plot",
    "landing_energy_plot",
    "landing_plot",
    "method_style",
    "mode_plot",
    "obstacle_plot",
    "patch_plot",
    "plate_wave_plot",
    "pressure_map",
    "quantity",
    "resonance_plot",
    "rest_patch_plot",
    "rest_plot",
    "section",
    "spectrum_plot",
    "stability_plot",
    "stress_plane",
    "style_axes",
    "surface_plot",
    "sweep_plot",
    "traction_map",
    "traction_section",
    "unit_for",
    "von_mises_map",
    "wheel_force_plot",
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
