"""Creep tables against CONTACT, elements apart, integrals and their own differences; Polach's formula."""

from __future__ import annotations

import math
from collections.abc import Iterator
from functools import lru_cache

import numpy as np

from traction.app.verification import Check
from traction.contact.simplified.polach import polach
from traction.contact.tables.creep_table import CreepTable
from traction.contact.tables.making.adaptive_table import REFERENCE
from traction.contact.tables.making.ellipses import EllipseSolutions
from traction.contact.tables.reduced_creepages import random_creepages
from traction.contact.tables.table_request import creep_table
from traction.materials import STEEL, Material, Pair
from traction.theory import hertz

ERROR = 0.02  #: of the table, over mu N
#: a circle as CONTACT rev 2707 solves it: radius, load, friction, shear modulus, Poisson's ratio
RADIUS, LOAD, MU, MODULUS, POISSON = 5e-3, 1e5, 0.3, 82e9, 0.28
#: creepages (xi, eta, phi in rad/m), number of the force, and its value over mu N
PRINTED = (
    ("creepage", (0.003, 0.0, 0.0), 0, -19939.37897 / 3e4),
    ("spin", (0.0, 0.0, 0.5), 1, -7496.966038 / 3e4),
    ("both", (0.0, -0.002, 0.5), 1, 5537.177736 / 3e4),
)


def checks() -> Iterator[Check]:
    """One table of a circle, whose error is 2 % of mu N."""
    for name, creepage, part, value in PRINTED:
        yield Check(
            f"table-{name}", f"force_{'xy'[part]} over mu N", "CONTACT rev 2707", value, ERROR / abs(value),
            _tabulate, creepage, part,
        )  # fmt: skip
    yield Check("table-spins", "moment over mu N c", "3 pi/16", -3.0 * math.pi / 16.0, 1e-3, _spin)
    yield Check("table-error", "share within the stated error", "60 elements across", 1.0, 1e-9, _hold)
    yield Check("table-derivatives", "largest error", "central differences", 0.0, 1e-6, _differentiate)
    yield Check("polach-linear", "force_x / linear", "Kalker 1967", 1.0, 1e-3, _polach, 1e-7)
    yield Check("polach-sliding", "force_x / limit", "Coulomb", 1.0, 1e-3, _polach, 1e3)


@lru_cache(maxsize=1)
def _table() -> CreepTable:
    material = Material.from_shear_modulus(MODULUS, POISSON)
    return creep_table(pair=Pair(material, material), ratios=1.0, error=ERROR, progress=False)


def _tabulate(creepage: tuple[float, float, float], part: int) -> float:
    return float(_table().forces(creepage, RADIUS, RADIUS, LOAD, MU)[part]) / (MU * LOAD)


def _spin() -> float:
    """Moment of a circle that turns about its centre and does not roll."""
    return float(_table().forces((0.0, 0.0, 1e9), RADIUS, RADIUS, LOAD, MU)[2]) / (MU * LOAD * RADIUS)


def _hold() -> float:
    """Share of random creepages at which the table is as close to fine elements as it states."""
    reduced = random_creepages(40, seed=5)
    contact = (1.0, 1.0, 1.0, 1.0)
    creepages = reduced * _table().creepage_scales(*contact)
    found = np.stack(_table().forces(creepages, *contact), axis=-1)
    fine = EllipseSolutions(1.0, POISSON, REFERENCE, "cpu").forces(reduced)
    return float((np.abs(found - fine).max(axis=1) <= _table().error_at(creepages, *contact)).mean())


def _differentiate() -> float:
    """Largest difference of the Jacobian from differences of forces, over the largest derivative."""
    contact, step = (RADIUS, RADIUS, LOAD, MU), 1e-5
    scales = _table().creepage_scales(*contact)
    creepages = random_creepages(100, seed=6) * scales
    slopes, worst = _table().jacobian(creepages, *contact) * scales, 0.0
    for k in range(3):
        near = step * scales * np.eye(3)[k]
        ahead, behind = (np.stack(_table().forces(creepages + s * near, *contact), -1) for s in (1.0, -1.0))
        off = (ahead - behind) / (2.0 * step) - slopes[..., k]
        worst = max(worst, float((np.abs(off) / np.abs(slopes).max(axis=(0, 2))).max()))
    return worst


def _polach(creepage: float) -> float:
    """Force over that of the linear theory, or over the limit, whichever is less."""
    pair = Pair(STEEL, STEEL)
    ball = hertz.sphere(0.2, pair, force=LOAD)
    found = polach(ball, MU, creepage=(creepage, 0.0, 0.0))
    linear = found.coefficients.force((creepage, 0.0, 0.0), ball.semi_axes, pair.shear_modulus)[0]
    return found.force[0] / max(linear, -MU * ball.force)
