"""Figures and reports; they read results only."""

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

__all__ = [
    "StressPlane",
    "Table",
    "Unit",
    "blank_figure",
    "convergence_plot",
    "deformed_section",
    "pressure_map",
    "quantity",
    "section",
    "stress_plane",
    "style_axes",
    "unit_for",
    "von_mises_map",
    "write_report",
]
