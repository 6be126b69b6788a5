"""Kind "modes": natural frequencies and mode shapes of a beam, exact to rounding."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING, Annotated, Any, Self

import numpy as np
from pydantic import Field as Limits
from pydantic import model_validator

from traction.beams.beam import Beam
from traction.beams.damping import ratios
from traction.beams.exact.modes import Modes
from traction.kinds.registry import KeyFigure, Kind
from traction.kinds.tables.beam_tables import MOST_MODES, BeamTable, beam_words, line_along
from traction.quantities import significant
from traction.results.field import Coordinate, Field
from traction.scenario.schema import Strict
from traction.view.report import Table

if TYPE_CHECKING:
    from matplotlib.figure import Figure

Samples = dict[str, Any]
State = dict[str, np.ndarray]
ORTHONORMAL = 1e-10  #: limit of the check
MOST_DRAWN, MOST_ROWS = 8, 60
GAUSS = np.polynomial.legendre.leggauss(16)  #: on each part, which is short against the waves of the modes

FIELDS = (
    Field("mode", "1", "number of the mode", dtype="int64", labels_samples=True),
    Field("frequency", "Hz", "natural frequency"),
    Field("angular_frequency", "rad/s", "natural frequency"),
    Field("damping_ratio", "1", "share of critical damping"),
    Field("effective_mass", "kg", "mass that takes part when the supports move up and down"),
    Field("deflection", "kg^-1/2", "deflection of the orthonormal mode", ("x",)),
    Field("moment", "N kg^-1/2", "bending moment of the orthonormal mode", ("x",)),
)


class ModesCase(Strict):
    """A beam whose lowest modes are asked for."""

    title: Annotated[str, Limits(max_length=200)] = "Natural modes of a beam"
    beam: BeamTable
    modes: Annotated[int, Limits(ge=1, le=MOST_MODES)] = 10
    points: Annotated[int, Limits(ge=2, le=10_001)] = 201
    """along the beam, at which shapes are stored"""

    @model_validator(mode="after")
    def _consistent(self) -> Self:
        self.beam.require_ratios(self.modes)
        return self

    @cached_property
    def built(self) -> Beam:
        """The beam."""
        return self.beam.build()


class ModesStepper:
    """One mode after the other."""

    fields = FIELDS

    def __init__(self, case: ModesCase) -> None:
        self.case, self.beam = case, case.built

    @property
    def coordinates(self) -> tuple[Coordinate, ...]:
        """Places of the shapes."""
        return (Coordinate("x", line_along(self.beam, self.case.points), "m", "distance from the start"),)

    @property
    def total(self) -> int:
        """Number of modes."""
        return self.case.modes

    def initial(self) -> State:
        """Before the first mode."""
        return {"mode": np.array(0)}

    def advance(self, state: State) -> tuple[State, dict[str, Any]]:
        """The next mode; all of them are found at once, and kept by the beam."""
        k = int(state["mode"])
        return {"mode": np.array(k + 1)}, {name: values[k] for name, values in self._found.items()}

    @cached_property
    def _found(self) -> dict[str, np.ndarray]:
        modes = self.beam.modes(self.case.modes)
        x, omega = line_along(self.beam, self.case.points), modes.frequencies
        return {
            "mode": np.arange(1, omega.size + 1),
            "frequency": omega / (2.0 * math.pi),
            "angular_frequency": omega,
            "damping_ratio": ratios(self.beam.damping, omega),
            "effective_mass": _moved_mass(self.beam, modes) ** 2,
            "deflection": modes.deflection(x),
            "moment": modes.moment(x),
        }


def key_figures(case: ModesCase, samples: Samples) -> Sequence[KeyFigure]:
    """The first frequencies."""
    found: list[KeyFigure] = [
        (f"frequency of mode {k + 1}", float(samples["frequency"][k]), "Hz")
        for k in range(min(case.modes, 3))
    ]
    share = float(np.sum(samples["effective_mass"])) / case.built.mass
    return [*found, ("mass that takes part in these modes, of all", share, "1")]


def tables(case: ModesCase, samples: Samples) -> Sequence[Table]:
    """What went in, all frequencies, and whether the shapes are orthonormal."""
    inputs = [
        *beam_words(case.beam),
        ("mass", f"{significant(case.built.mass)} kg"),
        ("modes", f"{case.modes}"),
    ]
    rows = [
        (
            str(int(samples["mode"][k])),
            significant(float(samples["frequency"][k]), 6),
            significant(float(samples["angular_frequency"][k]), 6),
            f"{100.0 * float(samples['damping_ratio'][k]):.3g}",
            f"{100.0 * float(samples['effective_mass'][k]) / case.built.mass:.3f}",
        )
        for k in range(min(case.modes, MOST_ROWS))
    ]
    header = ("mode", "frequency (Hz)", "(rad/s)", "damping (%)", "mass that takes part (%)")
    title = "Modes" if case.modes <= MOST_ROWS else f"The first {MOST_ROWS} of {case.modes} modes"
    error = orthonormality(case.built, case.built.modes(case.modes))
    verdict = "passed" if error <= ORTHONORMAL else "missed"
    check = ("largest error of orthonormal modes", f"{error:.1e}", f"{ORTHONORMAL:g}", verdict)
    return [
        Table("Inputs", ("quantity", "value"), inputs),
        Table(title, header, rows),
        Table("Checks", ("check", "found", "limit", "verdict"), [check]),
    ]


def figures(case: ModesCase, samples: Samples) -> Sequence[tuple[str, str, Figure]]:
    """Shapes of the lowest modes, and all frequencies."""
    from traction.view import figures as view
    from traction.view.bridges import mode_plot

    shown = min(case.modes, MOST_DRAWN)
    figure = view.blank_figure(8.0, 1.6 + 0.75 * shown)
    mode_plot(case.built, shown, figure.add_subplot(), title=f"The lowest {shown} modes")
    words = "Shapes of the lowest modes; squares are clamped, triangles pinned or on springs."
    drawn = [("modes", words, figure)]
    if case.modes > 1:
        figure = view.blank_figure(8.0)
        axes = figure.add_subplot()
        axes.plot(samples["mode"], samples["frequency"], "o", color=view.BLUE, ms=5.0)
        view.style_axes(axes, "mode", "frequency (Hz)", "Natural frequencies")
        drawn.append(("frequencies", "Natural frequencies of all modes that were asked for.", figure))
    return drawn


def orthonormality(beam: Beam, modes: Modes) -> float:
    """Largest difference of the modal mass matrix from the unit matrix."""
    x, mass, rotary = _quadrature(beam, modes)
    w, psi = modes.deflection(x), modes.rotation(x)
    found = (w * mass) @ w.T + (psi * rotary) @ psi.T
    return float(np.abs(found - np.eye(len(modes))).max())


def _moved_mass(beam: Beam, modes: Modes) -> np.ndarray:
    """Integral of m w_i along the beam, sqrt(kg)."""
    x, mass, _ = _quadrature(beam, modes)
    return np.asarray(modes.deflection(x) @ mass)


def _quadrature(beam: Beam, modes: Modes) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
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


KIND = Kind(
    name="modes",
    summary="natural frequencies and mode shapes of a beam",
    schema=ModesCase,
    stepper=ModesStepper,
    key_figures=key_figures,
    tables=tables,
    figures=figures,
)
