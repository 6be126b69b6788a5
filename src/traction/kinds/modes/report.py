"""What a report shows of the modes of a beam: frequencies and shapes."""

from __future__ import annotations

from traction.kinds.kind import Figures, KindReport, Tables
from traction.kinds.modes.run import ModesFindings
from traction.kinds.modes.schema import ModesCase
from traction.kinds.report_tables import check_limit, check_table, input_table
from traction.kinds.tables.beam_tables import beam_words, line_along
from traction.quantities import significant
from traction.view import figures as view
from traction.view.bridges import draw_modes
from traction.view.report import Table

ORTHONORMAL = 1e-10  #: limit of the check
MOST_DRAWN, MOST_ROWS = 8, 60


class ModesReport(KindReport[ModesCase, ModesFindings]):
    """Modes of a beam."""

    kept = ModesFindings

    def tables(self) -> Tables:
        """What went in, all frequencies, and whether the shapes are orthonormal."""
        case, run, mass = self.case, self.run, self.case.built.mass
        inputs = [*beam_words(case.beam), ("mass", f"{significant(mass)} kg"), ("modes", f"{case.modes}")]
        rows = [
            (
                str(int(run["mode"][k])),
                significant(float(run["frequency"][k]), 6),
                significant(float(run["angular_frequency"][k]), 6),
                f"{100.0 * float(run['damping_ratio'][k]):.3g}",
                f"{100.0 * float(run['effective_mass'][k]) / mass:.3f}",
            )
            for k in range(min(case.modes, MOST_ROWS))
        ]
        header = ("mode", "frequency (Hz)", "(rad/s)", "damping (%)", "mass that takes part (%)")
        title = "Modes" if case.modes <= MOST_ROWS else f"The first {MOST_ROWS} of {case.modes} modes"
        error = self.found.orthonormality
        checks = check_table(check_limit("largest error of orthonormal modes", error, ORTHONORMAL))
        return [input_table(inputs), Table(title, header, rows), checks]

    def figures(self) -> Figures:
        """Shapes of the lowest modes, and all frequencies."""
        case, run, shown = self.case, self.run, min(self.case.modes, MOST_DRAWN)
        figure = view.blank_figure(8.0, 1.6 + 0.75 * shown)
        x, shapes, omega = line_along(case.built, case.points), run["deflection"], run["angular_frequency"]
        title = f"The lowest {shown} modes"
        draw_modes(case.built, x, shapes[:shown], omega[:shown], figure.add_subplot(), title=title)
        words = "Shapes of the lowest modes; squares are clamped, triangles pinned or on springs."
        yield "modes", words, figure
        if case.modes > 1:
            figure = view.blank_figure(8.0)
            axes = figure.add_subplot()
            axes.plot(run["mode"], run["frequency"], "o", color=view.BLUE, ms=5.0)
            view.style_axes(axes, "mode", "frequency (Hz)", "Natural frequencies")
            yield "frequencies", "Natural frequencies of all modes that were asked for.", figure
