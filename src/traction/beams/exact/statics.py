"""A beam at rest under point forces and uniform loads: exact."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from traction import checks
from traction.beams.exact.beam_states import beam_states
from traction.beams.exact.dynamic_stiffness import Chain, SingularError
from traction.beams.exact.modes import Shape, rigid_motions
from traction.beams.exact.split_at import Cut, cut_at
from traction.beams.segment import Segment
from traction.beams.supports import Support
from traction.errors import InputError

RESONANT = 1e-10  #: of the square of a frequency, distance to a natural one at which there is no answer
NEXT_TO = 1e-15  #: of the length of the beam, between places that differ by rounding only


@dataclass(frozen=True, eq=False)
class Bending:
    """Deflection, rotation, moment and shear force of a beam at rest."""

    shape: Shape
    places: np.ndarray  #: of the supports, m
    reactions: np.ndarray  #: upward forces of the supports on the beam, N
    moments: np.ndarray  #: of the supports on the beam, N m, that reduce the rotation

    def __repr__(self) -> str:
        carried = ", ".join(f"{force:.6g}" for force in self.reactions)
        return f"<Bending of a beam whose supports carry {carried} N>"

    def deflection(self, x: Any) -> np.ndarray:
        """w (m), downwards, at places x (m)."""
        return self.shape.at("deflection", np.asarray(x, dtype=float))

    def slope(self, x: Any) -> np.ndarray:
        """w'."""
        return self.shape.at("slope", np.asarray(x, dtype=float))

    def rotation(self, x: Any) -> np.ndarray:
        """psi of the sections."""
        return self.shape.at("rotation", np.asarray(x, dtype=float))

    def curvature(self, x: Any) -> np.ndarray:
        """w'' (1/m)."""
        return self.shape.at("curvature", np.asarray(x, dtype=float))

    def moment(self, x: Any) -> np.ndarray:
        """M (N m), sagging positive."""
        return self.shape.at("moment", np.asarray(x, dtype=float))

    def shear(self, x: Any) -> np.ndarray:
        """V = M' (N); at a point force the value to its right."""
        return self.shape.at("shear", np.asarray(x, dtype=float))


def bent(
    segments: tuple[Segment, ...],
    supports: tuple[Support, ...],
    forces: Sequence[tuple[float, float]],
    loads: Sequence[float],
    *,
    square: float = 0.0,
) -> Bending:
    """A beam under forces (N, place in m) and a uniform load (N/m) on each segment.

    With `square` (1/s^2) the forces vibrate with that square of the frequency, or, where it is negative,
    the mass of the beam holds it like a foundation.
    """
    with_an_answer(segments, supports, square)
    cut = cut_at(segments, supports, loads, [x for _, x in forces], near=NEXT_TO)
    pushes = np.zeros(len(cut.ends))
    np.add.at(pushes, cut.at, [force for force, _ in forces])
    states = beam_states(cut, square, forces=pushes)
    if _beyond_modes(
        segments, square, np.abs(pushes).sum() + _weight(cut), np.abs(states.starts[:, 0]).max()
    ):
        raise _natural(square)
    reactions, moments = states.holding[cut.kept].T
    return Bending(states.shape, cut.ends[cut.kept], reactions, moments)


def with_an_answer(segments: tuple[Segment, ...], supports: tuple[Support, ...], square: float) -> None:
    """Raise an error where nothing holds the beam at rest, or it vibrates at a natural frequency.

    Next to one, digits of the answer are those of rounding. These frequencies are counted on the beam without
    cuts, since those of stiffnesses EI/l^3 of short parts are lost in rounding.
    """
    if square == 0.0:
        held_at_rest(segments, supports)
    if square <= 0.0:
        return
    near = square * (1.0 - RESONANT), square * (1.0 + RESONANT)
    chain = Chain.at(segments, supports, near[1])
    below, above = (chain.frequencies_below(one) for one in near)
    if below != above:
        raise _natural(square)


def _natural(square: float) -> SingularError:
    return SingularError(
        f"frequency = {math.sqrt(square):.9g} rad/s is a natural one of the beam (squares nearer than "
        f"{RESONANT:.0e}): without damping there is no steady state. Take another frequency, or "
        "steady_vibration of a beam with damping."
    )


def _beyond_modes(segments: tuple[Segment, ...], square: float, push: float, deflection: float) -> bool:
    """Whether a deflection tells of a resonance that counting did not find, for rounding.

    A mode gives F phi(x) phi(s)/(omega^2 - square), and phi^2 is at most about 4 over the mass that moves (at
    the tip of a cantilever it is just that), which is that of a segment or more.
    """
    mass = min(segment.mass_per_length * segment.length for segment in segments)
    return square > 0.0 and deflection * mass * square * RESONANT > 4.0 * push


def _weight(cut: Cut) -> float:
    """Of the uniform loads, N."""
    return float(sum(abs(p) * segment.length for p, segment in zip(cut.loads, cut.segments, strict=True)))


def held_at_rest(segments: tuple[Segment, ...], supports: tuple[Support, ...]) -> None:
    """Raise an error where nothing holds the beam as a whole."""
    if rigid_motions(segments, supports):
        raise InputError(
            "the supports do not hold the beam at rest: it can move as a whole. Support it at two places, "
            "clamp an end, or give a foundation."
        )


def place_on(name: str, x: Any, length: float) -> float:
    """A place on a beam."""
    place = checks.finite(name, x, "m")
    if not 0.0 <= place <= length:
        raise InputError(f"{name} = {place} m lies off the beam, which reaches from 0 to {length} m.")
    return place
