"""A beam at rest under point forces and uniform loads: exact."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from traction.beams.beam_description import BeamDescription
from traction.beams.beam_fields import BeamFields
from traction.beams.exact.beam_shape import BeamShape
from traction.beams.exact.beam_states import solve_states
from traction.beams.exact.dynamic_stiffness import PartChain
from traction.beams.exact.modes import rigid_motions
from traction.beams.exact.split_at import CutBeam, split_beam
from traction.errors import InputError
from traction.integrators.core.matrices import SingularError

RESONANT = 1e-10  #: of the square of a frequency, distance to a natural one at which there is no answer
NEXT_TO = 1e-15  #: of the length of the beam, between places that differ by rounding only


@dataclass(frozen=True, eq=False)
class Bending(BeamFields):
    """Deflection, rotation, moment and shear force of a beam at rest."""

    shape: BeamShape
    places: np.ndarray  #: of the supports, m
    reactions: np.ndarray  #: upward forces of the supports on the beam, N
    moments: np.ndarray  #: of the supports on the beam, N m, that reduce the rotation

    def __repr__(self) -> str:
        carried = ", ".join(f"{force:.6g}" for force in self.reactions)
        return f"<Bending of a beam whose supports carry {carried} N>"

    def slope(self, x: ArrayLike) -> np.ndarray:
        """w' at places x (m)."""
        return self._sample("slope", x)

    def curvature(self, x: ArrayLike) -> np.ndarray:
        """w'' (1/m) at places x (m)."""
        return self._sample("curvature", x)

    def _sample(self, quantity: str, x: ArrayLike) -> np.ndarray:
        return self.shape.at(quantity, np.asarray(x, dtype=float))


def bend_beam(
    beam: BeamDescription,
    forces: Sequence[tuple[float, float]],
    loads: Sequence[float] | None = None,
    *,
    square: float = 0.0,
) -> Bending:
    """A beam under forces (N, place in m) and uniform loads (N/m), one for each segment, unless none.

    With `square` (1/s^2) the forces vibrate with that square of the frequency, or, where it is negative,
    the mass of the beam holds it like a foundation.
    """
    require_answer(beam, square)
    even = [0.0] * len(beam.segments) if loads is None else loads
    cut = split_beam(beam, even, [x for _, x in forces], near=NEXT_TO)
    pushes = np.zeros(len(cut.ends))
    np.add.at(pushes, cut.at, [force for force, _ in forces])
    states = solve_states(cut, square, forces=pushes)
    push = np.abs(pushes).sum() + _total_load(cut)
    if _exceeds_modes(beam, square, push, np.abs(states.starts[:, 0]).max()):
        raise _resonance_error(square)
    reactions, moments = states.holding[cut.kept].T
    return Bending(states.shape, cut.ends[cut.kept], reactions, moments)


def require_answer(beam: BeamDescription, square: float) -> None:
    """Raise an error where nothing holds the beam at rest, or it vibrates at a natural frequency.

    Next to one, digits of the answer are those of rounding. These frequencies are counted on the beam without
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
    """Raise an error where nothing holds the beam as a whole."""
    if rigid_motions(beam):
        raise InputError(
            "the supports do not hold the beam at rest: it can move as a whole. Support it at two places, "
            "clamp an end, or give a foundation."
        )


def _resonance_error(square: float) -> SingularError:
    return SingularError(
        f"frequency = {math.sqrt(square):.9g} rad/s is a natural one of the beam (squares nearer than "
        f"{RESONANT:.0e}): without damping there is no steady state. Take another frequency, or "
        "steady_vibration of a beam with damping."
    )


def _exceeds_modes(beam: BeamDescription, square: float, push: float, deflection: float) -> bool:
    """Whether a deflection is one of a resonance that counting did not find, for rounding.

    A mode gives F phi(x) phi(s)/(omega^2 - square), and phi^2 is at most about 4 over the mass that moves (at
    the tip of a cantilever it is just that), which is that of a segment or more.
    """
    mass = min(segment.mass_per_length * segment.length for segment in beam.segments)
    return square > 0.0 and deflection * mass * square * RESONANT > 4.0 * push


def _total_load(cut: CutBeam) -> float:
    """Of the uniform loads, N."""
    return float(sum(abs(p) * part.length for p, part in zip(cut.loads, cut.beam.segments, strict=True)))
