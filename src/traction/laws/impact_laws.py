"""Contact laws of impacts beside `PowerLaw` and `HalfSpaceLaw`, and all of them as the kernels take them."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from traction import checks
from traction.errors import InputError
from traction.laws.contact_law import HalfSpaceLaw, PowerLaw
from traction.laws.kernels import law_values as kernels
from traction.surfaces import gap_on

NO_TABLE = np.zeros((1, 4))
DECADES, ROWS = 4.0, 65  #: of approaches in the table of a half-space law
DEEPER = 1.5  #: than a strike on rigid ground, that far a table reaches
CompiledLaw = tuple[np.ndarray, np.ndarray]


@dataclass(frozen=True)
class DampedLaw:
    """F = F_elastic (1 + c delta'), never below zero (Hunt and Crossley 1975)."""

    elastic: PowerLaw | HalfSpaceLaw
    damping: float  #: c, s/m

    def __post_init__(self) -> None:
        if not isinstance(self.elastic, PowerLaw | HalfSpaceLaw):
            raise InputError(
                f"elastic = {checks.shown(self.elastic)} cannot be damped; give a tr.PowerLaw or a "
                "tr.HalfSpaceLaw."
            )
        checks.keep(self, damping=checks.at_least("damping", self.damping, 0.0, "s/m"))


@dataclass(frozen=True)
class PlasticLaw:
    """Hertz up to the yield of the contact, then a straight line; unloads elastically (Thornton 1997).

    Up to the approach of yield F = k delta^(3/2); beyond it the pressure is limited and F grows with the
    slope reached there. From the deepest approach F returns by Hertz with the larger radius of the dent.
    """

    elastic: PowerLaw  #: with the exponent 3/2
    yield_approach: float  #: m

    def __post_init__(self) -> None:
        checks.instance("elastic", self.elastic, PowerLaw)
        if self.elastic.exponent != 1.5:
            raise InputError(
                f"elastic.exponent = {self.elastic.exponent} must be 1.5: only Hertz can yield here."
            )
        checks.keep(self, yield_approach=checks.positive("yield_approach", self.yield_approach, "m"))

    @classmethod
    def from_yield_pressure(cls, radius: float, pair: Any, yield_pressure: float) -> PlasticLaw:
        """Yields when the pressure in the middle, 2 E*/pi sqrt(delta/R), is `yield_pressure` (Pa).

        That is about 1.6 times the yield stress of the weaker body.
        """
        law = PowerLaw.hertz(radius, pair)
        modulus = 0.75 * law.coefficient / math.sqrt(radius)
        p = checks.positive("yield_pressure", yield_pressure, "Pa")
        return cls(law, radius * (0.5 * math.pi * p / modulus) ** 2)


ContactLaw = PowerLaw | DampedLaw | PlasticLaw | HalfSpaceLaw


def damped(law: ContactLaw, damping: float) -> DampedLaw:
    """An elastic law with damping (s/m)."""
    if not isinstance(law, PowerLaw | HalfSpaceLaw):
        raise InputError(f"damping belongs to an elastic law, not to a {type(law).__name__}; leave it out.")
    return DampedLaw(law, damping)


def contact_law(name: str, law: Any) -> ContactLaw:
    """A law that a user gave."""
    if not isinstance(law, PowerLaw | DampedLaw | PlasticLaw | HalfSpaceLaw):
        raise InputError(
            f"{name} = {checks.shown(law)} is no contact law; give a tr.PowerLaw, tr.DampedLaw, "
            "tr.PlasticLaw or tr.HalfSpaceLaw."
        )
    if isinstance(law, HalfSpaceLaw) and law.grid.is_line:
        raise InputError(f"{name} is of a line contact, whose force is per metre; give a grid in x and y.")
    return law


def compiled(law: ContactLaw, energy: float) -> CompiledLaw:
    """A law as the kernels take it; `energy` (J) is the most that can go into the contact."""
    damping = 0.0
    if isinstance(law, DampedLaw):
        damping, law = law.damping, law.elastic
    if isinstance(law, PlasticLaw):
        k = law.elastic.coefficient
        return np.array([kernels.PLASTIC, k, 1.5, 0.0, law.yield_approach]), NO_TABLE
    if isinstance(law, PowerLaw):
        return np.array([kernels.POWER, law.coefficient, law.exponent, damping, 0.0]), NO_TABLE
    return np.array([kernels.TABLE, 0.0, 0.0, damping, 0.0]), half_space_table(law, energy)


def half_space_table(law: HalfSpaceLaw, energy: float) -> np.ndarray:
    """Rows (ln depth, ln F, d ln F/d ln depth, energy) of a half-space law, by depth beyond first touch.

    The deepest holds `energy` on rigid ground, and somewhat more. The energies are those of the table's own
    force, so that what goes in comes out again.
    """
    touch = float(gap_on(law.surface, law.grid).min())
    depth = _deep_enough(law, touch, energy)
    rows = []
    for x in np.geomspace(depth * 10.0**-DECADES, depth, ROWS):
        answer = law.response(touch + float(x))
        rows.append((math.log(x), math.log(answer.force), answer.stiffness * x / answer.force, 0.0))
    table = np.array(rows)
    whole = (np.array([kernels.TABLE, 0.0, 0.0, 0.0, 0.0]), table)
    nodes, weights = np.polynomial.legendre.leggauss(12)
    table[0, 3] = math.exp(table[0, 0] + table[0, 1]) / (table[0, 2] + 1.0)
    memory = np.zeros(kernels.REMEMBERED)
    for k in range(1, ROWS):
        a, b = np.exp(table[k - 1 : k + 1, 0])
        places = 0.5 * (a + b) + 0.5 * (b - a) * nodes
        forces = [kernels.contact_force(whole, memory, float(x), 0.0)[0] for x in places]
        table[k, 3] = table[k - 1, 3] + 0.5 * (b - a) * float(weights @ forces)
    return table


def _deep_enough(law: HalfSpaceLaw, touch: float, energy: float) -> float:
    """Depth (m) that takes up the energy, found by steps of a factor."""
    depth = 1e-6 * min(law.grid.dx * law.grid.nx, law.grid.dy * law.grid.ny)
    for _ in range(400):
        if law.response(touch + depth).energy >= energy:
            return DEEPER * depth
        depth *= 1.25
    raise InputError(f"law takes up less than the energy of the strike, {energy:.3g} J; check its surface.")


def power_depth(k: float, n: float, mass: Any, speed: Any) -> Any:
    """Deepest approach (m) on rigid ground under F = k delta^n: all energy is in the contact."""
    return (0.5 * (n + 1.0) * mass * speed**2 / k) ** (1.0 / (n + 1.0))


def power_time(n: float) -> float:
    """Time of a contact on rigid ground over depth/speed; 2.943 for Hertz."""
    p = 1.0 / (n + 1.0)
    return 2.0 * math.sqrt(math.pi) * math.gamma(1.0 + p) / math.gamma(0.5 + p)


def rigid_contact(law: CompiledLaw, mass: float, speed: float) -> tuple[float, float, float]:
    """Largest force (N), deepest approach (m) and duration (s) of a strike on rigid ground, elastic.

    Of a power law in closed form, otherwise by the energy integral t = int d(delta)/sqrt(v^2 - 2 U(delta)/m),
    whose root delta = D sin^2 takes off.
    """
    numbers = law[0]
    if numbers[kernels.KIND] == kernels.POWER:
        k, n = float(numbers[kernels.COEFFICIENT]), float(numbers[kernels.EXPONENT])
        depth = float(power_depth(k, n, mass, speed))
        return k * depth**n, depth, power_time(n) * depth / speed
    memory = np.zeros((1, kernels.REMEMBERED))
    energy = 0.5 * mass * speed**2

    def stored(depths: np.ndarray) -> np.ndarray:
        return np.asarray(kernels.contact_energies(law, np.repeat(memory, depths.size, axis=0), depths))

    low, high = 0.0, 1e-12
    for _ in range(400):
        if stored(np.array([high]))[0] >= energy:
            break
        high *= 2.0
    for _ in range(200):
        middle = 0.5 * (low + high)
        if stored(np.array([middle]))[0] < energy:
            low = middle
        else:
            high = middle
        if high - low <= 1e-15 * high:
            break
    angles, weights = np.polynomial.legendre.leggauss(40)
    angle = 0.25 * np.pi * (angles + 1.0)
    depths = high * np.sin(angle) ** 2
    speeds = np.sqrt(np.maximum(speed**2 - 2.0 * stored(depths) / mass, 1e-300))
    half = 0.25 * np.pi * float((weights * high * np.sin(2.0 * angle) / speeds).sum())
    force = float(kernels.contact_force(law, memory[0], high, 0.0)[0])
    return force, high, 2.0 * half
