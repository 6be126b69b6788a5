"""What a report shows of the modes of a beam: frequencies and shapes."""

from __future__ import annotations

import numpy as np

from traction.kinds.kind import Figures, KindReport, Tables, Words
from traction.kinds.modes.run import ModesFindings
from traction.kinds.modes.schema import ModesCase
from traction.kinds.report_tables import Checks, check_limit
from traction.kinds.tables.beam_tables import beam_words, line_along
from traction.quantities import counted, given, quantity, significant
from traction.view import figures as view
from traction.view.bridges import draw_modes
from traction.view.report import Table

ORTHONORMAL = 1e-10  #: limit of the check
MOST_DRAWN, MOST_ROWS = 8, 60


class ModesReport(KindReport[ModesCase, ModesFindings]):
    """Modes of a beam."""

    kept = ModesFindings

    def evidence(self) -> str:
        """What the checks compare with."""
        return "Modes are orthogonal with respect to mass; these integrals are evaluated independently."

    def computed(self) -> str:
        """The beam and how many modes."""
        beam, spans = self.case.built, len(self.case.beam.spans)
        return (
            f"The lowest {counted(self.case.modes, 'mode')} of a beam of {counted(spans, 'span')}, "
            f"{given(beam.length, 'm')} long with a mass of {given(beam.mass, 'kg')}, are computed from "
            "the exact shapes of its spans: natural frequencies, shapes, damping ratios and effective masses."
        )

    def outcome(self) -> str:
        """Lowest frequencies, and the mode with the largest mass."""
        frequency, share = self.run["frequency"], self.run["effective_mass"] / self.case.built.mass
        lowest = ", ".join(significant(float(one)) for one in frequency[:3])
        first = "frequency is" if frequency.size == 1 else "frequencies are"
        most = int(np.argmax(share))
        return (
            f"The lowest natural {first} {lowest} Hz. Mode {most + 1} has the largest effective mass, "
            f"{significant(100.0 * float(share[most]), 3)} % of the beam's; all modes together have "
            f"{significant(100.0 * float(share.sum()), 3)} %."
        )

    def results(self) -> Tables:
        """All frequencies."""
        case, run, mass = self.case, self.run, self.case.built.mass
        rows = [
            (
                str(int(run["mode"][k])),
                significant(float(run["frequency"][k])),
                significant(float(run["angular_frequency"][k])),
                significant(100.0 * float(run["damping_ratio"][k]), 3),
                f"{100.0 * float(run['effective_mass'][k]) / mass:.2f}",
            )
            for k in range(min(case.modes, MOST_ROWS))
        ]
        header = ("mode", "frequency (Hz)", "angular frequency (rad/s)", "damping (%)", "effective mass (%)")
        title = "Modes" if case.modes <= MOST_ROWS else f"The first {MOST_ROWS} of {case.modes} modes"
        return [Table(title, header, rows)]

    def checks(self) -> Checks:
        """Whether the shapes are orthonormal."""
        return [check_limit("orthonormality error of the modes", self.found.orthonormality, ORTHONORMAL)]

    def inputs(self) -> Words:
        """The beam."""
        mass = quantity(self.case.built.mass, "kg")
        return [*beam_words(self.case.beam), ("mass", mass), ("modes", f"{self.case.modes}")]

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
