"""Heat of friction: moving sources, flash temperatures, and friction that depends on them."""

from __future__ import annotations

import math
from collections.abc import Iterator
from functools import lru_cache

import numpy as np

from traction.app.verification import Check
from traction.contact.friction.shift import shift
from traction.contact.friction.tangential_contact import TangentialContact
from traction.contact.normal.press import NormalContact, solve_press
from traction.contact.rolling.steady_rolling import roll_steady
from traction.contact.rolling.transient_rolling import roll
from traction.contact.temperature.flash_temperature import flash_temperature
from traction.contact.temperature.heat_history import HeatHistory
from traction.friction_laws.friction import exponential, thermal
from traction.grid import Grid
from traction.halfspace.heated_half_space import HeatedHalfSpace
from traction.materials import STEEL, Pair
from traction.surfaces import Paraboloid
from traction.theory import moving_heat

CONTACT = "CONTACT rev 2707"
#: of the benchmark of Ertz and Knothe (2002) in CONTACT: 1 m/s of slip at 30 m/s, and a wheel of 150 degrees
BENCHMARK = (
    ("sliding", (-1.0 / 30.0, 0.0, 0.0), 0.0, 166.8),
    ("hot-wheel", (0.0, 0.0, 0.0), 150.0, 75.0),
    ("both", (-1.0 / 30.0, 0.0, 0.0), 150.0, 241.8),
    ("creeping", (-0.002, 0.001, 0.2), 150.0, 90.85),
)
SLIDES = (-0.02, 0.0, 0.0)
HERTZIAN = 2.18830  #: largest integral from x to 1 of sqrt(1 - u^2)/sqrt(u - x) du


def checks() -> Iterator[Check]:
    """All rows of heat."""
    for name, creepage, bulk, highest in BENCHMARK:
        words = "highest temperature, classical (K)"
        yield Check(f"heat-ertz-{name}", words, CONTACT, highest, 1e-3, _benchmark, creepage, bulk)
    for speed in (1e-3, 0.1, 30.0):
        words = f"rise of a band at {speed:g} m/s / closed form"
        yield Check("heat-band", words, "Jaeger 1942", 1.0, 1e-9, _band, speed)
    yield Check("heat-disc", "rise in the middle / q a/k", "Carslaw, Jaeger 1959", 1.0, 5e-3, _disc)
    yield Check("heat-fast", "highest rise / conduction into the depth", "Blok 1937", 1.0, 0.01, _fast)
    yield Check("heat-friction", "mu / mu of its temperature", "its own law", 0.0, 2.5e-4, _coupled)
    yield Check("heat-march", "force of a march / steady rolling", "roll_steady", 1.0, 1e-4, _march)
    words = "rise of sliding that begins / 2 q sqrt(t/pi)/(e1 + e2)"
    yield Check("heat-begins", words, "Carslaw, Jaeger 1959", 1.0, 1e-9, _begin)


def _march() -> float:
    """Steps of one element from cold surfaces, with friction by temperature and slip speed, whole cells."""
    law = thermal([50.0, 450.0], [1.0, 0.5], law=exponential(0.2, (0.15, 1.0), memory=(2e-6, 1e-3)))
    n = solve_press(Paraboloid(0.46, 0.46), Grid(18, 18, 0.8e-3, 0.8e-3), Pair(STEEL, STEEL), force=80e3)
    t = shift(n, 0.35, displacement=(0.0, 0.0, 0.0))
    for _ in range(20):
        t = roll(t, law, distance=0.8e-3, creepage=SLIDES, speed=30.0, discretisation="classical")
    return t.force[0] / roll_steady(n, law, creepage=SLIDES, speed=30.0, discretisation="classical").force[0]


def _begin() -> float:
    """A band of uniform power, a particle of which is in it since it began."""
    power, history = np.ones((1, 20)), HeatHistory.cold((1, 20))
    for _ in range(31):
        history = history.add(power, 0.3, 1e-5)
    return float(history.warm()[0, 5] / (2.0 * math.sqrt(31e-5 / math.pi)))


@lru_cache(maxsize=1)
def _ellipse() -> NormalContact:
    """The contact of Ertz and Knothe: a = 5.88 mm, b = 10.54 mm, 100 kN."""
    pair = Pair(STEEL, STEEL)
    return solve_press(
        Paraboloid(1 / 2.03, 1 / 0.843), Grid(64, 45, 0.2e-3, 0.5e-3), pair, force=100e3, tol=1e-9
    )


def _benchmark(creepage: tuple[float, float, float], bulk: float) -> float:
    n = _ellipse()
    t = roll_steady(n, 0.3, creepage=creepage, direction=-1, discretisation="classical")
    return flash_temperature(t, 30.0, bulk=(bulk, 0.0)).largest


def _band(speed: float) -> float:
    """Element of a line contact in the middle of a uniform band, over the closed form."""
    grid = Grid.line(41, 0.25e-3)
    flux = np.where(np.abs(grid.x) < 2.6e-3, 1e7, 0.0)[None]
    found = HeatedHalfSpace(grid, STEEL, speed).rise(flux)[0, 25]
    width = 0.125e-3 * int((flux > 0.0).sum())
    return float(found / moving_heat.band(1e7, width, STEEL, speed).rise(grid.x[25]))


def _disc() -> float:
    """Uniform heat at rest on a disc of 6 mm."""
    grid = Grid(101, 101, 0.15e-3, 0.15e-3)
    inside = np.hypot(*grid.mesh()) <= 6e-3
    return float(HeatedHalfSpace(grid, STEEL).rise(1e6 * inside)[50, 50] / (1e6 * 6e-3 / 50.0))


def _fast() -> float:
    """Full sliding at a Peclet number of 6000, with so much slip that its elastic part is small."""
    t = _slide(-0.5)
    e = math.sqrt(50.0 * 450.0 * 7850.0)
    flux = 0.5 * 0.3 * t.normal.peak_pressure * 0.5 * 30.0
    fast = flux * math.sqrt(t.normal.semi_axes[0] / (math.pi * 30.0)) / e * HERTZIAN
    return flash_temperature(t, 30.0, velocities=(-30.0, -30.0)).largest / fast


def _slide(creepage: float) -> TangentialContact:
    return roll_steady(_ellipse(), 0.3, creepage=(creepage, 0.0, 0.0))


def _coupled() -> float:
    """Largest difference of coefficients from those of their temperature, over the largest one."""
    n, law = _ellipse(), thermal([50.0, 450.0], [0.35, 0.15])
    t = roll_steady(n, law, creepage=(-0.03, 0.0, 0.0), speed=30.0)
    hot = flash_temperature(t, 30.0)
    return float(np.abs(law.coefficient(hot.temperature) - t.coefficient)[n.contact].max()) / 0.35
