"""One mode after the other; all of them are found at once."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

import numpy as np

from traction.beams.beam import Beam
from traction.beams.beam_description import ratios
from traction.beams.exact.modes import Modes
from traction.kinds.kind import KeyFigures, TableStepper
from traction.kinds.modes.schema import ModesCase
from traction.kinds.tables.beam_tables import line_along
from traction.results.field import Coordinate, Layout, field_table
from traction.results.stored_run import StoredRun

GAUSS = np.polynomial.legendre.leggauss(16)  #: on each part, which is short against the waves of the modes

FIELDS = field_table("""
    mode | 1 | number of the mode | | int64, labels samples
    frequency | Hz | natural frequency
    angular_frequency | rad/s | natural frequency
    damping_ratio | 1 | share of critical damping
    effective_mass | kg | mass that takes part when the supports move up and down
    deflection | kg^-1/2 | deflection of the orthonormal mode | x
    moment | N kg^-1/2 | bending moment of the orthonormal mode | x
""")


@dataclass(frozen=True)
class ModesFindings:
    """Data of all modes together."""

    orthonormality: float  #: largest difference of the modal mass matrix from the unit matrix


class ModesStepper(TableStepper[ModesCase]):
    """One mode after the other."""

    whole = ("deflection",)

    @cached_property
    def layout(self) -> Layout:
        """Numbers and shape of every mode."""
        x = line_along(self.case.built, self.case.points)
        return Layout(FIELDS, self.case.modes, (Coordinate("x", x, "m", "distance from the start"),))

    @cached_property
    def modes(self) -> Modes:
        """All of them."""
        return self.case.built.modes(self.case.modes)

    @cached_property
    def rows(self) -> dict[str, np.ndarray]:
        """All samples of each field."""
        modes, beam = self.modes, self.case.built
        x, omega = line_along(beam, self.case.points), modes.frequencies
        return {
            "mode": np.arange(1, omega.size + 1),
            "frequency": omega / (2.0 * math.pi),
            "angular_frequency": omega,
            "damping_ratio": ratios(beam.damping, omega),
            "effective_mass": _integrate_mass(beam, modes) ** 2,
            "deflection": modes.deflection(x),
            "moment": modes.moment(x),
        }

    def findings(self, run: StoredRun) -> ModesFindings:
        """Whether the shapes are orthonormal."""
        modes = self.modes
        x, mass, rotary = _make_quadrature(self.case.built, modes)
        w, psi = modes.deflection(x), modes.rotation(x)
        found = (w * mass) @ w.T + (psi * rotary) @ psi.T
        return ModesFindings(float(np.abs(found - np.eye(len(modes))).max()))

    def key_figures(self, run: StoredRun) -> KeyFigures:
        """The first frequencies."""
        for k in range(min(self.case.modes, 3)):
            yield f"frequency of mode {k + 1}", float(run["frequency"][k]), "Hz"
        share = float(np.sum(run["effective_mass"])) / self.case.built.mass
        yield "effective modal mass ratio", share, "1"


def _integrate_mass(beam: Beam, modes: Modes) -> np.ndarray:
    """Integral of m w_i along the beam, sqrt(kg)."""
    x, mass, _ = _make_quadrature(beam, modes)
    return np.asarray(modes.deflection(x) @ mass)


def _make_quadrature(beam: Beam, modes: Modes) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Gauss' points on the parts of the highest mode, with their shares of m and rho I."""
    breaks = np.unique(np.concatenate([beam.ends, np.ravel(modes.shapes[-1].breaks)]))
    fine = np.unique(np.concatenate([np.linspace(a, b, 3) for a, b in pairwise(breaks)]))
    half = 0.5 * np.diff(fine)
    x = (fine[:-1] + half)[:, None] + half[:, None] * GAUSS[0]
    weights = (half[:, None] * GAUSS[1]).ravel()
    sections = [beam.segment_at(float(middle)) for middle in fine[:-1] + half]
    mass, rotary = (
        np.repeat([getattr(one, name) for one in sections], GAUSS[0].size)
        for name in ("mass_per_length", "rotary_inertia")
    )
    return x.ravel(), weights * mass, weights * rotary
