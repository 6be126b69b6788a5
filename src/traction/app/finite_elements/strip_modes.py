"""An elastic strip in plane strain, exactly: compliance and waves of its top, and a bridge made of it.

A load p sin kx on the top of a strip of thickness h deflects it at rest by S(k) p sin kx,

    S = 2 (1 - nu^2)/(E k) (sinh kh cosh kh + kh)/(sinh^2 kh - (kh)^2)
      = 1/(EI k^4) + 1/(k_t G h k^2) + ...,  k_t = 5/(6 (1 - nu)),  EI = E h^3/(12 (1 - nu^2)),

and it moves in waves with u_x cos kx, u_z sin kx. Those with k = n pi/L satisfy ends that are held along z
and free along x. Polynomials over the depth give their frequencies and their motion of the top.

`StripModes` is such a bridge, without a mesh or beam theory: the exact solution of the same problem as that
of a `BridgeMesh` with ends "sections". Waves below a frequency move, those above it follow at rest.
"""

from __future__ import annotations

import math
from functools import lru_cache

import numpy as np
from numpy.polynomial import legendre
from scipy.integrate import quad
from scipy.special import j1

from traction import checks
from traction.app.finite_elements.elasticity import lame_constants
from traction.app.finite_elements.thick_beam import BeamUnderCylinder
from traction.materials import Material

DEGREE = 14  #: of the polynomials over the depth
DEEP = 30.0  #: kh from which the strip is a half plane
SHALLOW = 0.3  #: kh below which the series of what beam and half plane leave is used
SHORT = 20.0  #: ka of the shortest wave of the series, with the half width at rest
FEWEST = 8  #: waves that are computed, doubled until the last one is fast enough


def top_shear_coefficient(poisson_ratio: float) -> float:
    """k_t of a strip whose top is loaded, and whose top is observed: 5/(6 (1 - nu))."""
    return 5.0 / (6.0 * (1.0 - poisson_ratio))


def strip_compliance(kh: np.ndarray) -> np.ndarray:
    """S(k) over that of the half plane, 2 (1 - nu^2)/(E k)."""
    x = np.minimum(kh, DEEP)
    return np.asarray((np.sinh(x) * np.cosh(x) + x) / (np.sinh(x) ** 2 - x**2))


@lru_cache(maxsize=1)
def top_length() -> float:
    """Reference length of a line contact on the top of a strip, over its thickness: 0.2048.

    The approach 2 F/(pi E*) (ln(2 l/a) + 1/2) is what S has beyond the bending and the shear of its series,
    integrated over all waves, for patches that are small beside the thickness. The half plane alone has
    ln(h/a) + C between kh = 1 and waves as short as the patch, C = ln 2 - gamma + 1/4; the shape of the
    cylinder adds 1/4.
    """

    def beyond(x: float) -> float:
        if x < SHALLOW:
            return 32.0 * x / 175.0 - 2.0 * x**3 / 7875.0
        return float(strip_compliance(np.asarray(x))) - 6.0 / x**3 - 6.0 / (5.0 * x)

    near = quad(lambda x: beyond(x) / x, 0.0, SHALLOW)[0] + quad(lambda x: beyond(x) / x, SHALLOW, 1.0)[0]
    far = quad(lambda x: (beyond(x) - 1.0) / x, 1.0, DEEP, limit=200)[0] - 2.0 / DEEP**3 - 1.2 / DEEP
    bracket = near + far + math.log(2.0) - float(np.euler_gamma) + 0.25 + 0.25
    return 0.5 * math.exp(bracket - 0.5)


class ElasticStrip:
    """Waves of a strip of some thickness (m) with wave numbers k (1/m), and their motion of its top."""

    def __init__(self, height: float, material: Material, k: np.ndarray) -> None:
        """Amplitudes belong to a modal mass of 1 kg/m in a length of 2 m."""
        density = material.density or 1.0
        lame, G = lame_constants(material)
        n, scale = DEGREE + 1, np.sqrt((2.0 * np.arange(DEGREE + 1) + 1.0) / height)
        x, weights = legendre.leggauss(DEGREE + 1)
        N = legendre.legvander(x, DEGREE) * scale
        slopes = [legendre.legval(x, legendre.legder(row)) for row in np.eye(n)]
        D = np.stack(slopes, axis=1) * scale * 2.0 / height
        share = 0.5 * height * weights[:, None]
        NN, DD, ND = N.T @ (share * N), D.T @ (share * D), N.T @ (share * D)
        K = np.empty((k.size, 2 * n, 2 * n))
        for each, number in zip(K, k.tolist(), strict=True):
            each[:n, :n] = (lame + 2.0 * G) * number**2 * NN + G * DD
            each[n:, n:] = (lame + 2.0 * G) * DD + G * number**2 * NN
            each[:n, n:] = number * (G * ND.T - lame * ND)
            each[n:, :n] = each[:n, n:].T
        square, shapes = np.linalg.eigh(K / density)
        top = legendre.legvander(np.array([-1.0]), DEGREE)[0] * scale
        self.frequencies = np.sqrt(np.maximum(square, 0.0))  #: rad/s, (k, branches), the bending waves first
        self.top = np.asarray(top @ shapes[:, n:] / math.sqrt(density))  #: u_z of the top, 1/sqrt(kg/m)


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
