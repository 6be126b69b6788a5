"""What a report shows of a creep-force table: curves, surfaces, its error, and files for other programs."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from pathlib import Path

import numpy as np

from traction.contact.tables.creep_table import CreepTable
from traction.kinds.creep_law.law_figures import draw_curves, draw_error, draw_surfaces
from traction.kinds.creep_law.run import CHECK_CELLS, CHECKED, FORCES, CreepLawFindings
from traction.kinds.creep_law.schema import CreepLawCase
from traction.kinds.kind import Extras, Figures, KindReport, Tables, Words
from traction.kinds.report_tables import Checks, check_limit, result_table
from traction.kinds.tables.body_tables import material_words
from traction.quantities import significant

#: form: what is written, and words for it
EXPORTS: dict[str, tuple[str, str]] = {
    "c": ("creep_forces.c", "The table in C99, with creep_forces.h."),
    "fmu": ("creep_forces.fmu", "The table as a functional mock-up unit, FMI 2.0."),
    "mat": ("creep_table.mat", "The table for MATLAB."),
    "csv": ("creep_table.csv", "Forces at the nodes of the table."),
}


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
