"""A cylinder that rolls over a body given by its modes and by the compliance of all others at rest.

Modes move exactly (`ExactSteps`: under a load that varies evenly within a step, propagated by the matrix
exponential), the rest follows the contact force at once. The step then limits only how the force varies
within it, and frequencies are those of the body. `PressureContact` is Hertz's pressure between both: one
unknown, the force.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from scipy.linalg import expm

from traction import checks
from traction.errors import ConvergenceError, InputError
from traction.trains.vehicle import Vehicle

SHORT = 0.5  #: longest step times the circular frequency of the wheel on its contact
NEARBY = 1e-2  #: of the first place, over which its deflection at rest is differentiated
MOST = 50  #: corrections of the width
TIGHT = 1e-8  #: of the force, its last correction
LEAST = 1e-6  #: of the weight: below it the cylinder has lifted off


class ExactSteps:
    """q'' + C q' + K q = g for a batch of small systems; the state x is (q, q').

    The end of a step is P x + Q0 g0 + Q1 g1 with the loads g0 and g1 at its ends. Frequencies and damping are
    exact whatever the step, where Newmark's method has them too low by about (omega dt)^2/12.
    """

    def __init__(self, C: np.ndarray, K: np.ndarray, dt: float) -> None:
        """Matrices of shape (systems, d, d)."""
        n, d, _ = K.shape
        one = np.eye(d)
        rates = np.zeros((n, 4 * d, 4 * d))  # of q, q', g and of the change of g within the step
        rates[:, :d, d : 2 * d] = one
        rates[:, d : 2 * d, :d], rates[:, d : 2 * d, d : 2 * d] = -K, -C
        rates[:, d : 2 * d, 2 * d : 3 * d] = one
        rates[:, 2 * d : 3 * d, 3 * d :] = one / dt
        found = expm(rates * dt)[:, : 2 * d]
        self._P, self._Q1 = found[..., : 2 * d], found[..., 3 * d :]
        self._Q0 = found[..., 2 * d : 3 * d] - self._Q1
        self.per_load = self._Q1[:, :d]  #: q at the end of a step per load there

    def free(self, x: np.ndarray, load: np.ndarray) -> np.ndarray:
        """The end of the step without the load there; x is (systems, 2 d), load (systems, d)."""
        return np.asarray((self._P @ x[..., None])[..., 0] + (self._Q0 @ load[..., None])[..., 0])

    def loaded(self, free: np.ndarray, load: np.ndarray) -> np.ndarray:
        """The end of the step with the load there."""
        return np.asarray(free + (self._Q1 @ load[..., None])[..., 0])


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


class PressedBody(Protocol):
    """Modes of a body under Hertz's pressure of a force, and what is left of its compliance."""

    @property
    def frequencies(self) -> np.ndarray:
        """Of the modes, rad/s."""
        ...

    @property
    def weight(self) -> float:
        """Of the cylinder, N/m."""
        ...

    def loads(self, place: float, force: float, /) -> np.ndarray:
        """Loads of the modes, which have unit modal masses, per force."""
        ...

    def residual(self, place: float, force: float, /) -> float:
        """Drop of the cylinder per force that the modes do not have, m2/N."""
        ...


class PressureContact:
    """The width of the patch belongs to the force at the end of the step: no lag, and no energy by it."""

    def __init__(self, body: PressedBody) -> None:
        self.body, self.frequencies = body, body.frequencies

    def at_rest(self, place: float, force: float) -> tuple[float, np.ndarray]:
        """Drop of the cylinder (m) under a force, and the loads of the modes."""
        loads = self.body.loads(place, force)
        modal = float(np.sum((loads / self.frequencies) ** 2))
        return (modal + self.body.residual(place, force)) * force, loads * force

    def meet(self, step: FreeStep) -> tuple[float, np.ndarray]:
        """Contact force (N/m) at the end of a step, and the loads of the modes."""
        least = LEAST * self.body.weight
        force = max(step.force, least)
        for _ in range(MOST):
            loads = self.body.loads(step.place, force)
            soft = float(loads @ (step.per_load * loads)) + step.rise + self.body.residual(step.place, force)
            found = (step.drop - float(loads @ step.q)) / soft
            if found <= least and force == least:
                return 0.0, np.zeros_like(loads)
            found, force = force, max(found, least)
            if abs(found - force) <= TIGHT * force:
                return force, force * loads
        raise ConvergenceError(
            f"the patch at {step.place:g} m has no width after {MOST} corrections; use more steps."
        )
