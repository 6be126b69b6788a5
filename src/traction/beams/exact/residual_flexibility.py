"""`ResidualFlexibility`: response of the neglected modes, at rest and in a steady vibration.

Modes above the last one kept follow a force as if at rest. With G(x, s) the deflection at x of the whole beam
at rest under 1 N at s, theirs is

    r(x, s) = G(x, s) - sum_i phi_i(x) phi_i(s)/omega_i^2

over the modes kept, and likewise for moments and shear forces with their lines. Taken at a square sigma of a
frequency, G belongs to K - sigma M and the sum to 1/(omega_i^2 - sigma): of a force that is slow beside the
neglected modes, r is the same. Where the beam can move as a whole it has no rest; there r is a sum of such
terms at two negative sigma, at which mass acts like a foundation, with factors that leave an error of
(sigma/omega^2)^2 of the neglected modes. Under F sin(Omega t) modes kept are damped, all others follow by
their flexibility.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cached_property, lru_cache

import numpy as np
from numpy.typing import ArrayLike

from traction import checks
from traction.beams.beam_description import BeamDescription, BeamFields, place_on, rates
from traction.beams.exact.modes import Modes, natural_modes
from traction.beams.exact.statics import InfluenceLine, bend_beam, influence_line
from traction.errors import InputError
from traction.outputs.beam_result import SHAPE_PLACES, BeamResult, places_axis
from traction.outputs.variable import Variable, data, figure, number

SLOW = 1e-3  #: -sigma over the square of the lowest frequency above zero, of a beam that can move as a whole
Shifts = tuple[tuple[float, float], ...]  #: factor and sigma (1/s^2) of each term
CLEAR = 1e-3  #: relative distance of the square of the residual from those of all modes kept


@dataclass(frozen=True, eq=False)
class ResidualFlexibility:
    """Flexibility of the modes of a beam above those kept."""

    beam: BeamDescription
    modes: Modes  #: those kept
    shifts: Shifts

    @classmethod
    def of(cls, beam: BeamDescription, size: int) -> ResidualFlexibility:
        """Flexibility of all modes but the lowest `size`, under slow forces."""
        modes = natural_modes(beam, size)
        if modes.frequencies[0] > 0.0:
            return cls(beam, modes, ((1.0, 0.0),))
        sigma = SLOW * find_lowest_elastic(beam) ** 2
        return cls(beam, modes, ((2.0, -sigma), (-1.0, -2.0 * sigma)))

    @cached_property
    def of_modes(self) -> np.ndarray:
        """Shares of the modes kept: sum of factor/(omega_i^2 - sigma), s^2."""
        square = self.modes.frequencies**2
        return np.asarray(sum(factor / (square - sigma) for factor, sigma in self.shifts))

    def lines(self, quantity: str, x: float, side: str = "right") -> list[tuple[float, InfluenceLine]]:
        """Influence lines of a quantity at x whose sum, with these factors, is that of the whole beam."""
        return [(factor, _find_line(self.beam, quantity, x, side, sigma)) for factor, sigma in self.shifts]

    def under(self, s: float, force: float = 1.0) -> Callable[[str, np.ndarray], np.ndarray]:
        """The function of (quantity, positions x in m) that is r of a force (N) at s (m)."""
        weight = force * self.modes.deflection(s)
        whole = [bend_beam(self.beam, [(force, s)], square=sigma) for _, sigma in self.shifts]

        def at(quantity: str, x: np.ndarray) -> np.ndarray:
            shapes, total = getattr(self.modes, quantity)(x), np.zeros(np.shape(x))
            for (factor, sigma), bending in zip(self.shifts, whole, strict=True):
                kept = np.tensordot(weight / (self.modes.frequencies**2 - sigma), shapes, axes=1)
                total = total + factor * (getattr(bending, quantity)(x) - kept)
            return total

        return at


def find_lowest_elastic(beam: BeamDescription) -> float:
    """Lowest frequency above zero, rad/s."""
    omega = natural_modes(beam, 3).frequencies
    return float(omega[omega > 0.0][0])


@lru_cache(maxsize=1024)
def _find_line(beam: BeamDescription, quantity: str, x: float, side: str, sigma: float) -> InfluenceLine:
    return influence_line(beam, quantity, x, side=side, square=sigma)


@dataclass(frozen=True)
class HarmonicForce:
    """F sin(Omega t) at a position."""

    force: float  #: amplitude F, N
    place: float  #: position, m
    frequency: float  #: Omega, rad/s

    @classmethod
    def checked(cls, given: tuple[float, float, float], length: float) -> HarmonicForce:
        """From (force in N, position in m, frequency in rad/s), on a beam of a length (m)."""
        words = "(force in N, position in m, frequency in rad/s)"
        force, place, frequency = checks.parts("force", given, 3, words)
        return cls(
            checks.finite("force[0]", force, "N"),
            place_on("force[1]", place, length),
            checks.positive("force[2]", frequency, "rad/s"),
        )


@dataclass(frozen=True, eq=False)
class ResidualVibration:
    """Amplitude by which the neglected modes follow F sin(Omega t), without delay.

    It is the exact vibration of the undamped beam at (nearly) the frequency of the force, minus that of the
    modes kept; so 0 modes are exact without damping, and the residual of few modes needs no more of them.
    """

    at: Callable[[str, np.ndarray], np.ndarray]  #: a quantity at positions x

    @classmethod
    def of(cls, load: HarmonicForce, beam: BeamDescription, modes: Modes) -> ResidualVibration:
        """Residual of the modes above those given."""
        if load.frequency >= modes.frequencies[-1]:
            raise InputError(
                f"the force has {load.frequency:.6g} rad/s, above the last of {len(modes)} modes "
                f"({modes.frequencies[-1]:.6g} rad/s); give more modes (size)."
            )
        square = load.frequency**2
        while (np.abs(modes.frequencies**2 - square) < CLEAR * square).any():
            square *= 1.0 - 4.0 * CLEAR
        return cls(ResidualFlexibility(beam, modes, ((1.0, square),)).under(load.place, load.force))


@dataclass(frozen=True, eq=False, repr=False)
class SteadyVibration(BeamResult, BeamFields):
    """Steady state under F sin(Omega t): fields are complex amplitudes W of Im(W(x) exp(i Omega t)).

    The magnitude of W is the amplitude, its angle the phase.
    """

    _rows, _drawn = ("x",), "deflection_amplitude"

    load: HarmonicForce  #: the harmonic force
    modes: Modes = field(repr=False)  #: modes with damping
    modal: np.ndarray  #: complex amplitudes of the modes
    rest: ResidualVibration = field(repr=False)  #: contribution of the neglected modes

    def _default_places(self) -> np.ndarray:
        return np.linspace(0.0, self.modes.length, SHAPE_PLACES)

    def _variables_at(self, x: np.ndarray) -> Iterator[Variable]:
        most = float(np.abs(self.deflection(self._default_places())).max())
        yield figure("peak_deflection", most, "m", "largest amplitude")
        yield figure("frequency", self.load.frequency / (2.0 * np.pi), "Hz", "frequency of the force")
        yield figure("force", self.load.force, "N", "amplitude of the force")
        yield number("force_place", self.load.place, "m", "place of the force")
        yield places_axis(x)
        for name, unit in (("deflection", "m"), ("moment", "N m"), ("shear", "N")):
            values = getattr(self, name)(x)
            yield data(f"{name}_amplitude", np.abs(values), unit, f"amplitude of the {name}", "x")
            yield data(f"{name}_phase", np.angle(values), "rad", f"phase of the {name}", "x")

    def _sample(self, quantity: str, x: ArrayLike) -> np.ndarray:
        places = checks.finite_array("x", x, unit="m").reshape(np.shape(x))
        kept = np.tensordot(self.modal, getattr(self.modes, quantity)(places), axes=1)
        return np.asarray(kept + self.rest.at(quantity, places))


def steady_vibration(beam: BeamDescription, load: HarmonicForce, n: int) -> SteadyVibration:
    """Steady vibration by n damped modes, and all others undamped."""
    modes = natural_modes(beam, n)
    rate, driven = rates(beam.damping, modes.frequencies), load.frequency
    dynamic = modes.frequencies**2 - driven**2 + 1j * rate * driven
    if (np.abs(dynamic) <= 1e-12 * driven**2).any():
        raise InputError(
            f"frequency = {driven:.9g} rad/s is a natural one of a beam without damping: there is no steady "
            "state. Give the beam a damping, or use vibrate, where the motion grows."
        )
    modal = load.force * modes.deflection(load.place) / dynamic
    return SteadyVibration(load, modes, modal, ResidualVibration.of(load, beam, modes))
