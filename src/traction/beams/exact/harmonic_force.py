"""A beam under F sin(Omega t) at a place: the steady state, and what modes leave out of it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from traction import checks
from traction.beams.damping import rates
from traction.beams.exact.modes import Modes
from traction.beams.exact.statics import Bending, bent, place_on
from traction.errors import InputError

if TYPE_CHECKING:
    from traction.beams.beam import Beam

CLEAR = 1e-3  #: relative distance of the square at which the rest is taken from those of all modes kept


@dataclass(frozen=True)
class HarmonicForce:
    """F sin(Omega t) at a place."""

    force: float  #: F, N
    place: float  #: m
    frequency: float  #: Omega, rad/s

    @classmethod
    def checked(cls, given: Any, beam: Beam) -> HarmonicForce:
        """What a user gave: (force in N, place in m, frequency in rad/s)."""
        try:
            force, place, frequency = given
        except (TypeError, ValueError):
            raise InputError(
                f"force = {checks.shown(given)} must be (N, place in m, frequency in rad/s)."
            ) from None
        return cls(
            checks.finite("force[0]", force, "N"),
            place_on("force[1]", place, beam.length),
            checks.positive("force[2]", frequency, "rad/s"),
        )


@dataclass(frozen=True, eq=False)
class Rest:
    """What the modes left out move by, per F sin(Omega t): they follow the force without delay.

    It is the exact vibration of the undamped beam at (nearly) the frequency of the force, less that of the
    modes kept; so 0 modes are exact without damping, and the rest of few modes needs no more of them.
    """

    whole: Bending
    modes: Modes
    shares: np.ndarray  #: of the modes kept in it

    @classmethod
    def of(cls, load: HarmonicForce, beam: Beam, modes: Modes) -> Rest:
        """Of the modes above those given."""
        if load.frequency >= modes.frequencies[-1]:
            raise InputError(
                f"the force has {load.frequency:.6g} rad/s, above the last of {len(modes)} modes "
                f"({modes.frequencies[-1]:.6g} rad/s); give more modes (size)."
            )
        square = load.frequency**2
        while (np.abs(modes.frequencies**2 - square) < CLEAR * square).any():
            square *= 1.0 - 4.0 * CLEAR
        whole = bent(
            beam.segments,
            beam.supports,
            [(load.force, load.place)],
            [0.0] * len(beam.segments),
            square=square,
        )
        shares = load.force * modes.deflection(load.place) / (modes.frequencies**2 - square)
        return cls(whole, modes, shares)

    def at(self, quantity: str, x: np.ndarray) -> np.ndarray:
        """A quantity at places x."""
        kept = np.tensordot(self.shares, getattr(self.modes, quantity)(x), axes=1)
        return np.asarray(getattr(self.whole, quantity)(x) - kept)


@dataclass(frozen=True, eq=False)
class SteadyVibration:
    """Steady state under F sin(Omega t): every quantity is Im(W(x) exp(i Omega t)) with a complex W."""

    load: HarmonicForce
    modes: Modes = field(repr=False)
    modal: np.ndarray  #: complex amplitudes of the modes
    rest: Rest = field(repr=False)

    def deflection(self, x: Any) -> np.ndarray:
        """Complex amplitude W of the deflection, m; its size is the amplitude, its angle the phase."""
        return self._at("deflection", x)

    def moment(self, x: Any) -> np.ndarray:
        """Complex amplitude of the bending moment, N m."""
        return self._at("moment", x)

    def shear(self, x: Any) -> np.ndarray:
        """Complex amplitude of the shear force, N."""
        return self._at("shear", x)

    def _at(self, quantity: str, x: Any) -> np.ndarray:
        places = checks.finite_array("x", x, unit="m").reshape(np.shape(x))
        kept = np.tensordot(self.modal, getattr(self.modes, quantity)(places), axes=1)
        return np.asarray(kept + self.rest.at(quantity, places))


def steady_vibration(beam: Beam, load: HarmonicForce, n: int) -> SteadyVibration:
    """By n modes with their damping, and the rest of all others without."""
    modes = beam.modes(n)
    rate, driven = rates(beam.damping, modes.frequencies), load.frequency
    dynamic = modes.frequencies**2 - driven**2 + 1j * rate * driven
    if (np.abs(dynamic) <= 1e-12 * driven**2).any():
        raise InputError(
            f"frequency = {driven:.9g} rad/s is a natural one of a beam without damping: there is no steady "
            "state. Give the beam a damping, or use vibrate, where the motion grows."
        )
    modal = load.force * modes.deflection(load.place) / dynamic
    return SteadyVibration(load, modes, modal, Rest.of(load, beam, modes))
