"""Figures of a creep-force table: curves beside FASTSIM, surfaces over two creepages, and its error."""

from __future__ import annotations

import numpy as np

from traction.contact.tables.creep_table import CreepTable
from traction.contact.tables.spline_table import POLAR
from traction.kinds.creep_law.run import MOTIONS, SampleContact
from traction.kinds.creep_law.schema import CreepLawCase
from traction.kinds.kind import Figures
from traction.results.stored_run import StoredRun
from traction.view import figures as view
from traction.view.chart import colour_bar

FARTHEST, SIDE = 1.5, 61  #: reduced creepages of a surface, and points along each
SPINS = (0.0, 1.0)  #: reduced, of the surfaces
#: of each motion: its force, words for both
PANELS = (
    ("force_x", "longitudinal creepage x", "force along x"),
    ("force_y", "lateral creepage y", "force along y"),
    ("force_y", "spin w", "force along y"),
)


def draw_curves(case: CreepLawCase, run: StoredRun) -> Figures:
    """Forces over each creepage alone."""
    figure = view.blank_figure(11.0, 4.2)
    for motion, axes in enumerate(figure.subplots(1, MOTIONS)):
        name, over, words = PANELS[motion]
        for k, ratio in enumerate(case.shown):
            mine = (run["motion"] == motion) & np.isclose(run["ratio"], ratio)
            color, label = view.CYCLE[k], f"a/b = {ratio:.3g}"
            axes.plot(run["creepage"][mine], -run[name][mine], color=color, lw=2.0, label=label)
            axes.plot(run["creepage"][mine], -run[f"fastsim_{name}"][mine], "--", color=color, lw=1.2)
        view.style_axes(
            axes, f"reduced {over}", f"{words} over μN", over.split()[0].capitalize(), legend=True
        )
    words = "Forces on body 2 over each creepage alone; dashed: FASTSIM. The linear theory is F/(μN) = 3x."
    yield "curves", words, figure


def draw_surfaces(case: CreepLawCase, table: CreepTable) -> Figures:
    """The size of the force over both creepages, without and with spin."""
    ratio = case.shown[len(case.shown) // 2]
    contact = SampleContact.of(case, ratio)
    places = np.linspace(-FARTHEST, FARTHEST, SIDE)
    scales, figure = table.creepage_scales(*contact.sizes), view.blank_figure(10.5, 4.4)
    for spin, axes in zip(SPINS, figure.subplots(1, len(SPINS)), strict=True):
        x, y = np.meshgrid(places, places)
        creepage = np.stack((x, y, np.full_like(x, spin)), axis=-1) * scales
        fx, fy, _ = table.forces(creepage, *contact.sizes)
        force = np.hypot(fx, fy) / contact.units[0]
        drawn = axes.pcolormesh(
            x, y, force, cmap=view.FAMILY, vmin=0.0, vmax=1.0, shading="gouraud", rasterized=True
        )
        axes.set_aspect("equal")
        colour_bar(axes, drawn, "force over μN")
        title = f"a/b = {ratio:.3g}, reduced spin {spin:g}"
        view.style_axes(
            axes, "reduced longitudinal creepage x", "reduced lateral creepage y", title, grid=False
        )
    yield "surfaces", "Size of the creep force over both creepages, without and with spin.", figure


def draw_error(table: CreepTable) -> Figures:
    """The stated error between nodes, largest over azimuth and a/b."""
    if table.error_map is None or table.splines.coordinates != POLAR:
        return
    s, _, latitude = table.nodes
    figure = view.blank_figure(7.0, 4.6)
    axes = figure.add_subplot()
    largest = 100.0 * table.error_map.reshape(-1, *table.error_map.shape[-3:]).max(axis=(0, 2))
    drawn = axes.pcolormesh(s, np.degrees(latitude), largest.T, cmap=view.FAMILY, vmin=0.0, rasterized=True)
    colour_bar(axes, drawn, "stated error (% of μN)")
    words = "s = r/(r + radius), from rest to full sliding"
    view.style_axes(axes, words, "latitude of spin (°)", "Error of the table between its nodes", grid=False)
    words = "Stated error between nodes, the largest over azimuth and a/b; ±90° is spin alone."
    yield "error", words, figure
