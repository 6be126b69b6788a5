"""A bridge that is an elastic strip, by its waves: without a mesh or beam theory.

Every point of its end sections is held along z and free along x: the same problem as that of a `BridgeMesh`
with ends "sections", whose exact solution is a series of waves. Those below a frequency move, those above it
follow at rest.
"""

from __future__ import annotations

import math

import numpy as np
from scipy.special import j1

from traction import checks
from traction.app.finite_elements.strip import ElasticStrip, strip_compliance
from traction.app.finite_elements.thick_beam import BeamUnderCylinder

SHORT = 20.0  #: ka of the shortest wave of the series, with the half width at rest
FEWEST = 8  #: waves that are computed, doubled until the last one is fast enough


class StripModes:
    """Modes of a strip under Hertz's pressure of a cylinder of some weight (N/m)."""

    def __init__(self, bridge: BeamUnderCylinder, weight: float, *, cutoff: float = 300.0) -> None:
        """Waves below `cutoff` (Hz) move."""
        self.bridge, self.weight = bridge, weight
        L, h, on = bridge.length, bridge.height, bridge.material
        n = np.arange(1, math.ceil(SHORT / self._half_width(weight) * L / math.pi) + 1)
        self.k = n * math.pi / L
        soft = (1.0 - on.poisson_ratio**2) / on.youngs_modulus
        self.soft = 4.0 * soft / (L * self.k) * strip_compliance(self.k * h)
        self.give = soft / (2.0 * math.pi)
        strip = moving_strip(bridge, cutoff)
        moving = strip.frequencies < 2.0 * math.pi * cutoff
        self._wave = np.nonzero(moving)[0]
        self.frequencies = strip.frequencies[moving]  #: rad/s
        self.top = math.sqrt(2.0 / L) * strip.top[moving]  #: largest u_z of the top

    def loads(self, place: float, force: float) -> np.ndarray:
        """Loads of the modes per force."""
        k = self.k[: self._wave[-1] + 1]
        return np.asarray(self.top * self._waves(k, place, force)[self._wave])

    def residual(self, place: float, force: float) -> float:
        """Drop of the cylinder per force that the modes do not have, m2/N."""
        moving = np.sum((self.loads(place, force) / self.frequencies) ** 2)
        return self.compliance(place, force) - float(moving)

    def compliance(self, place: float, force: float) -> float:
        """Drop of the cylinder at rest per force, m2/N."""
        return float(self.soft @ self._waves(self.k, place, force) ** 2) + self.give

    def _waves(self, k: np.ndarray, place: float, force: float) -> np.ndarray:
        """Part of each wave in Hertz's pressure, 2 J1(ka)/(ka) at its middle."""
        ka = k * self._half_width(force)
        return np.asarray(2.0 * j1(ka) / ka * np.sin(k * place))

    def _half_width(self, force: float) -> float:
        return self.bridge.patch_width(force, self.weight)


def moving_strip(bridge: BeamUnderCylinder, cutoff: float) -> ElasticStrip:
    """All waves between two supports with a branch below `cutoff` (Hz), and at least one without."""
    limit = 2.0 * math.pi * checks.positive("cutoff", cutoff, "Hz")
    waves = FEWEST
    while True:
        strip = ElasticStrip(
            bridge.height, bridge.material, math.pi / bridge.length * np.arange(1, waves + 1)
        )
        if strip.frequencies[-1, 0] > limit:
            return strip
        waves *= 2
