"""What a report shows of a creep-force table: curves, surfaces, its error, and files for other programs."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from pathlib import Path

import numpy as np

from traction.contact.tables.creep_table import CreepTable
from traction.contact.tables.spline_table import POLAR
from traction.kinds.creep_law.run import (
    CHECK_CELLS,
    CHECKED,
    FORCES,
    MOTIONS,
    CreepLawFindings,
    SampleContact,
)
from traction.kinds.creep_law.schema import CreepLawCase
from traction.kinds.kind import Extras, Figures, KindReport, Tables, Words
from traction.kinds.report_tables import Checks, check_limit, result_table
from traction.kinds.tables.body_tables import material_words
from traction.quantities import significant
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
#: form: what is written, and words for it
EXPORTS: dict[str, tuple[str, str]] = {
    "c": ("creep_forces.c", "The table in C99, with creep_forces.h."),
    "fmu": ("creep_forces.fmu", "The table as a functional mock-up unit, FMI 2.0."),
    "mat": ("creep_table.mat", "The table for MATLAB."),
    "csv": ("creep_table.csv", "Forces at the nodes of the table."),
}


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


class CreepLawReport(KindReport[CreepLawCase, CreepLawFindings]):
    """A creep-force table."""

    kept = CreepLawFindings

    @cached_property
    def table(self) -> CreepTable:
        """The table."""
        return self.found.table.restore()

    def evidence(self) -> str:
        """What the checks compare with."""
        return (
            f"{CHECKED} contacts at creepages between the nodes are solved one by one, with {CHECK_CELLS} "
            "elements across both axes."
        )

    def computed(self) -> str:
        """Materials, shapes and error."""
        return (
            f"Creep forces and spin moment of elliptical contacts with {self._ratios} are tabulated over "
            "longitudinal and lateral creepage and spin, from rest to full sliding, to an error of "
            f"{_percent(self.case.error)} of μN. One table holds for all loads, sizes and coefficients of "
            "friction."
        )

    @property
    def _ratios(self) -> str:
        shown = self.case.shown
        return f"a/b = {shown[0]:g}" if len(shown) == 1 else f"a/b from {shown[0]:g} to {shown[-1]:g}"

    def outcome(self) -> str:
        """Size and error of the table, and that of FASTSIM."""
        count, run = self.table.values[..., 0].size, self.run
        along, aside, turned = (float(np.abs(run[name] - run[f"fastsim_{name}"]).max()) for name in FORCES)
        return (
            f"The table has {count:,} nodes and a stated error of {_percent(self.table.error)} of μN. On the "
            f"curves below, forces of FASTSIM differ from it by up to {_percent(max(along, aside))} of μN, "
            f"its moments by up to {_percent(turned)} of μNc."
        )

    def results(self) -> Tables:
        """Key figures."""
        return [result_table(self.run.key_figures)]

    def checks(self) -> Checks:
        """Whether the stated error is what was asked for, and holds."""
        return [
            check_limit("stated error over μN", self.table.error, self.case.error, "large", slack=1e-9),
            check_limit("difference from single contacts over μN", self.found.off, self.table.error, "large"),
        ]

    def inputs(self) -> Words:
        """Materials, shapes and error."""
        return [
            ("upper body", material_words(self.case.pair.upper)),
            ("lower body", material_words(self.case.pair.lower)),
            ("shape of the ellipse", self._ratios),
            ("error", f"{_percent(self.case.error)} of μN"),
            ("exports", ", ".join(["netCDF", *self.case.exports])),
        ]

    def figures(self) -> Figures:
        """Curves, surfaces and the error."""
        yield from draw_curves(self.case, self.run)
        yield from draw_surfaces(self.case, self.table)
        yield from draw_error(self.table)

    def files(self, folder: Path) -> Extras:
        """The table for this program and for others."""
        table = self.table
        written = [(table.save(folder / "creep_table.nc"), "The table as netCDF, which Python reads again.")]
        write: dict[str, Callable[[Path], object]] = {
            "c": table.to_c, "fmu": table.to_fmu, "mat": table.save, "csv": table.save,
        }  # fmt: skip
        for form in dict.fromkeys(self.case.exports):
            name, words = EXPORTS[form]
            write[form](folder / name)
            written.append((folder / name, words))
            if form == "c":
                written.append((folder / "creep_forces.h", "Its header."))
        return written


def _percent(share: float) -> str:
    return f"{significant(100.0 * share, 3)} %"
