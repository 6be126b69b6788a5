"""Accuracy of crossings: limits of stiff contact and low speed, energy, methods' limits, resonance."""

from __future__ import annotations

import math
import warnings
from collections.abc import Iterator
from functools import lru_cache, partial
from typing import Any

import numpy as np

from traction.app.check import Check
from traction.beams.beam import Beam
from traction.beams.beam_description import Support
from traction.crossing.cross import cross
from traction.crossing.sweeps.compare_methods import compare_methods
from traction.crossing.sweeps.crossing_resonance import cross_resonance
from traction.materials import STEEL, Material
from traction.resting.rest import rest
from traction.trains.bridge import Bridge
from traction.trains.irregularity import Irregularity
from traction.trains.train import Train
from traction.trains.vehicle import Suspension, Wheel

BEAM = Beam(20.0, 2.08e9, 7900.0)  #: of the thesis
MASS, SPEED, GRAVITY = 76e3, 30.0, 9.81
HARD = 1e4  #: times as stiff as steel
SPRUNG = {"midspan": 4.186670820037e-4, "largest force": 56580.56982925}  #: m, N; ten modes
SOURCE = "VBI-2D's case V01"
SPACING = 25.0  #: of equal wheels, m


def checks() -> Iterator[Check]:
    """All rows of accuracy."""
    for contact in ("hertz", "half-space"):
        one = partial(_stiff, contact)
        yield Check(f"cross-{contact}", "force, hard/rigid moving mass", "limit", 1.0, 5e-4, one)
        for quantity, expected in SPRUNG.items():
            found = partial(_sprung, contact, quantity)
            yield Check(f"cross-{contact}", f"hard, sprung mass: {quantity}", SOURCE, expected, 1e-5, found)
        yield Check(
            f"cross-{contact}", "deflection, slow/at rest", "tr.rest", 1.0, 2e-5, partial(_slow, contact)
        )
    yield Check("cross-half-space", "force of a ball/Hertz's", "Hertz", 1.0, 1e-2, _ball)
    for method, tolerance in (("condensed", 1e-8), ("energy-conserving", 1e-8), ("newmark", 1e-4)):
        yield Check(
            "cross-energy", f"balance, {method}", "energy", 1.0, tolerance, partial(_energy, method, "modes")
        )
    for model in ("elements", "differences"):
        yield Check(
            "cross-energy", f"balance, {model}", "energy", 1.0, 1e-4, partial(_energy, "newmark", model)
        )
    for method in ("rk4", "newmark", "radau-iia"):
        words = f"closure, {method}, on springs"
        yield Check("cross-energy", words, "energy", 1.0, 1e-6, partial(_closure, method))
    for method, limit in (("verlet", 2.0), ("rk4", 2.0 * math.sqrt(2.0))):
        yield Check(
            "cross-methods", f"omega dt of {method}", "linear theory", limit, 3e-2, partial(_limit, method)
        )
    first = float(BEAM.frequencies(1)[0]) / (2.0 * math.pi)
    for k in (1, 2):
        yield Check(
            "cross-resonance", f"peak, k = {k}", "f D/k", first * SPACING / k, 2e-2, partial(_peak, k)
        )


def _hard(factor: float) -> Material:
    return Material(2.1e11 * factor, 0.3)


def _stiff(contact: str) -> float:
    """One, and the largest difference of the forces over the load."""
    given: dict[str, Any] = {"size": 5, "dt": 5e-4, "residual": False}
    wheel, bridge = Wheel(0.46, MASS, material=_hard(HARD)), Bridge(BEAM, _hard(HARD))
    run, rigid = (cross(bridge, [(wheel, 0.0)], SPEED, contact=kind, **given) for kind in (contact, "rigid"))
    return 1.0 + float(np.abs(run.forces - rigid.forces).max()) / (MASS * GRAVITY)


@lru_cache(maxsize=2)
def _on_spring(contact: str) -> Any:
    beam = Beam(25.0, 3.5e10 * 1.3901, 18358.0, supports=("pinned", "pinned"))
    wheel = Wheel(0.46, 0.0, material=_hard(HARD), suspension=Suspension(1595e3, 0.0, 5750.0))
    given: dict[str, Any] = {"contact": contact, "size": 10, "dt": 1e-3, "residual": False}
    return cross(Bridge(beam, _hard(HARD)), [(wheel, 0.0)], 25.0, **given)


def _sprung(contact: str, quantity: str) -> float:
    run = _on_spring(contact)
    if quantity == "midspan":
        return float(run.largest("deflection", 12.5).value)
    return float(run.contact_forces.max())


def _slow(contact: str) -> float:
    """At midspan, where the slope is zero and damping does not lag behind; what is left falls with V^2."""
    wheel, bridge = Wheel(0.46, 8e3), Bridge(Beam(20.0, 2.08e9, 7900.0, damping=0.2), STEEL)
    run = cross(bridge, [(wheel, 0.0)], 0.3, contact=contact, size=20, dt=10.0 / 0.3 / 600, t_end=10.0 / 0.3)
    known = rest(wheel, bridge, 10.0, 8e3 * GRAVITY)
    return float(run.deflection(10.0)[-1] / known.deflection(10.0))


def _ball() -> float:
    """One, and the largest difference of the forces over the load, on a wavy rail."""
    wheel = Wheel(0.46, 1e3, suspension=Suspension(1e6, 1e4, 9e3))
    given: dict[str, Any] = {"size": 8, "dt": 5e-4, "irregularity": Irregularity.harmonic(4e-4, 0.9)}
    one, other = (
        cross(Bridge(BEAM, STEEL), [(wheel, 0.0)], SPEED, contact=kind, t_end=0.3, **given)
        for kind in ("hertz", "half-space")
    )
    return 1.0 + float(np.abs(one.forces - other.forces).max()) / (1e4 * GRAVITY)


def _energy(method: str, model: str) -> float:
    """One, and what the balance lacks and the method adds, over the work, of wheels on a wavy rail."""
    wheel = Wheel(0.46, 1e3, suspension=Suspension(1e6, 0.0, 9e3))
    chosen: dict[str, Any] = {} if method == "condensed" else {"method": method}
    run: Any = cross(
        Bridge(BEAM, STEEL), [(wheel, 0.0), (wheel, 3.0)], SPEED, contact="hertz", model=model,
        size=8 if model == "modes" else 20, dt=5e-4, t_end=0.2, irregularity=Irregularity.harmonic(3e-4, 2.0),
        **chosen,
    )  # fmt: skip
    return 1.0 + float(run.energies.closure) + float(run.energies.drift)


def _closure(method: str) -> float:
    """One, and what the balance lacks over the work: a wheel meets a step of the track within a time step."""
    ends = Support(1e9, 0.0)
    bridge = Bridge(Beam(20.0, 2.08e9, 7900.0, supports=(ends, ends)), STEEL)
    wheel = Wheel(0.46, 1e3, suspension=Suspension(1e6, 0.0, 9e3))
    given: dict[str, Any] = {"contact": "hertz", "size": 8, "dt": 1e-3, "t_end": 0.4, "method": method}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of that step
        run: Any = cross(bridge, [(wheel, 0.0), (wheel, 3.01)], SPEED, **given)
    return 1.0 + float(run.energies.closure)


def _limit(method: str) -> float:
    train = [(Wheel(0.46, MASS), 0.0)]
    found = compare_methods(
        Bridge(BEAM, STEEL), train, SPEED, steps=[1e-3], t_end=0.2, size=10, methods=[method], residual=False
    )
    return found.limits[0].found


def _peak(k: int) -> float:
    """Speed of the largest deflection around that of the rule, on a parabola through three samples."""
    beam = Beam(20.0, 2.08e9, 7900.0, damping=0.01)
    wheel = Wheel(0.46, 2e3, suspension=Suspension(1e6, 1e4, 14e3))
    train = Train([(wheel, SPACING * k) for k in range(6)], spacing=SPACING)
    speeds = float(beam.frequencies(1)[0]) / (2.0 * math.pi) * SPACING / k * np.linspace(0.96, 1.04, 7)
    w = cross_resonance(Bridge(beam, STEEL), train, speeds, contact="hertz", size=4, dt=1e-3).deflection[0]
    n = int(np.clip(np.argmax(w), 1, speeds.size - 2))
    bend, slope, _ = np.polyfit(speeds[n - 1 : n + 2] - speeds[n], w[n - 1 : n + 2], 2)
    return float(speeds[n] - slope / (2.0 * bend))
