"""Driven wheels: steady rolling, Kalker's linear theory, steps of any length, a wheel that slides."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

import numpy as np

from traction.app.verification import Check
from traction.beams.beam import Beam
from traction.contact.normal.press import solve_press
from traction.contact.rolling.steady_rolling import roll_steady
from traction.contact.simplified.kalker import kalker_coefficients
from traction.crossing.cross import cross
from traction.crossing.results.contact_crossing import ContactCrossing
from traction.crossing.results.wheel_rolling import WheelRolling
from traction.grid import Grid
from traction.materials import STEEL, Pair
from traction.surfaces import Sphere
from traction.theory import hertz
from traction.trains.bridge import Bridge
from traction.trains.drive import Drive
from traction.trains.shaft import Shaft
from traction.trains.vehicle import Wheel

RADIUS, MASS, SPEED, FRICTION, ELEMENTS = 0.46, 1e4, 30.0, 0.3, 16
LOAD = MASS * 9.81
PAIR = Pair(STEEL, STEEL)
SEMI_AXIS = hertz.sphere(RADIUS, PAIR, force=LOAD).radius
LENGTH, DX = 2.0 * SEMI_AXIS, 2.7 * SEMI_AXIS / ELEMENTS
FORCE, SMALL = -20e3, -600.0  #: N
TORQUE, INERTIA = -40e3, 2.0  #: N m and kg m^2
HEAVY, SHAFT = 50.0, Shaft(2e8, damping=3e3)  #: kg m^2, and a shaft


def checks() -> Iterator[Check]:
    """All rows of driven wheels."""
    yield Check("driving-force", "creepage/steady rolling", "tr.roll_steady", 1.0, 5e-3, _steady)
    yield Check("driving-linear", "creepage/linear theory", "Kalker 1990", 1.0, 0.02, _linear)
    yield Check("driving-steps", "slip, 12 elements/0.3 per step", "the same", 1.0, 0.01, _steps)
    yield Check("driving-torque", "deceleration of a sliding wheel", "momentum", 1.0, 1e-4, _sliding)
    yield Check(
        "driving-shaft", "torsion of a sliding wheel / its period", "closed form", 1.0, 5e-3, _torsion
    )


def _crossed(drive: Drive, elements: float, lengths: float) -> WheelRolling:
    """On a bridge that hardly moves, so many elements per step, over so many contact lengths."""
    run = cross(
        Bridge(Beam(20.0, 1e13, 1e6), STEEL), [(Wheel(RADIUS, MASS), 0.0)], SPEED, contact="hertz",
        dt=elements * DX / SPEED, t_end=lengths * LENGTH / SPEED, drive=drive, gravity=9.81,
    )  # fmt: skip
    assert isinstance(run, ContactCrossing)
    return run.rolling()


def _braked(t: np.ndarray) -> np.ndarray:
    """Over the first contact length."""
    return FORCE * np.clip(SPEED * t / LENGTH, 0.0, 1.0)


@lru_cache(maxsize=4)
def _slip(elements: float, lengths: float) -> tuple[float, float]:
    """Rigid slip up to a contact length before the end and to the end, m."""
    rolling = _crossed(Drive(force=_braked, elements=ELEMENTS), elements, lengths)
    way = SPEED * rolling.t
    total = np.cumsum(rolling.creepage[:, 0] * np.diff(way, prepend=0.0))
    before, end = np.interp(((lengths - 1.0) * LENGTH, lengths * LENGTH), way, total)
    return float(before), float(end)


def _steady() -> float:
    before, end = _slip(0.7, 4.0)
    normal = solve_press(Sphere(RADIUS), Grid(ELEMENTS, ELEMENTS, DX, DX), PAIR, force=LOAD)
    expected = roll_steady(normal, FRICTION, force=(FORCE, None), creepage=(None, 0.0, 0.0))
    return (end - before) / LENGTH / expected.creepage[0]


def _linear() -> float:
    rolling = _crossed(Drive(force=SMALL, elements=24), 1.0, 1.0)
    C11 = kalker_coefficients(1.0, PAIR.poisson_ratio).C11
    return float(rolling.creepage[1:, 0].mean()) * PAIR.shear_modulus * SEMI_AXIS**2 * C11 / -SMALL


def _steps() -> float:
    return _slip(12.0, 3.0)[1] / _slip(0.3, 3.0)[1]


def _sliding() -> float:
    applied = LENGTH / SPEED
    drive = Drive(torque=lambda t: TORQUE * (t >= applied), inertia=INERTIA, elements=8)
    rolling = _crossed(drive, 2.0, 6.0)
    n = rolling.t.size - 1
    slowing = (rolling.rotation[n] - rolling.rotation[n // 2]) / (rolling.t[n] - rolling.t[n // 2])
    return float(slowing * INERTIA / (TORQUE + RADIUS * FRICTION * LOAD))


def _torsion() -> float:
    """Frequency of a shaft whose wheel slides: constant friction only moves the middle."""
    period = SHAFT.period(HEAVY)
    given = (lambda t: -0.03 * np.clip(t / period, 0.0, 1.0), 0.0, 0.0)
    drive = Drive(creepage=given, inertia=HEAVY, shaft=SHAFT, elements=8, keep=2)
    rolling = _crossed(drive, 1.0, 6.0 * period * SPEED / LENGTH)
    assert rolling.shaft_torque is not None
    slides = rolling.t > 2.0 * period
    t, off = rolling.t[slides], rolling.shaft_torque[slides] - RADIUS * FRICTION * LOAD
    rises = np.flatnonzero((off[:-1] < 0.0) & (off[1:] >= 0.0))
    crossed = t[rises] - off[rises] * np.diff(t)[rises] / np.diff(off)[rises]
    decay = SHAFT.damping * period / (4.0 * np.pi * HEAVY)
    return float(np.diff(crossed).mean() * np.sqrt(1.0 - decay**2) / period)
