"""A cylinder that rolls over a body given by its modes and by the compliance of all others at rest.

Modes move exactly (`ExactSteps`), the rest follows the contact force at once. The step then limits only how
the force varies within it, and frequencies are those of the body.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from traction import checks
from traction.app.finite_elements.exact_steps import ExactSteps
from traction.errors import InputError
from traction.trains.vehicle import Vehicle

SHORT = 0.5  #: longest step times the circular frequency of the wheel on its contact
NEARBY = 1e-2  #: of the first place, over which its deflection at rest is differentiated


@dataclass(frozen=True)
class Ride:
    """What rolls, and how."""

    vehicle: Vehicle
    weight: float  #: N/m
    speed: float  #: m/s
    way: tuple[float, float]  #: from and to, m
    damping: float  #: beta, s, of a damping beta K of the body


@dataclass(frozen=True, eq=False)
class FreeStep:
    """The end of a step in which no contact force acts."""

    place: float  #: of the wheel, m
    q: np.ndarray  #: of the modes
    per_load: np.ndarray  #: q per load of each mode
    drop: float  #: of the wheel, m
    rise: float  #: of the wheel per contact force, m2/N
    force: float  #: extrapolated from the last two steps, N/m


class RollingContact(Protocol):
    """Contact between a cylinder and the modes of a body."""

    frequencies: np.ndarray  #: of the modes, rad/s

    def at_rest(self, place: float, force: float) -> tuple[float, np.ndarray]:
        """Drop of the cylinder (m) under a force, and the loads of the modes."""
        ...

    def meet(self, step: FreeStep) -> tuple[float, np.ndarray]:
        """Contact force (N/m) at the end of a step, and the loads of the modes."""
        ...


@dataclass(frozen=True, eq=False)
class ModalCrossing:
    """Force and drop of a cylinder that crosses the modes of a body."""

    t: np.ndarray  #: s
    force: np.ndarray  #: of the contact, N/m
    drop: np.ndarray  #: of the cylinder, m
    modes: int


def roll_over(contact: RollingContact, ride: Ride, steps: int) -> ModalCrossing:
    """Roll from the first place to the second.

    Over the support the body is at rest under the cylinder, as the bridge is in `tr.cross`. Further on, body
    and wheel begin with the velocities of a weight that rolls slowly: the deflection at rest moves with it.
    """
    (first, last), speed = ride.way, ride.speed
    dt = (last - first) / speed / checks.count("steps", steps)
    square, car, weight = contact.frequencies**2, ride.vehicle, ride.weight
    beam = ExactSteps(ride.damping * square[:, None, None], square[:, None, None], dt)
    damping, stiffness = (m[None] / car.mass[:, None] for m in (car.damping, car.stiffness))
    train = ExactSteps(damping, stiffness, dt)
    wheel = np.zeros(car.mass.size)
    wheel[list(car.wheels)] = 1.0
    push = (wheel / car.mass)[None]
    rise = float(wheel @ train.per_load[0] @ push[0])
    start, load = contact.at_rest(first, weight)
    local = start / weight - float(np.sum(load**2 / square)) / weight**2
    _require_short(dt, math.sqrt(local / float(wheel @ push[0])), steps)
    moving, riding = np.zeros((square.size, 2)), np.zeros((1, 2 * wheel.size))
    moving[:, 0] = load / square
    if first > 0.0:
        falling, changing = _rolling(contact, first, weight)
        moving[:, 1], riding[0, wheel.size :] = speed * changing / square, speed * falling * wheel
    F = before = weight
    rows = [(weight, start)]
    for i in range(1, steps + 1):
        moving = beam.free(moving, load[:, None])
        riding = train.loaded(train.free(riding, (weight - F) * push), weight * push)
        drop = start + float(wheel @ riding[0, : wheel.size])
        step = FreeStep(
            first + speed * dt * i, moving[:, 0], beam.per_load[:, 0, 0], drop, rise, 2.0 * F - before
        )
        before = F
        F, load = contact.meet(step)
        moving = beam.loaded(moving, load[:, None])
        riding = train.loaded(riding, -F * push)
        rows.append((F, start + float(wheel @ riding[0, : wheel.size])))
    force, drops = np.array(rows).T
    return ModalCrossing(dt * np.arange(steps + 1), force, drops, square.size)


def _require_short(dt: float, time: float, steps: int) -> None:
    """Modes are exact, but the force is linear within a step."""
    if dt > SHORT * time:
        raise InputError(
            f"steps = {steps} are too few for a wheel whose period on its contact is {6.3e3 * time:.2g} ms: "
            f"use at least {math.ceil(steps * dt / (SHORT * time))}."
        )


def _rolling(contact: RollingContact, place: float, weight: float) -> tuple[float, np.ndarray]:
    """Change of the drop and of the loads of the modes per way, of a weight at rest."""
    near = NEARBY * place
    (above, left), (below, right) = (contact.at_rest(place + side, weight) for side in (-near, near))
    return (below - above) / (2.0 * near), (right - left) / (2.0 * near)
