"""Bending modes and the same local compliance everywhere, as in `tr.cross`: of a beam, or of a strip.

`of_beam` has the frequencies, shapes, deflections and approach of Timoshenko's beam and of a half plane.
`of_strip` has those of the top of an elastic strip: its bending waves, a shear coefficient of 5/(6 (1 - nu))
at rest and the approach of `top_length`. Their difference is what beam theory leaves out.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from traction import checks
from traction.app.finite_elements.strip_modes import moving_strip, top_length, top_shear_coefficient
from traction.app.finite_elements.thick_beam import BeamUnderCylinder, neutral_length, shear_coefficient


@dataclass(frozen=True, eq=False)
class SplitModes:
    """Modes with shapes top sin(n pi x/L), and the compliance of all others at rest."""

    bridge: BeamUnderCylinder
    weight: float  #: of the cylinder, N/m
    frequencies: np.ndarray  #: rad/s
    top: np.ndarray  #: amplitudes of modes of unit mass
    shear: float  #: coefficient k at rest
    length: float  #: of the approach, m
    beyond: tuple[np.ndarray, np.ndarray] | None = None  #: places, compliances beyond this theory; m, m2/N

    @classmethod
    def of_beam(cls, bridge: BeamUnderCylinder, weight: float, *, cutoff: float = 300.0) -> SplitModes:
        """Timoshenko's, whose bending modes below `cutoff` (Hz) move."""
        fast, on = (2.0 * math.pi * checks.positive("cutoff", cutoff, "Hz")) ** 2, bridge.beam.segments[0]
        m, J, EI, S = on.mass_per_length, on.rotary_inertia, on.bending_stiffness, 1.0 / on.shear_compliance
        half = 0.5 * fast * (m * EI + J * S)
        shortest = math.sqrt((half + math.sqrt(half**2 - S * EI * m * fast * (J * fast - S))) / (S * EI))
        k = math.pi / bridge.length * np.arange(1, max(1, int(shortest * bridge.length / math.pi)) + 1)
        middle = m * (EI * k**2 + S) + J * S * k**2
        square = 2.0 * S * EI * k**4 / (middle + np.sqrt(middle**2 - 4.0 * m * J * S * EI * k**4))
        turning = k * S / (EI * k**2 + S - J * square)
        shapes = np.sqrt(2.0 / bridge.length / (m + J * turning**2))
        coefficient = shear_coefficient(bridge.material.poisson_ratio)
        length = neutral_length(bridge.height, bridge.material)
        return cls(bridge, weight, np.sqrt(square), shapes, coefficient, length)

    @classmethod
    def of_strip(cls, bridge: BeamUnderCylinder, weight: float, *, cutoff: float = 300.0) -> SplitModes:
        """The bending waves of a strip below `cutoff` (Hz)."""
        strip = moving_strip(bridge, cutoff)
        slow = strip.frequencies[:, 0] < 2.0 * math.pi * cutoff
        top = math.sqrt(2.0 / bridge.length) * np.abs(strip.top[slow, 0])
        coefficient = top_shear_coefficient(bridge.material.poisson_ratio)
        length = top_length() * bridge.height
        return cls(bridge, weight, strip.frequencies[slow, 0], top, coefficient, length)

    def loads(self, place: float, _: float) -> np.ndarray:
        """Loads of the modes per force."""
        k = math.pi / self.bridge.length * np.arange(1, self.top.size + 1)
        return np.asarray(self.top * np.sin(k * place))

    def residual(self, place: float, force: float) -> float:
        """Drop of the cylinder per force that the modes do not have, m2/N."""
        moving = np.sum((self.loads(place, force) / self.frequencies) ** 2)
        return self.compliance(place, force) - float(moving)

    def compliance(self, place: float, force: float) -> float:
        """Drop of the cylinder at rest per force, m2/N."""
        L, arms = self.bridge.length, place * (self.bridge.length - place)
        bending = arms**2 / (3.0 * L * self.bridge.beam.segments[0].bending_stiffness)
        more = 0.0 if self.beyond is None else float(np.interp(place, *self.beyond))
        return bending + arms / (L * _shear(self.bridge, self.shear)) + self._approach(force) + more

    def _approach(self, force: float) -> float:
        """Of a half plane per force, 2/(pi E*) (ln(2 l/a) + 1/2), m2/N."""
        a = self.bridge.patch_width(force, self.weight)
        soft = (1.0 - self.bridge.material.poisson_ratio**2) / self.bridge.material.youngs_modulus
        return 2.0 * soft / math.pi * (math.log(2.0 * self.length / a) + 0.5)


def _shear(bridge: BeamUnderCylinder, coefficient: float) -> float:
    """K G h, N/m."""
    on = bridge.material
    return coefficient * on.youngs_modulus / (2.0 * (1.0 + on.poisson_ratio)) * bridge.height
