"""A train whose speed is dragged: where it stands on the resonance curve, and how the bridge moves."""

from __future__ import annotations

from functools import lru_cache

import numpy as np

import traction as tr
from traction.studio.live.drags import DragChoice, DragHandle, Given, describe_handles
from traction.studio.messages import Facts, describe_axis, describe_curve
from traction.view.page.live import thin

TRAINS = tuple(f"HSLM-A{number}" for number in range(1, 11))
TRAIN = DragChoice("train", "train", TRAINS[0], TRAINS)
SUPPORTS = DragChoice("supports", "supports", "pinned", ("pinned", "clamped"))
SPEED = DragHandle("speed", "speed", "m/s", 60.0, 10.0, 140.0, 0.5)
BRIDGE = (
    DragHandle("length", "length", "m", 15.0, 5.0, 100.0, 0.5),
    DragHandle("bending_stiffness", "bending stiffness", "N m2", 7.694081e9, 1e8, 1e12),
    DragHandle("mass_per_length", "mass per length", "kg/m", 15e3, 1e3, 60e3),
    DragHandle("damping", "damping ratio", "", 0.01, 0.0, 0.1, 0.001),
)
SPEEDS = 141  #: of the curve
MODES = 3
POINTS = 500  #: of the history
STEPS = 100  #: of the history in a period of the bridge

Bridge = tuple[str, str, tuple[float, ...]]  #: train, supports and numbers of the bridge


def describe() -> Facts:
    """The handles."""
    return {"parameters": describe_handles((TRAIN, SPEED, *BRIDGE, SUPPORTS)), "trains": list(TRAINS)}


def solve(given: Given) -> Facts:
    """The curve, the point at the speed, and the deflection at midspan over time."""
    speed = SPEED.read(given)
    bridge = TRAIN.read(given), SUPPORTS.read(given), tuple(one.read(given) for one in BRIDGE)
    beam, train = _build(bridge)
    here = tr.resonance(beam, train, [speed], modes=MODES)
    step = 1.0 / (STEPS * _frequency(bridge))  # fine enough for a picture; peaks come from `here`
    crossing = tr.moving_load(beam, train, speed, size=MODES, dt=step)
    middle = 0.5 * beam.length
    times, deflection = thin(crossing.t, crossing.deflection(middle), POINTS // 2)
    point = {
        "speed": speed,
        "deflection": float(here.deflection[0, 0]),
        "acceleration": float(here.acceleration[0, 0]),
        "static": float(here.static[0]),
    }
    history = {
        "x": describe_axis("time", "time", "s", times),
        "series": [describe_curve("deflection", "deflection at midspan, downwards", "m", deflection)],
    }
    return {**_draw_curve(bridge), "point": point, "history": history}


@lru_cache(maxsize=16)
def _build(bridge: Bridge) -> tuple[tr.Beam, tr.Train]:
    train, supports, (length, stiffness, mass, damping) = bridge
    beam = tr.Beam(length, stiffness, mass, supports=(supports, supports), damping=damping)
    return beam, tr.Train.hslm(train.removeprefix("HSLM-"))


@lru_cache(maxsize=16)
def _frequency(bridge: Bridge) -> float:
    """Lowest natural frequency, Hz."""
    return float(_build(bridge)[0].frequencies(1)[0] / (2.0 * np.pi))


@lru_cache(maxsize=16)
def _draw_curve(bridge: Bridge) -> Facts:
    """The curve over all speeds, computed once for a bridge and a train."""
    beam, train = _build(bridge)
    found = tr.resonance(beam, train, np.linspace(SPEED.minimum, SPEED.maximum, SPEEDS), modes=MODES)
    expected = [
        {"speed": float(one.speed), "mode": one.mode, "period": one.period, "spacing": one.spacing}
        for one in found.expected[0]
        if one.mode == 1
    ]
    curve = {
        "x": describe_axis("speed", "speed", "m/s", found.speeds),
        "series": [
            describe_curve("deflection", "peak deflection at midspan", "m", found.deflection[0]),
            describe_curve("acceleration", "peak acceleration at midspan", "m/s2", found.acceleration[0]),
        ],
    }
    return {"curve": curve, "expected": expected, "frequency": _frequency(bridge)}
