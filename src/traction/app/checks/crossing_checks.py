"""Wheels on bridges: rest, limits of stiff contact and low speed, energy, methods' limits, resonance.

Where the answer is a bound on an error, the row expects 1 and computes 1 plus that error.
"""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable, Iterator
from functools import lru_cache
from itertools import chain
from typing import Any

import numpy as np

from traction.app.checks.beam_checks import EI, LENGTH, MASS, PEAK, SPRUNG, SPRUNG_BEAM, WEIGHT
from traction.app.verification import Check
from traction.beams.beam import Beam
from traction.beams.beam_description import Support
from traction.crossing.cross import cross
from traction.crossing.results.contact_crossing import ContactCrossing
from traction.crossing.sweeps.compare_methods import compare_methods
from traction.crossing.sweeps.crossing_resonance import cross_resonance
from traction.materials import STEEL, Material, Pair
from traction.resting.rest import rest
from traction.resting.rest_result import Rest
from traction.theory import hertz
from traction.trains.bridge import Bridge
from traction.trains.irregularity import Irregularity
from traction.trains.train import Train
from traction.trains.vehicle import Suspension, Wheel

RADIUS, SPEED, GRAVITY, MIDDLE = 0.46, 30.0, 9.81, 0.5 * LENGTH
HARD, HARDEST = 100.0, 1e4  #: times as stiff as steel
MODES, ALL_MODES = 5, 80
#: of a slow wheel: what moves adds in proportion to V^2; its patch is solved on another grid than at rest
SLOWLY = {"force": 5e-5, "approach": 5e-4, "deflection": 1e-4, "drop of the wheel": 1e-4}
SPRUNG_NUMBERS = {"midspan": 4.186670820037e-4, "largest force": 56580.56982925}  #: m, N; ten modes
ROLLED_ONTO = 0.015  #: of a bridge whose end sinks, while the ground still carries part of the wheel, m
FIRST = 4.730040744862704**2 / LENGTH**2 * math.sqrt(EI / MASS) / (2.0 * math.pi)  #: f_1 of the bridge, Hz


def checks() -> Iterator[Check]:
    """All rows of wheels on bridges."""
    return chain(rest_checks(), limit_checks(), contact_checks(), march_checks())


def rest_checks() -> Iterator[Check]:
    """Wheels that stand."""
    static = WEIGHT * LENGTH**3 / (192.0 * EI)
    known = hertz.sphere(RADIUS, Pair(STEEL, STEEL), force=WEIGHT)
    stands, soft, curved = "wheel-at-rest", "wheel-on-soft-beam", _curved_patch()
    yield Check(stands, "deflection of the beam", "P L^3/192 EI", static, 1e-5, _stiff_deflection)
    yield Check(stands, "approach", "Hertz", known.approach, 2e-3, lambda: _stiff().approaches[0])
    yield Check(stands, "semi-axis of the patch", "Hertz", known.radius, 2e-3, _semi_axis, _stiff, 0)
    for name, solve in ((stands, _stiff), (soft, _soft)):
        yield Check(name, "equilibrium error", "supports", 0.0, 1e-10, _equilibrium, solve)
    for axis, way in enumerate(("along", "across")):
        words = f"semi-axis {way}"
        yield Check(soft, words, "Hertz, bent beam", curved[axis], 0.02, _semi_axis, _soft, axis)


def limit_checks() -> Iterator[Check]:
    """Crossings whose answers are known from simpler ones, their energy, and resonance."""
    yield Check("cross-force", "largest midspan", "series of 480 modes", PEAK, 1e-7, _force)
    yield Check("cross-half-space", "largest difference of contact force", "Hertz", 0.0, 1e-2, _against_hertz)
    words = "force by a table, difference"
    yield Check("cross-half-space", words, "solved at every step", 0.0, 1e-6, _tabulated)
    source = "steps 16 times shorter"
    yield Check("cross-automatic-step", "largest difference of contact force", source, 0.0, 1e-3, _automatic)
    for words, source, modes in (
        ("midspan difference", "moving mass", MODES),
        ("midspan difference, residual=True", "moving mass, 80 modes", ALL_MODES),
    ):
        yield Check("cross-hard-contact", words, source, 0.0, 2e-4, _against_rigid, modes)
    words = "force of three wheels 1 m apart, 20 modes, residual=True"
    yield Check("cross-near-wheels", words, "80 modes", 0.0, 3e-4, _near_wheels)
    source, words = "VBI-2D V01, 10 modes", "midspan, sprung mass"
    yield Check("cross-hard-contact", words, source, SPRUNG, 1e-4, _sprung, "hertz", "midspan", HARD)
    for quantity, tolerance in SLOWLY.items():
        yield Check(
            "cross-slowly", f"{quantity} over that at rest", "tr.rest", 1.0, tolerance, _slow, quantity
        )
    for contact in ("hertz", "half-space"):
        name, source = f"cross-energy-{contact}", "conservation of energy"
        yield Check(name, "energy balance error, undamped", source, 0.0, 1e-8, _closure, contact, 0.0)
        yield Check(name, "energy balance error, damped", source, 0.0, 1e-4, _closure, contact, 0.02)
    words, sunk = "end of the bridge under the wheel", RADIUS - math.sqrt(RADIUS**2 - ROLLED_ONTO**2)
    yield Check("cross-soft-end", words, "arc of the wheel", sunk, 1e-6, _soft_end)
    source = "conservation of energy"
    yield Check("cross-rigid", "energy balance error, wavy rail", source, 0.0, 1e-6, _rigid_closure)
    yield Check("cross-resonance", "speed of the peak", "f_1 D", FIRST * 8.0, 0.02, _peak_speed)


def contact_checks() -> Iterator[Check]:
    """Limits of stiff contact and of low speed, for both contacts."""
    for contact in ("hertz", "half-space"):
        name, words = f"cross-{contact}", "largest difference of force, hard contact"
        yield Check(name, words, "rigid moving mass", 0.0, 5e-4, _hard_force, contact)
        for quantity, expected in SPRUNG_NUMBERS.items():
            words, source = f"hard, sprung mass: {quantity}", "VBI-2D's case V01"
            yield Check(name, words, source, expected, 1e-5, _sprung, contact, quantity, HARDEST)
        yield Check(name, "deflection, slow/at rest", "tr.rest", 1.0, 2e-5, _slow_deflection, contact)
    yield Check("cross-half-space", "largest difference of force, ball", "Hertz", 0.0, 1e-2, _ball)


def march_checks() -> Iterator[Check]:
    """Balances of energy by model and method, limits of methods, and resonance of equal wheels."""
    for method, model, tolerance in (
        ("condensed", "modes", 1e-8),
        ("energy-conserving", "modes", 1e-8),
        ("newmark", "modes", 1e-4),
        ("newmark", "elements", 1e-4),
        ("newmark", "differences", 1e-4),
    ):
        words = f"energy balance error, {method if model == 'modes' else model}"
        yield Check("cross-energy", words, "conservation of energy", 0.0, tolerance, _energy, method, model)
    for method in ("rk4", "newmark", "radau-iia"):
        words = f"energy balance error, {method}, springs"
        yield Check("cross-energy", words, "conservation of energy", 0.0, 1e-6, _closure_on_springs, method)
    for method, limit in (("verlet", 2.0), ("rk4", 2.0 * math.sqrt(2.0))):
        yield Check("cross-methods", f"omega dt of {method}", "linear theory", limit, 3e-2, _limit, method)
    first = float(_beam().frequencies(1)[0]) / (2.0 * math.pi)
    for k in (1, 2):
        yield Check("cross-resonance", f"peak, k = {k}", "f D/k", first * 25.0 / k, 2e-2, _peak, k)


def _beam(**options: Any) -> Beam:
    return Beam(LENGTH, EI, MASS, **options)


def _bridge(**options: Any) -> Bridge:
    return Bridge(_beam(**options), STEEL)


def _steel(times: float) -> Material:
    """A material so many times as stiff as steel."""
    return Material(2.1e11 * times, 0.3)


def _wheel(mass: float, stiffness: float, damping: float, body: float) -> Wheel:
    return Wheel(RADIUS, mass, suspension=Suspension(stiffness, damping, body))


def _cross(bridge: Bridge, wheels: list[Wheel], contact: str, *, apart: float = 3.0, **options: Any) -> Any:
    """Wheels at equal distances (m) over a bridge; rows on long steps judge the result themselves."""
    train, given = [(one, apart * k) for k, one in enumerate(wheels)], {"speed": SPEED, **options}
    return cross(bridge, train, contact=contact, on_failure="return", **given)


def _difference(one: np.ndarray, other: np.ndarray, size: float) -> float:
    """Largest difference of two histories over a size."""
    return float(np.abs(one - other).max()) / size


@lru_cache(maxsize=1)
def _stiff() -> Rest:
    return rest(Wheel(RADIUS, 1.0), _bridge(), MIDDLE, WEIGHT)


def _stiff_deflection() -> float:
    return float(_stiff().deflection(MIDDLE))


def _thin() -> Bridge:
    """A short thin beam of a soft material: it bends around its wheel."""
    return Bridge(Beam(1.0, 7e9 * 0.05 * 0.01**3 / 12.0, 3.9), Material(7e9, 0.3))


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


def _semi_axis(solve: Callable[[], Rest], axis: int) -> float:
    return solve().contacts[0].semi_axes[axis]


def _equilibrium(solve: Callable[[], Rest]) -> float:
    return float(solve().equilibrium)


def _force() -> float:
    run = cross(_bridge(), [(WEIGHT, 0.0)], SPEED, contact="rigid")
    return run.largest("deflection", MIDDLE).value


def _massive(contact: str, stiffness: float = 1.0, modes: int = MODES, **options: Any) -> Any:
    """The mass of de Looij's locomotive as one wheel."""
    wheel = Wheel(RADIUS, WEIGHT / GRAVITY, material=_steel(stiffness))
    given = {"size": modes, "dt": 1e-3, "residual": False, **options}
    return _cross(Bridge(_beam(), _steel(stiffness)), [wheel], contact, **given)


def _against_hertz() -> float:
    one, other = (_massive(contact).contact_forces for contact in ("half-space", "hertz"))
    return _difference(one / other, np.ones_like(one), 1.0)


def _tabulated() -> float:
    """Of a wheel that leaves a wavy rail and lands again, relative to the largest force."""
    wheel = Wheel(RADIUS, 1e3, suspension=Suspension(1e6, 1e4, 9e3))
    given: dict[str, Any] = {"size": 10, "dt": 1e-4, "t_end": 0.03}
    given["irregularity"] = Irregularity.harmonic(6e-4, 0.4)
    one, other = (
        _cross(Bridge(_beam(), _steel(1.0)), [wheel], "half-space", solve=solve, **given).contact_forces
        for solve in ("table", "every-step")
    )
    return _difference(one, other, float(other.max()))


def _automatic() -> float:
    """Of a wheel on a wavy rail, relative to its load."""
    given: dict[str, Any] = {"size": 5, "t_end": 0.1, "irregularity": Irregularity.harmonic(3e-4, 1.0)}
    wheel = _wheel(1e3, 1e6, 1e4, 9e3)
    found = _cross(_bridge(), [wheel], "hertz", dt="auto", **given)
    finer = _cross(_bridge(), [wheel], "hertz", dt=found.dt / 16.0, **given)
    return _difference(found.contact_forces, finer.contact_forces[::16], found.contacts[0].load)


def _near_wheels() -> float:
    """Largest difference of contact forces of wheels 1 m apart on a wavy rail, over the load."""
    given: dict[str, Any] = {"dt": 2e-4, "t_end": 0.3, "irregularity": Irregularity.harmonic(1e-4, 0.9)}
    bridge, wheels = _bridge(supports=("pinned", "pinned")), [_wheel(1e3, 1e6, 1e4, 9e3)] * 3
    few, many = (
        _cross(bridge, wheels, "hertz", apart=1.0, size=size, residual=True, **given) for size in (20, 80)
    )
    return _difference(few.contact_forces, many.contact_forces, 1e4 * GRAVITY)


def _soft_end() -> float:
    """Deflection of an end on springs under a slow wheel, which pivots on the ground's edge."""
    bridge, wheel = _bridge(supports=(Support(1e8, 0.0),) * 2), Wheel(RADIUS, 8e3)
    until = ROLLED_ONTO / 0.05
    run = _cross(bridge, [wheel], "hertz", speed=0.05, size=8, dt=1e-3, t_end=until, residual=False)
    return float(run.deflection(ROLLED_ONTO)[-1])


def _rigid_closure() -> float:
    """Of a sprung wheel in rigid contact with a wavy rail."""
    wheel = Wheel(RADIUS, 1e3, suspension=Suspension(1e6, 1e4, 9e3))
    given: dict[str, Any] = {"size": 10, "dt": 5e-4, "irregularity": Irregularity.harmonic(1e-3, 1.0)}
    return float(_cross(Bridge(_beam(), _steel(1.0)), [wheel], "rigid", **given).energies.closure)


def _against_rigid(modes: int) -> float:
    """Rigid wheels feel no modes left out. On as many modes no other wheel may either; a few modes with the
    rest felt are to meet all of them.
    """
    one = _massive("half-space", HARD, MODES, residual=modes != MODES).deflection(MIDDLE)
    other = _massive("rigid", HARD, modes).deflection(MIDDLE)
    return _difference(one, other, float(np.abs(other).max()))


def _hard_force(contact: str) -> float:
    run, rigid = (_massive(kind, HARDEST, dt=5e-4) for kind in (contact, "rigid"))
    return _difference(run.forces, rigid.forces, WEIGHT)


@lru_cache(maxsize=2)
def _on_spring(contact: str, times: float) -> ContactCrossing:
    wheel = Wheel(RADIUS, 0.0, material=_steel(times), suspension=Suspension(1595e3, 0.0, 5750.0))
    bridge = Bridge(SPRUNG_BEAM, _steel(times))
    return _cross(bridge, [wheel], contact, speed=25.0, size=10, dt=1e-3, residual=False)


def _sprung(contact: str, quantity: str, times: float) -> float:
    run = _on_spring(contact, times)
    return run.largest("deflection", 12.5).value if quantity == "midspan" else run.contact_forces.max()


@lru_cache(maxsize=1)
def _slow_crossing() -> tuple[ContactCrossing, Rest]:
    wheel, bridge = Wheel(RADIUS, 8e3), _bridge(damping=0.2)
    given = {"size": MODES, "residual": True, "dt": 0.02, "t_end": 10.0}
    run = _cross(bridge, [wheel], "half-space", speed=1.0, **given)
    return run, rest(wheel, bridge, float(run.places[-1, 0]), 8e3 * GRAVITY)


def _slow(quantity: str) -> float:
    run, stands = _slow_crossing()
    at = float(run.places[-1, 0])
    moving, standing = {
        "force": (run.contact_forces[-1, 0], stands.forces[0]),
        "approach": (run.approach[-1, 0], stands.approaches[0]),
        "drop of the wheel": (run.vehicle[-1, 0] + run.contacts[0].static, stands.drops[0]),
        "deflection": (run.deflection(at)[-1], stands.deflection(at)),
    }[quantity]
    return float(moving / standing)


def _slow_deflection(contact: str) -> float:
    """At midspan, where the slope is zero and damping does not lag behind; what is left falls with V^2."""
    wheel, bridge, until = Wheel(RADIUS, 8e3), _bridge(damping=0.2), 10.0 / 0.3
    run = _cross(bridge, [wheel], contact, speed=0.3, size=20, dt=until / 600, t_end=until)
    known = rest(wheel, bridge, MIDDLE, 8e3 * GRAVITY)
    return float(run.deflection(MIDDLE)[-1] / known.deflection(MIDDLE))


def _ball() -> float:
    """On a wavy rail."""
    wheel, wavy = _wheel(1e3, 1e6, 1e4, 9e3), Irregularity.harmonic(4e-4, 0.9)
    one, other = (
        _cross(_bridge(), [wheel], kind, size=8, dt=5e-4, irregularity=wavy, t_end=0.3)
        for kind in ("hertz", "half-space")
    )
    return _difference(one.forces, other.forces, 1e4 * GRAVITY)


def _closure(contact: str, damping: float) -> float:
    """Error of the energy balance, over the work done."""
    wheel = _wheel(2e3, 5e6, 1e6 * damping, 20e3)
    run = _cross(_bridge(damping=damping), [wheel], contact, size=8, dt=2.5e-4, t_end=0.3)
    return float(run.energies.closure)


def _energy(method: str, model: str) -> float:
    """Error of the energy balance and drift of the method, over the work, of wheels on a wavy rail."""
    size, wheels = 8 if model == "modes" else 20, [_wheel(1e3, 1e6, 0.0, 9e3)] * 2
    options: dict[str, Any] = {} if method == "condensed" else {"method": method}
    wavy = Irregularity.harmonic(3e-4, 2.0)
    options |= {"model": model, "size": size, "dt": 5e-4, "t_end": 0.2, "irregularity": wavy}
    run = _cross(_bridge(), wheels, "hertz", **options)
    return float(run.energies.closure) + float(run.energies.drift)


def _closure_on_springs(method: str) -> float:
    """Error of the energy balance over the work: a wheel meets a step of the track within a time step."""
    bridge, wheels = _bridge(supports=(Support(1e9, 0.0),) * 2), [_wheel(1e3, 1e6, 0.0, 9e3)] * 2
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of that step
        run = _cross(bridge, wheels, "hertz", apart=3.01, size=8, dt=1e-3, t_end=0.4, method=method)
    return float(run.energies.closure)


def _limit(method: str) -> float:
    train = [(Wheel(RADIUS, WEIGHT / GRAVITY), 0.0)]
    found = compare_methods(
        _bridge(), train, SPEED, steps=[1e-3], t_end=0.2, size=10, methods=[method], residual=False
    )
    return found.limits[0].found


def _peak_speed() -> float:
    """By a sweep of crossings with Hertz's contact."""
    wheel, bridge = _wheel(1e3, 1e6, 2e4, 9e3), _bridge(damping=0.01)
    train = Train([(wheel, 8.0 * k) for k in range(10)], spacing=8.0)
    curve = cross_resonance(bridge, train, np.linspace(34.0, 39.0, 11), contact="hertz", size=3, dt=2e-3)
    return curve.peak("deflection")[0]


def _peak(k: int) -> float:
    """Speed of the largest deflection around that of the rule, on a parabola through three samples."""
    wheel, bridge = _wheel(2e3, 1e6, 1e4, 14e3), _bridge(damping=0.01)
    train = Train([(wheel, 25.0 * n) for n in range(6)], spacing=25.0)
    speeds = float(bridge.beam.frequencies(1)[0]) / (2.0 * math.pi) * 25.0 / k * np.linspace(0.96, 1.04, 7)
    w = cross_resonance(bridge, train, speeds, contact="hertz", size=4, dt=1e-3).deflection[0]
    n = int(np.clip(np.argmax(w), 1, speeds.size - 2))
    bend, slope, _ = np.polyfit(speeds[n - 1 : n + 2] - speeds[n], w[n - 1 : n + 2], 2)
    return float(speeds[n] - slope / (2.0 * bend))
