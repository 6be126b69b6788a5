"""A beam at rest under point forces and uniform loads, and its influence lines: exact.

An influence line is the effect of a force of 1 N at s at a fixed position, as a function of s
(Mueller-Breslau). By Betti's law that of the moment at x is the deflection of the beam with a kink of 1 rad
there, that of the shear force the deflection with a step of 1 m, and that of the deflection the one under 1 N
at x.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from traction import checks
from traction.beams.beam_description import BeamDescription, BeamFields, place_on
from traction.beams.exact.beam_states import SAME_PLACE, solve_states, split_beam
from traction.beams.exact.dynamic_stiffness import BeamShape, PartChain
from traction.beams.exact.modes import rigid_motions
from traction.errors import InputError
from traction.integrators.core.matrices import SingularError
from traction.outputs.beam_result import SHAPE_PLACES, BeamResult, places_axis
from traction.outputs.variable import Variable, axis, counter, data, figure

RESONANT = 1e-10  #: relative distance of squared frequencies within which there is no steady state
NEXT_TO = 1e-15  #: of the length of the beam, between positions that differ by rounding only
QUANTITIES = ("deflection", "moment", "shear")
FIELDS = (
    ("deflection", "m", "deflection, downwards"),
    ("rotation", "rad", "rotation of the section"),
    ("moment", "N m", "bending moment"),
    ("shear", "N", "shear force"),
)
UNITS = {"deflection": "m/N", "moment": "m", "shear": "1"}  #: of influence lines
JUMPS = {"moment": (1, -1.0), "shear": (0, 1.0)}  #: w or psi at a node, and by how much it jumps

MOST_WAVES = 1000  #: along the beam, of a harmonic load


@dataclass(frozen=True, eq=False, repr=False)
class Bending(BeamResult, BeamFields):
    """Static deflection, rotation, moment and shear force of a beam; result of `Beam.bend`."""

    _rows, _drawn = ("x",), "deflection"

    shape: BeamShape  #: exact shape
    places: np.ndarray  #: positions of the supports, m
    reactions: np.ndarray  #: upward forces of the supports on the beam, N
    moments: np.ndarray  #: moments of the supports on the beam, against its rotation, N m

    def _default_places(self) -> np.ndarray:
        return np.linspace(0.0, float(self.shape.breaks[-1]), SHAPE_PLACES)

    def _variables_at(self, x: np.ndarray) -> Iterator[Variable]:
        for name, unit in (("deflection", "m"), ("moment", "N m")):
            values = getattr(self, name)(self._default_places())
            yield figure(f"peak_{name}", float(values[np.abs(values).argmax()]), unit, f"largest {name}")
        yield figure("carried", float(self.reactions.sum()), "N", "force that the supports carry")
        yield places_axis(x)
        yield from field_variables(self, x)
        yield counter("support", self.places.size, "number of the support")
        yield data("support_place", self.places, "m", "place of the support", "support")
        yield data("reaction", self.reactions, "N", "upward force of the support", "support")
        yield data("support_moment", self.moments, "N m", "moment of the support", "support")

    def slope(self, x: ArrayLike) -> np.ndarray:
        """Return the slope w' at positions `x` (m)."""
        return self._sample("slope", x)

    def curvature(self, x: ArrayLike) -> np.ndarray:
        """Return the curvature w'' (1/m) at positions `x` (m)."""
        return self._sample("curvature", x)

    def _sample(self, quantity: str, x: ArrayLike) -> np.ndarray:
        return self.shape.at(quantity, checks.finite_points("x", x))


def field_variables(fields: BeamFields, x: np.ndarray) -> Iterator[Variable]:
    """Deflection, rotation, moment and shear force at places x (m)."""
    for name, unit, words in FIELDS:
        yield data(name, getattr(fields, name)(x), unit, words, "x")


def bend_beam(
    beam: BeamDescription,
    forces: Sequence[tuple[float, float]],
    loads: Sequence[float] | None = None,
    *,
    square: float = 0.0,
) -> Bending:
    """Static deflection under forces (N, position in m) and uniform loads (N/m), one for each segment.

    With `square` (1/s^2) the forces vibrate with that square of the frequency, or, where it is negative,
    the mass of the beam acts like a foundation.
    """
    require_answer(beam, square)
    even = [0.0] * len(beam.segments) if loads is None else loads
    cut = split_beam(beam, even, [x for _, x in forces], near=NEXT_TO)
    pushes = np.zeros(len(cut.ends))
    np.add.at(pushes, cut.at, [force for force, _ in forces])
    states = solve_states(cut, square, forces=pushes)
    push = np.abs(pushes).sum()
    push += sum(abs(p) * part.length for p, part in zip(cut.loads, cut.beam.segments, strict=True))
    # A resonance that counting missed because of rounding: a mode contributes F phi(x) phi(s)/(omega^2 -
    # square), and phi^2 is at most about 4 over the mass that moves (at the tip of a cantilever it is just
    # that), which is that of a segment or more.
    mass = min(segment.mass_per_length * segment.length for segment in beam.segments)
    if square > 0.0 and np.abs(states.starts[:, 0]).max() * mass * square * RESONANT > 4.0 * push:
        raise _resonance_error(square)
    reactions, moments = states.holding[cut.kept].T
    return Bending(states.shape, cut.ends[cut.kept], reactions, moments)


def require_answer(beam: BeamDescription, square: float) -> None:
    """Raise an error where the beam is not supported, or vibrates at a natural frequency.

    Next to one, rounding dominates. These frequencies are counted on the beam without
    cuts, since those of stiffnesses EI/l^3 of short parts are lost in rounding.
    """
    if square == 0.0:
        require_held(beam)
    if square <= 0.0:
        return
    near = square * (1.0 - RESONANT), square * (1.0 + RESONANT)
    chain = PartChain.at(beam, near[1])
    below, above = (chain.frequencies_below(one) for one in near)
    if below != above:
        raise _resonance_error(square)


def require_held(beam: BeamDescription) -> None:
    """Raise an error where a rigid-body motion is possible."""
    if rigid_motions(beam):
        raise InputError(
            "the supports do not hold the beam at rest: a rigid-body motion is possible. Support it at "
            "two positions, clamp an end, or give a foundation."
        )


def _resonance_error(square: float) -> SingularError:
    return SingularError(
        f"frequency = {math.sqrt(square):.9g} rad/s is a natural one of the beam (squares nearer than "
        f"{RESONANT:.0e}): without damping there is no steady state. Take another frequency, or "
        "steady_vibration of a beam with damping."
    )


@dataclass(frozen=True, eq=False, repr=False)
class InfluenceLine(BeamResult):
    """Influence line: a quantity at a fixed position for 1 N at any position s."""

    _rows, _drawn = ("x",), "influence"

    quantity: str  #: "deflection", "moment" or "shear"
    place: float  #: position x of the quantity, m
    shape: BeamShape  #: exact shape

    def _headline(self) -> str:
        return f"{self.quantity} at x = {self.place:g} m under 1 N"

    def _default_places(self) -> np.ndarray:
        return np.linspace(0.0, float(self.shape.breaks[-1]), SHAPE_PLACES)

    def _variables_at(self, x: np.ndarray) -> Iterator[Variable]:
        unit, words = UNITS[self.quantity], f"{self.quantity} at x = {self.place:g} m per force"
        largest = self.at(self._default_places())
        yield figure("peak", float(largest[np.abs(largest).argmax()]), unit, "largest value")
        yield axis("x", x, "m", "place of the force")
        yield data("influence", self.at(x), unit, words, "x")

    def at(self, s: ArrayLike) -> np.ndarray:
        """Return the quantity, per N, for a force at `s` (m); zero outside the beam."""
        return self.shape.at("deflection", checks.finite_points("s", s))

    def slope(self, s: ArrayLike) -> np.ndarray:
        """Return the derivative by `s` at positions `s` (m)."""
        return self.shape.at("slope", checks.finite_points("s", s))

    def curvature(self, s: ArrayLike) -> np.ndarray:
        """Return the second derivative by `s` at positions `s` (m)."""
        return self.shape.at("curvature", checks.finite_points("s", s))


def influence_line(
    beam: BeamDescription, quantity: str, x: float, *, side: str = "right", square: float = 0.0
) -> InfluenceLine:
    """Return the influence line of the deflection, moment or shear force of a beam.

    By Betti's law, exact: the influence line of the moment is the deflection with a kink of 1 rad at x
    (Mueller-Breslau).

    Parameters
    ----------
    beam
        The beam.
    quantity
        "deflection", "moment" or "shear".
    x
        Position of the quantity, m.
    side
        "right" or "left" of x for the shear force, which jumps at a support.
    square
        A negative value (1/s^2) lets the mass of the beam act like a foundation.

    Returns
    -------
    InfluenceLine
        The quantity per N, `line.at(s)`, for a force at s.

    Raises
    ------
    InputError
        If the position lies outside the beam, or the supports allow a rigid-body motion.

    Examples
    --------
    >>> beam = tr.Beam(10.0, 1e8, 1000.0, supports=("pinned", "pinned"))
    >>> print(f"{tr.influence_line(beam, 'moment', 5.0).at(5.0):.3f} N m per N")
    2.500 N m per N
    """
    if not isinstance(beam, BeamDescription):
        raise InputError(f"beam = {checks.shown(beam)} must be a tr.Beam.")
    checks.choice("quantity", quantity, QUANTITIES)
    checks.choice("side", side, ("right", "left"))
    place, square = place_on("x", x, beam.length), checks.finite("square", square, "1/s^2")
    EI, m = beam.sections[:, :2].T
    highest = float((EI / m).min() * (MOST_WAVES * math.pi / beam.length) ** 4)
    if square > highest:
        raise InputError(
            f"square = {square} 1/s^2 must be at most {highest:.3g}, where a mode has {MOST_WAVES} waves."
        )
    if quantity == "deflection":
        shape = bend_beam(beam, [(1.0, place)], square=square).shape
    else:
        shape = _dislocate(beam, place, *JUMPS[quantity], side == "right", square)
    return InfluenceLine(quantity, place, shape)


def _dislocate(
    beam: BeamDescription, x: float, row: int, jump: float, right: bool, square: float
) -> BeamShape:
    """Deflection where w (row 0) or psi (row 1) jumps by `jump` from the left of x to its right."""
    require_answer(beam, square)
    cut = split_beam(beam, [0.0] * len(beam.segments), [x], near=SAME_PLACE)
    at = int(cut.at[0])
    after = (right and at < len(cut.beam.segments)) or at == 0  # of the end, which its support holds
    jumps = np.zeros((len(cut.ends), 2, 2))
    jumps[at, int(after), row] = jump
    return solve_states(cut, square, jumps=jumps).shape
