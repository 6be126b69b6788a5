"""Quick theories of rolling: FaStrip, and FASTSIM with a reduced slope, against their limits."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from traction.app.verification import Check
from traction.contact.normal.press import press
from traction.contact.rolling.steady_rolling import roll_steady
from traction.contact.simplified.fastrip import fastrip
from traction.contact.simplified.fastsim import fastsim
from traction.friction_laws.friction import polach
from traction.grid import Grid
from traction.materials import STEEL, Pair
from traction.surfaces import Sphere
from traction.theory import hertz
from traction.theory.hertz_contacts import SphereContact

PAIR = Pair(STEEL, STEEL)
RADIUS, LOAD, MU = 0.46, 80e3, 0.3
#: creepages without spin, with some and with much; largest error of FaStrip over mu N against the full theory
CREEPAGES = (
    ("creepage", (1.2e-3, 0.6e-3, 0.0), 0.03),
    ("spin", (0.0, 0.0, 0.35), 0.05),
    ("both", (1e-3, 1e-3, 0.2), 0.05),
)


def checks() -> Iterator[Check]:
    """All rows of quick theories."""
    for k, part in ((0, "x"), (1, "y")):
        words = f"force_{part} / linear"
        yield Check("fastrip-linear", words, "Kalker 1967", 1.0, 2e-3, _linear, k)
    yield Check("fastrip-sliding", "force / limit", "Coulomb", 1.0, 2e-3, _sliding)
    for name, creepage, tolerance in CREEPAGES:
        words = "distance of forces / mu N"
        yield Check(f"fastrip-{name}", words, "full theory", 0.0, tolerance, _distance, creepage)
    yield Check("fastsim-slope", "force / linear, k0 = 0.4", "Spiryagin 2013", 0.4, 3e-3, _reduced)
    yield Check("fastsim-falling", "force / mu(V s) N", "Polach 2005", 1.0, 3e-3, _falling)


def _ball() -> SphereContact:
    return hertz.sphere(RADIUS, PAIR, force=LOAD)


def _linear(part: int) -> float:
    creepage = np.array([3e-7, 2e-7, 1e-5])
    found = fastrip(_ball(), MU, creepage=creepage, strips=80)
    return found.force[part] / found.coefficients.force(creepage, found.semi_axes, PAIR.shear_modulus)[part]


def _sliding() -> float:
    return math.hypot(*fastrip(_ball(), MU, creepage=(0.3, 0.4, 0.0), strips=80).force) / (MU * LOAD)


def _distance(creepage: tuple[float, float, float]) -> float:
    half = 1.06 * _ball().radius
    n = press(Sphere(RADIUS), Grid.around(half, half, 28, 28), PAIR, force=LOAD)
    full = roll_steady(n, MU, creepage=creepage).force
    return math.hypot(*np.subtract(fastrip(_ball(), MU, creepage=creepage).force, full)) / (MU * LOAD)


def _reduced() -> float:
    found = fastsim(_ball(), MU, creepage=(1e-8, 0.0, 0.0), slope=(0.4, 0.3, 0.5), strips=80)
    creepage = (1e-8, 0.0, 0.0)
    return found.force[0] / found.coefficients.force(creepage, found.semi_axes, PAIR.shear_modulus)[0]


def _falling() -> float:
    law = polach(0.55, 0.4, 0.6)
    found = fastsim(_ball(), law, creepage=(0.2, 0.0, 0.0), speed=10.0, strips=80)
    return -found.force[0] / (float(law.coefficient(2.0)) * LOAD)
