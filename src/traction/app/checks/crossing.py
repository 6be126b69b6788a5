"""Wheels on bridges: rest, limits of crossings, energy, resonance.

Where the answer is a bound on an error, the row expects 1 and computes 1 plus that error.
"""

from __future__ import annotations

import math
import warnings
from collections.abc import Iterator
from functools import lru_cache, partial
from typing import Any

import numpy as np

from traction.app.check import Check
from traction.app.checks.beams import EI, LENGTH, MASS, PEAK, SPRUNG, WEIGHT
from traction.beams.beam import Beam
from traction.crossing.cross import cross
from traction.crossing.results.contact_crossing import ContactCrossing
from traction.crossing.sweeps.crossing_resonance import cross_resonance
from traction.materials import STEEL, Material, Pair
from traction.resting.rest import rest
from traction.resting.rest_result import Rest
from traction.theory import hertz
from traction.trains.bridge import Bridge
from traction.trains.train import Train
from traction.trains.vehicle import Suspension, Wheel

RADIUS, SPEED, GRAVITY = 0.46, 30.0, 9.81
MOST_STEPS = 6.0  #: of Newton's, that a wheel at rest may need
HARD = 100.0  #: times as stiff as steel
SPACING = 8.0  #: of the axles of a train in resonance, m
MODES, ALL_MODES = 5, 80
#: of a slow wheel: what moves adds in proportion to V^2; its patch is solved on another grid than at rest
SLOWLY = {"force": 5e-5, "approach": 5e-4, "deflection": 1e-4, "drop of the wheel": 1e-4}


def checks() -> Iterator[Check]:
    """All rows of wheels on bridges."""
    yield from rest_checks()
    yield from limit_checks()
    yield from energy_checks()
    yield from resonance_checks()


def rest_checks() -> Iterator[Check]:
    """Wheels that stand."""
    static = WEIGHT * LENGTH**3 / (192.0 * EI)
    known = hertz.sphere(RADIUS, Pair(STEEL, STEEL), force=WEIGHT)
    name = "wheel-at-rest"
    yield Check(name, "deflection of the beam", "P L^3/192 EI", static, 1e-5, lambda: _stiff_number("beam"))
    yield Check(name, "approach", "Hertz", known.approach, 2e-3, lambda: _stiff_number("approach"))
    yield Check(name, "semi-axis of the patch", "Hertz", known.radius, 2e-3, lambda: _stiff_number("patch"))
    for bridge, solve in (("wheel-at-rest", _stiff), ("wheel-on-soft-beam", _soft)):
        yield Check(bridge, "1 + error of equilibrium", "supports", 1.0, 1e-10, partial(_equilibrium, solve))
        steps = f"at most {MOST_STEPS:g}"
        yield Check(bridge, "Newton steps", steps, MOST_STEPS, 1e-12, partial(_steps, solve))
    curved = _curved_patch()
    words = "Hertz, bent beam"
    yield Check("wheel-on-soft-beam", "semi-axis along", words, curved[0], 0.02, partial(_soft_axis, 0))
    yield Check("wheel-on-soft-beam", "semi-axis across", words, curved[1], 0.02, partial(_soft_axis, 1))


def limit_checks() -> Iterator[Check]:
    """Crossings whose answers are known from simpler ones."""
    yield Check("cross-force", "largest midspan", "series of 480 modes", PEAK, 1e-7, _force)
    yield Check("cross-half-space", "1 + difference of forces", "Hertz's contact", 1.0, 1e-2, _against_hertz)
    for words, source, modes in (
        ("1 + difference of midspan", "moving mass", MODES),
        ("1 + difference, few modes feel the rest", "moving mass, 80 modes", ALL_MODES),
    ):
        yield Check("cross-hard-contact", words, source, 1.0, 2e-4, partial(_against_rigid, modes))
    source = "VBI-2D V01, 10 modes"
    yield Check("cross-hard-contact", "midspan, sprung mass", source, SPRUNG, 1e-4, _sprung)
    for quantity, tolerance in SLOWLY.items():
        compute = partial(_slow, quantity)
        yield Check("cross-slowly", f"{quantity} over that at rest", "tr.rest", 1.0, tolerance, compute)


def energy_checks() -> Iterator[Check]:
    """What the balance of energy lacks, over the work done."""
    source = "all work is found again"
    for contact in ("hertz", "half-space"):
        name = f"cross-energy-{contact}"
        yield Check(name, "1 + error, nothing damped", source, 1.0, 1e-8, partial(_closure, contact, 0.0))
        yield Check(name, "1 + error, damped", source, 1.0, 1e-4, partial(_closure, contact, 0.02))


def resonance_checks() -> Iterator[Check]:
    """Axles at equal distances shake a bridge most where they come with its lowest frequency."""
    speed = 4.730040744862704**2 / LENGTH**2 * math.sqrt(EI / MASS) / (2.0 * math.pi) * SPACING
    yield Check("cross-resonance", "speed of the peak", "f_1 D", speed, 0.02, _peak_speed)


def _beam(**options: Any) -> Beam:
    return Beam(LENGTH, EI, MASS, **options)


@lru_cache(maxsize=1)
def _stiff() -> Rest:
    return rest(Wheel(RADIUS, 1.0), Bridge(_beam(), STEEL), 0.5 * LENGTH, WEIGHT)


def _stiff_number(name: str) -> float:
    found = _stiff()
    if name == "beam":
        return float(found.deflection(0.5 * LENGTH))
    return float(found.approaches[0]) if name == "approach" else found.contacts[0].semi_axes[0]


def _thin() -> Bridge:
    """A short thin beam of a soft material: it bends around its wheel."""
    material = Material(7e9, 0.3)
    return Bridge(Beam(1.0, 7e9 * 0.05 * 0.01**3 / 12.0, 3.9), material)


@lru_cache(maxsize=1)
def _soft() -> Rest:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of its slopes
        return rest(Wheel(0.3, 1.0), _thin(), 0.5, 200.0)


def _curved_patch() -> tuple[float, float]:
    """Hertz's ellipse of a wheel of radius R on a bridge of curvature c: radius R/(1 - R c) along it."""
    bridge = _thin()
    bend = 0.3 * 200.0 * 1.0 / (8.0 * bridge.beam.segments[0].bending_stiffness)  # P L/8 in the middle
    return hertz.ellipse(0.3 / (1.0 - bend), 0.3, Pair(STEEL, bridge.material), force=200.0).semi_axes


def _soft_axis(axis: int) -> float:
    return _soft().contacts[0].semi_axes[axis]


def _equilibrium(solve: Any) -> float:
    return 1.0 + float(solve().equilibrium)


def _steps(solve: Any) -> float:
    return max(MOST_STEPS, float(solve().iterations))


def _force() -> float:
    run = cross(Bridge(_beam(), STEEL), [(WEIGHT, 0.0)], SPEED, contact="rigid")
    return run.largest("deflection", 0.5 * LENGTH).value


def _massive(contact: str, stiffness: float = 1.0, modes: int = MODES, residual: bool = False) -> Any:
    """The thesis' mass as one wheel."""
    material = Material(2.1e11 * stiffness, 0.3)
    wheel = Wheel(RADIUS, WEIGHT / GRAVITY, material=material)
    bridge = Bridge(_beam(), material)
    return cross(bridge, [(wheel, 0.0)], SPEED, contact=contact, size=modes, dt=1e-3, residual=residual)


def _against_hertz() -> float:
    one, other = (_massive(contact).contact_forces for contact in ("half-space", "hertz"))
    return 1.0 + float(np.abs(one / other - 1.0).max())


def _against_rigid(modes: int) -> float:
    """Rigid wheels feel no modes left out. On as many modes no other wheel may either; a few modes with the
    rest felt are to meet all of them.
    """
    one = _massive("half-space", HARD, MODES, modes != MODES).deflection(0.5 * LENGTH)
    other = _massive("rigid", HARD, modes).deflection(0.5 * LENGTH)
    return 1.0 + float(np.abs(one - other).max() / np.abs(other).max())


def _sprung() -> float:
    hard = Material(2.1e11 * HARD, 0.3)
    beam = Beam(25.0, 3.5e10 * 1.3901, 18358.0, supports=("pinned", "pinned"))
    wheel = Wheel(RADIUS, 0.0, material=hard, suspension=Suspension(1595e3, 0.0, 5750.0))
    bridge, given = Bridge(beam, hard), {"contact": "hertz", "size": 10, "dt": 1e-3, "residual": False}
    run = cross(bridge, [(wheel, 0.0)], 25.0, **given)  # type: ignore[arg-type]
    return run.largest("deflection", 12.5).value


@lru_cache(maxsize=1)
def _slow_crossing() -> tuple[ContactCrossing, Rest]:
    wheel, bridge = Wheel(RADIUS, 8e3), Bridge(_beam(damping=0.2), STEEL)
    given: dict[str, Any] = {"contact": "half-space", "size": MODES, "residual": True}
    run = cross(bridge, [(wheel, 0.0)], 1.0, dt=0.02, t_end=10.0, **given)
    assert isinstance(run, ContactCrossing)
    return run, rest(wheel, bridge, float(run.places[-1, 0]), 8e3 * GRAVITY)


def _slow(quantity: str) -> float:
    run, stands = _slow_crossing()
    if quantity == "force":
        return float(run.contact_forces[-1, 0] / stands.forces[0])
    if quantity == "approach":
        return float(run.approach[-1, 0] / stands.approaches[0])
    if quantity == "drop of the wheel":
        return float((run.vehicle[-1, 0] + run.contacts[0].static) / stands.drops[0])
    at = float(run.places[-1, 0])
    return float(run.deflection(at)[-1] / stands.deflection(at))


def _closure(contact: str, damping: float) -> float:
    wheel = Wheel(RADIUS, 2e3, suspension=Suspension(5e6, 1e6 * damping, 20e3))
    bridge = Bridge(_beam(damping=damping), STEEL)
    run = cross(bridge, [(wheel, 0.0)], SPEED, contact=contact, size=8, dt=2.5e-4, t_end=0.3)
    assert isinstance(run, ContactCrossing)
    return 1.0 + run.energies.closure


def _peak_speed() -> float:
    """By a sweep of crossings with Hertz's contact."""
    wheel = Wheel(RADIUS, 1e3, suspension=Suspension(1e6, 2e4, 9e3))
    train = Train([(wheel, SPACING * k) for k in range(10)], spacing=SPACING)
    bridge = Bridge(_beam(damping=0.01), STEEL)
    curve = cross_resonance(bridge, train, np.linspace(34.0, 39.0, 11), contact="hertz", size=3, dt=2e-3)
    speed, _ = curve.peak("deflection")
    return speed
