"""`impact`: a body strikes a structure."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from time import perf_counter
from typing import Any

import numpy as np

from traction import checks
from traction.errors import ConvergenceError, InputError
from traction.impacts.dense_path import Arrays, Track, point_structure
from traction.impacts.impact_history import ImpactHistory
from traction.impacts.methods import energy_method, modal_method, picard_method, small_increment_method
from traction.impacts.striker import Striker
from traction.impacts.structures.point_response import PointResponse
from traction.impacts.structures.struck_structures import Structure, point_response, structure_of
from traction.laws.kernels.law_values import CompiledLaw
from traction.laws.rigid_strike import strike_rigid_ground
from traction.status import Status

METHODS = ("modal", "small-increment", "energy", "picard")
#: options of each method beside those of all
OPTIONS = {"modal": ("tol",), "small-increment": ("dt",), "energy": (), "picard": ("iterations", "points")}
CONTACTS, PERIODS = (
    20.0,
    2.0,
)  #: default end, in contact times on rigid ground and in periods of the structure
USUAL_TOL = 1e-9
USUAL_ITERATIONS, USUAL_POINTS = 10, 2000


def impact(
    structure: Any,
    at: Any,
    striker: Striker,
    *,
    method: str = "modal",
    t_end: float | None = None,
    modes: int | None = None,
    residual: bool = True,
    gravity: float = 0.0,
    on_failure: str = "raise",
    **options: Any,
) -> ImpactHistory:
    """A striker hits a structure that is at rest, at the place `at` and the time 0.

    `structure` is a `tr.Beam` (`at` in m), a `tr.Plate` (`at` = (x, y)), a `tr.ModalStructure`, a
    `tr.InfiniteBeam`, a `tr.InfinitePlate` or `tr.RigidGround()` (`at` None). `modes` is how many are kept,
    200 of a beam and 2000 of a plate by default; the others act by their static flexibility unless `residual`
    is False. `gravity` (m/s^2) pulls the striker towards the structure, whose own weight is balanced.
    The history runs to `t_end` (s): by default 20 times the contact time on rigid ground or two periods of
    striker and structure together, whichever is longer.

    Options: "modal" takes `tol` (1e-9), the error of a step over the speed of the touch; "small-increment"
    takes `dt`; "picard" takes `iterations` (10) and `points` (2000). "energy" and "picard" show one contact,
    of an elastic law, without gravity.
    """
    began = perf_counter()
    checks.choice("method", method, METHODS)
    checks.choice("on_failure", on_failure, ("raise", "return"))
    for name in options:
        if name not in OPTIONS[method]:
            known = ", ".join(OPTIONS[method]) or "no options"
            raise InputError(f'{name} is no option of method="{method}", which takes {known}.')
    problem = Problem.checked(structure, at, striker, t_end, modes, residual, gravity)
    found = SOLVERS[method](problem, **options)
    stats = {"steps": len(found.track.cubics), "seconds": perf_counter() - began, **found.stats}
    history = ImpactHistory(
        method,
        problem.structure,
        at,
        striker,
        problem.response,
        problem.gravity,
        found.status,
        found.message,
        stats,
        found.track,
        problem.law,
    )
    if found.status is not Status.CONVERGED and on_failure == "raise":
        raise ConvergenceError(f"{found.message[0].upper()}{found.message[1:]}.", history)
    return history


@dataclass(frozen=True, eq=False)
class Problem:
    """An impact, checked, as the methods take it."""

    structure: Structure
    striker: Striker
    response: PointResponse
    gravity: float  #: m/s^2
    t_end: float  #: s
    contact_time: float  #: on rigid ground, s
    law: CompiledLaw

    @classmethod
    def checked(
        cls, structure: Any, at: Any, striker: Any, t_end: Any, modes: Any, residual: Any, gravity: Any
    ) -> Problem:
        """From what a user gave."""
        target = structure_of(structure)
        checks.instance("striker", striker, Striker)
        g = checks.at_least("gravity", gravity, 0.0, "m/s^2")
        start = 0.5 * striker.mass * striker.speed**2
        law = striker.law.compiled(start)
        contact_time = strike_rigid_ground(law, striker.mass, striker.speed).duration
        end = None if t_end is None else checks.positive("t_end", t_end, "s")
        times = (contact_time, end or CONTACTS * contact_time)
        response = point_response(target, at, modes, checks.flag("residual", residual), times)
        if end is None:
            end = max(times[1], PERIODS * _period(response, striker.mass))
        return cls(target, striker, response, g, end, contact_time, law)

    @cached_property
    def kernel(self) -> Arrays:
        """Structure and striker as the kernels take them."""
        return point_structure(self.response, self.striker.mass, self.gravity)

    @property
    def times(self) -> tuple[float, float]:
        """End and contact time, s."""
        return self.t_end, self.contact_time

    def require_simple(self, method: str) -> None:
        """Refuse what the approximate methods do not describe."""
        if not self.striker.law.is_elastic:
            raise InputError(
                f'method="{method}" needs an elastic contact law, not a {type(self.striker.law).__name__}; '
                'use method="modal".'
            )
        if self.gravity > 0.0 and method != "small-increment":
            raise InputError(f'method="{method}" takes no gravity; use method="modal".')


@dataclass(frozen=True, eq=False)
class Solved:
    """Track of a method and how it ended."""

    track: Track
    status: Status
    message: str
    stats: dict[str, Any]


def _period(response: PointResponse, mass: float) -> float:
    """Of the lowest vibration, or of the striker on the structure's static stiffness, s."""
    held = response.frequencies[response.frequencies > 0.0]
    own = 2.0 * math.pi / float(held[0]) if held.size else 0.0
    return max(own, 2.0 * math.pi * math.sqrt(mass * response.flexibility))


def _modal(problem: Problem, tol: float = USUAL_TOL) -> Solved:
    found = modal_method.march(problem.kernel, problem.law, problem.striker.speed, problem.times, tol)
    return Solved(found.track, found.status, found.message, {"tol": tol})


def _small_increment(problem: Problem, dt: float | None = None) -> Solved:
    problem.require_simple("small-increment")
    track = small_increment_method.march(
        problem.kernel, problem.law, problem.striker.speed, problem.times, dt
    )
    return Solved(track, Status.CONVERGED, str(Status.CONVERGED), {"dt": float(track.times[1])})


def _energy(problem: Problem) -> Solved:
    problem.require_simple("energy")
    sine = _half_sine(problem)
    track = Track.driven(problem.kernel, problem.striker.speed, *sine.steps(problem.t_end))
    return Solved(track, Status.CONVERGED, str(Status.CONVERGED), {"half_sine": sine})


def _picard(problem: Problem, iterations: int = USUAL_ITERATIONS, points: int = USUAL_POINTS) -> Solved:
    problem.require_simple("picard")
    n, many = checks.count("iterations", iterations), checks.count("points", points, 10)
    sine = _half_sine(problem)
    exact = modal_method.march(problem.kernel, problem.law, problem.striker.speed, problem.times, USUAL_TOL)
    released = np.flatnonzero(~exact.track.touching)
    window = float(exact.track.times[released[0]]) if released.size else problem.t_end
    t = np.linspace(0.0, window, many + 1)
    target = exact.track.force(t)
    found = picard_method.iterate(problem.kernel, problem.law, problem.striker.speed, sine, target, t, n)
    stats = {"half_sine": sine, "iterates": found, "errors": found.errors, "growing": found.growing}
    return Solved(found.track, Status.CONVERGED, found.words(), stats)


def _half_sine(problem: Problem) -> energy_method.HalfSine:
    striker = problem.striker
    return energy_method.half_sine(
        problem.kernel, problem.law, striker.mass, striker.speed, problem.contact_time
    )


SOLVERS: dict[str, Any] = {
    "modal": _modal,
    "small-increment": _small_increment,
    "energy": _energy,
    "picard": _picard,
}
