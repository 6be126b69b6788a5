"""`ImpactProblem`: the checked input of all methods; `DensePath`: their result."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike

from traction import checks
from traction.errors import InputError
from traction.impacts.kernels import collocation_step as kernels
from traction.impacts.kernels.collocation_step import PathSteps, StruckPoint
from traction.impacts.striker import Striker
from traction.impacts.structures.modal_structure import PointResponse
from traction.impacts.structures.struck_structures import Place, Structure, check_structure, point_response
from traction.laws.kernels.law_values import REMEMBERED, CompiledLaw
from traction.laws.rigid_strike import strike_rigid_ground
from traction.status import Status

#: default end, in contact times on rigid ground and in periods of the structure
CONTACTS, PERIODS = 20.0, 2.0

LARGEST_GRAVITY = 1e5  #: m/s^2


@dataclass(frozen=True, eq=False)
class DensePath:
    """n steps between n + 1 times."""

    point: StruckPoint
    times: np.ndarray  #: ends of the steps, s
    cubics: np.ndarray  #: coefficients of the force in powers of (t - t_k)/h, (n, 4)
    states: np.ndarray  #: at the times, (n + 1, STATE)
    q: np.ndarray  #: modes at the times, (n + 1, modes)
    v: np.ndarray  #: their rates
    memories: np.ndarray  #: of the contact at the times, (n + 1, REMEMBERED)

    @classmethod
    def driven(cls, point: StruckPoint, speed: float, times: np.ndarray, cubics: np.ndarray) -> DensePath:
        """The motion under a given force."""
        n, modes = times.size, len(point.modes)
        states = np.zeros((n, kernels.STATE))
        states[0, kernels.V] = speed
        states[:, kernels.T] = times
        ends = np.ascontiguousarray(times, dtype=float)
        steps = PathSteps(ends, cubics, states, np.zeros((n, modes)), np.zeros((n, modes)))
        kernels.drive_path(point, steps)
        states[1:, kernels.F] = cubics.sum(axis=1)
        states[:-1, kernels.TOUCHING] = np.abs(cubics).sum(axis=1) > 0.0
        return cls(point, *steps, np.zeros((n, REMEMBERED)))

    @property
    def touching(self) -> np.ndarray:
        """Whether a step is in contact."""
        return self.states[:-1, kernels.TOUCHING] > 0.0

    def sample(self, t: np.ndarray) -> np.ndarray:
        """Rows of striker's position and speed, deflection and its rate, force, at times t (s)."""
        order = np.argsort(t, kind="stable")
        found = np.empty((t.size, kernels.COLUMNS))
        steps = PathSteps(self.times, self.cubics, self.states, self.q, self.v)
        found[order] = kernels.sample_path(self.point, steps, np.ascontiguousarray(t[order]))
        return found

    def force(self, t: np.ndarray) -> np.ndarray:
        """Contact force (N) at times t."""
        k = self._step_at(t)
        h = np.diff(self.times)[k]
        s = np.where(h > 0.0, (t - self.times[k]) / np.where(h > 0.0, h, 1.0), 0.0)
        c = self.cubics[k].T
        return np.asarray(c[0] + s * (c[1] + s * (c[2] + s * c[3])))

    def modes(self, t: float) -> tuple[np.ndarray, np.ndarray]:
        """Modal coordinates and their rates at a time."""
        k = int(self._step_at(np.array(t)))
        q, v = self.q[k].copy(), self.v[k].copy()
        h = float(self.times[k + 1] - self.times[k])
        kernels.move_modes_to(self.point.modes, self.cubics[k], h or 1.0, float(t - self.times[k]), q, v)
        return q, v

    def _step_at(self, t: np.ndarray) -> np.ndarray:
        """Indices of the steps that contain times t."""
        return np.clip(np.searchsorted(self.times, t, "left") - 1, 0, len(self.cubics) - 1)


@dataclass(frozen=True, eq=False)
class ImpactProblem:
    """A striker on a structure."""

    structure: Structure
    striker: Striker
    response: PointResponse
    gravity: float  #: m/s^2
    t_end: float  #: s
    contact_time: float  #: on rigid ground, s
    law: CompiledLaw

    @classmethod
    def checked(
        cls,
        structure: object,
        at: Place,
        striker: Striker,
        t_end: float | None,
        modes: int | None,
        residual: bool,
        gravity: float,
    ) -> ImpactProblem:
        """Check the input of a user."""
        target = check_structure(structure)
        checks.instance("striker", striker, Striker)
        g = check_gravity(gravity)
        law = striker.law.compiled(0.5 * striker.mass * striker.speed**2)
        contact_time = strike_rigid_ground(law, striker.mass, striker.speed).duration
        end = None if t_end is None else checks.positive("t_end", t_end, "s")
        times = (contact_time, end or CONTACTS * contact_time)
        response = point_response(target, at, modes, checks.flag("residual", residual), times)
        if end is None:
            end = max(times[1], PERIODS * float(longest_period(response, response.flexibility, striker.mass)))
        return cls(target, striker, response, g, end, contact_time, law)

    @cached_property
    def point(self) -> StruckPoint:
        """Structure and striker as arguments of the kernels."""
        return struck_point(self.response, self.striker.mass, self.gravity)

    def require_elastic(self, method: str) -> None:
        """Refuse a law that the approximate methods do not describe."""
        if not self.striker.law.is_elastic:
            raise InputError(
                f'method="{method}" needs an elastic contact law, not a {type(self.striker.law).__name__}; '
                'use method="modal".'
            )


@dataclass(frozen=True, eq=False)
class ImpactSolution:
    """Path of a method, and its status."""

    path: DensePath
    status: Status = Status.CONVERGED
    message: str = str(Status.CONVERGED)
    stats: dict[str, object] = field(default_factory=dict)


def struck_point(response: PointResponse, mass: float, gravity: float) -> StruckPoint:
    """A struck point and a striker of this mass (kg) in gravity (m/s^2), as arguments of the kernels."""
    return StruckPoint(response.table, mass, gravity, response.residual_flexibility, response.mobility)


def longest_period(response: PointResponse, flexibility: ArrayLike, mass: ArrayLike) -> np.ndarray:
    """Period of the lowest vibration, or of the striker on the structure's static flexibility (m/N), s."""
    held = response.frequencies[response.frequencies > 0.0]
    own = 2.0 * math.pi / float(held[0]) if held.size else 0.0
    return np.maximum(own, 2.0 * math.pi * np.sqrt(np.multiply(mass, flexibility)))


def check_gravity(gravity: object) -> float:
    """The acceleration of gravity, m/s^2, zero or more."""
    g = checks.at_least("gravity", gravity, 0.0, "m/s^2")
    if g > LARGEST_GRAVITY:
        raise InputError(
            f"gravity = {g} m/s^2 must be at most {LARGEST_GRAVITY:g}: the contact would never end; "
            "check the unit."
        )
    return g
