"""Methods of an impact: "modal", exact to its tolerance, and "energy", "picard" and "small-increment".

"modal": every mode moved exactly, forces by collocation, steps by error control (order 6). The equations are
in `collocation_step`. A contact ends where the approach returns to zero, located inside a step; the striker
then flies, and touches again where the gap closes, which no step can miss (`impact_march.fly`).

The others are historical approximations, for comparison. "energy" (after Zener and Feshbach 1939, Lee 1940):
the force is half a sine, f = A sin(pi t/T). Momentum determines the striker's speed after it, v1 = v0 - 2 A
T/(pi m). Amplitude and duration follow from two equations, in which the structure's part is in closed form:

    energy    m v0^2/2 = m v1^2/2 + work of the force on the structure
    contact   A = F(delta) with the approach delta at t = T/2

"picard" (Wei, Krishnaprasad and Dayawansa 1993): f <- F(v0 t - (1/m) int int f - w[f]), repeated from
that half sine; the first iterate is in closed form, the others interpolate the force linearly between
equally spaced times, with every mode moved exactly. The errors are those of the whole history against the
modal method, relative to the peak: they may grow before they decrease.

"small-increment" (Timoshenko 1913): equal increments of time, the force constant in each (order 1). At the
end of each increment h the force f must satisfy the law f = F(delta) with the approach
delta = delta_free - (h^2/(2 m) + sum phi^2 X_0(h) + Y h + r) f, one scalar equation.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from scipy.optimize import brentq

from traction import checks
from traction.errors import ConvergenceError, InputError
from traction.impacts.impact_problem import DensePath, ImpactProblem, ImpactSolution
from traction.impacts.kernels import collocation_step as places
from traction.impacts.kernels import impact_march as kernels
from traction.impacts.kernels.collocation_step import ImpactMotion, P, StruckPoint, Z
from traction.impacts.kernels.impact_march import ImpactRecord, ImpactSettings
from traction.impacts.kernels.simple_impacts import approach_loss, march_increments, solve_force, work_taken
from traction.laws.kernels.law_values import REMEMBERED, CompiledLaw, contact_force
from traction.status import Status

CHUNK = 256  #: steps between two looks at the record
MOST_STEPS = 2_000_000
LEAST_SPEED = 1e-3  #: of touches whose error is controlled relative to their own speed, over the first
USUAL_TOL = 1e-9
SHORTEST, LONGEST, FACTOR = 0.05, 200.0, 1.04  #: durations tried, over that on rigid ground
USUAL_ITERATIONS, USUAL_POINTS = 10, 2000
PER_CONTACT = 200  #: increments in a contact on rigid ground, by default
MOST = 20_000_000  #: increments


def solve_modal(problem: ImpactProblem, tol: float = USUAL_TOL) -> ImpactSolution:
    """March from the first touch to the end."""
    speed, modes = problem.striker.speed, len(problem.response)
    settings = ImpactSettings(
        problem.t_end, checks.tolerance("tol", tol), problem.contact_time, LEAST_SPEED * speed
    )
    motion = first_touch(modes, speed, problem.contact_time)
    start = np.zeros((1, kernels.RECORD))
    start[0, : places.STATE] = motion.state
    records = [ImpactRecord(start, motion.q[None].copy(), motion.v[None].copy())]
    ended, total = kernels.FULL, 0
    while ended == kernels.FULL and total < MOST_STEPS:
        room = ImpactRecord(
            np.empty((CHUNK, kernels.RECORD)), np.empty((CHUNK, modes)), np.empty((CHUNK, modes))
        )
        ended, n = kernels.march_impact(problem.point, problem.law, settings, motion, room)
        records.append(ImpactRecord(*(part[:n] for part in room)))
        total += n
    status = Status.CONVERGED if ended == kernels.DONE else Status.STEP_FAILED
    reason = "no step is short enough for the contact law" if ended == kernels.FAILED else "too many steps"
    message = status.describe(t=motion.state[places.T], t_end=problem.t_end, reason=reason)
    return ImpactSolution(_join_records(problem, records), status, message, {"tol": tol})


def _join_records(problem: ImpactProblem, records: list[ImpactRecord]) -> DensePath:
    """The path of all steps."""
    table, q, v = (np.concatenate(parts) for parts in zip(*records, strict=True))
    states, _, cubics, memories = (
        np.ascontiguousarray(part)
        for part in np.split(table, (places.STATE, places.STATE + 1, places.STATE + 5), axis=1)
    )
    return DensePath(problem.point, states[:, places.T].copy(), cubics[1:].copy(), states, q, v, memories)


def first_touch(modes: int, speed: float, contact_time: float) -> ImpactMotion:
    """The motion at the first touch."""
    state = np.zeros(places.STATE)
    state[places.V] = state[places.SPEED] = speed
    state[places.H] = kernels.FIRST_STEP * contact_time
    state[places.TOUCHING] = 1.0
    return ImpactMotion(state, np.zeros(REMEMBERED), np.zeros(modes), np.zeros(modes))


@dataclass(frozen=True)
class HalfSine:
    """A sin(pi t/T) for 0 <= t <= T."""

    amplitude: float  #: A, N
    duration: float  #: T, s

    def force(self, t: np.ndarray) -> np.ndarray:
        """At times t, N."""
        inside = (t >= 0.0) & (t <= self.duration)
        return np.where(inside, self.amplitude * np.sin(np.pi * t / self.duration), 0.0)

    def steps(self, t_end: float, n: int = 400) -> tuple[np.ndarray, np.ndarray]:
        """Times, and the cubics of Hermite between them; relative error 1e-11."""
        times = np.linspace(0.0, min(self.duration, t_end), n + 1)
        h, W = times[1], math.pi / self.duration
        f = self.amplitude * np.sin(W * times)
        d = h * self.amplitude * W * np.cos(W * times)
        rise = np.diff(f)
        a, b = d[:-1], d[1:]
        cubics = np.stack((f[:-1], a, 3.0 * rise - 2.0 * a - b, a + b - 2.0 * rise), axis=1)
        if t_end > self.duration:
            times = np.r_[times, t_end]
            cubics = np.concatenate((cubics, np.zeros((1, 4))))
        return times, cubics


def solve_energy(problem: ImpactProblem) -> ImpactSolution:
    """The motion under the half sine."""
    sine = find_half_sine(problem, "energy")
    path = DensePath.driven(problem.point, problem.striker.speed, *sine.steps(problem.t_end))
    return ImpactSolution(path, stats={"half_sine": sine})


def find_half_sine(problem: ImpactProblem, method: str) -> HalfSine:
    """The half sine of an impact, for methods limited to one contact of an elastic law without gravity."""
    problem.require_elastic(method)
    if problem.gravity > 0.0:
        raise InputError(f'method="{method}" does not support gravity; use method="modal".')
    point, contact_time = problem.point, problem.contact_time
    mass, speed = problem.striker.mass, problem.striker.speed
    start = 0.5 * mass * speed**2

    def amplitude(T: float) -> float:
        lost = float(approach_loss(point, T, np.array([0.5 * T]))[0])
        return float(solve_force(problem.law, np.zeros(REMEMBERED), 0.5 * speed * T, lost))

    def surplus(T: float) -> float:
        A = amplitude(T)
        after = speed - 2.0 * A * T / (math.pi * mass)
        return (0.5 * mass * after**2 + A * A * work_taken(point, T)) / start - 1.0

    low = SHORTEST * contact_time
    while low < LONGEST * contact_time:
        high = FACTOR * low
        if surplus(low) < 0.0 <= surplus(high):
            T = float(brentq(surplus, low, high, xtol=1e-15 * low, rtol=1e-14))
            return HalfSine(amplitude(T), T)
        low = high
    raise ConvergenceError(
        "energy and momentum of a half sine do not balance for this impact: its force has another shape; use "
        'method="modal".'
    )


@dataclass(frozen=True, eq=False)
class PicardIterates:
    """Forces (N) at times (s): the start, then each iterate; and their errors."""

    t: np.ndarray
    forces: np.ndarray  #: (iterates + 1, times)
    errors: np.ndarray  #: largest difference from the modal method over its peak
    path: DensePath  #: under the last

    @property
    def growing(self) -> tuple[int, ...]:
        """Iterates whose error is larger than that of the one before, by more than rounding."""
        return tuple(int(k) + 1 for k in np.flatnonzero(self.errors[1:] > 1.01 * self.errors[:-1]))

    def words(self) -> str:
        """Description of the convergence of the errors."""
        shown = ", ".join(f"{error:.2g}" for error in self.errors)
        if not self.growing:
            return f"errors over the peak: {shown}"
        grown = ", ".join(map(str, self.growing))
        return f"errors over the peak: {shown}; they grow in iterate {grown}"


def solve_picard(
    problem: ImpactProblem, iterations: int = USUAL_ITERATIONS, points: int = USUAL_POINTS
) -> ImpactSolution:
    """The motion under the last iterate, until the first contact ends."""
    n, many = checks.count("iterations", iterations), checks.count("points", points, 10)
    sine = find_half_sine(problem, "picard")
    exact = solve_modal(problem).path
    released = np.flatnonzero(~exact.touching)
    window = float(exact.times[released[0]]) if released.size else problem.t_end
    found = iterate_forces(problem, sine, exact, np.linspace(0.0, window, many + 1), n)
    stats = {"half_sine": sine, "iterates": found, "errors": found.errors, "growing": found.growing}
    return ImpactSolution(found.path, message=found.words(), stats=stats)


def iterate_forces(
    problem: ImpactProblem, start: HalfSine, exact: DensePath, t: np.ndarray, n: int
) -> PicardIterates:
    """n iterates on equally spaced times t, and their errors against an exact path."""
    point, speed = problem.point, problem.striker.speed
    forces = [start.force(t)]
    free = speed * t - start.amplitude * approach_loss(point, start.duration, t)
    forces.append(_find_forces(problem.law, free))
    for _ in range(n - 1):
        path = drive_straight(point, speed, t, forces[-1])
        forces.append(_find_forces(problem.law, find_approaches(path, forces[-1])))
    found, target = np.array(forces[: n + 1]), exact.force(t)
    errors = np.abs(found - target).max(axis=1) / target.max()
    return PicardIterates(t, found, errors, drive_straight(point, speed, t, found[-1]))


def drive_straight(point: StruckPoint, speed: float, t: np.ndarray, force: np.ndarray) -> DensePath:
    """The motion under a force that is linear between its values at times t."""
    cubics = np.zeros((t.size - 1, 4))
    cubics[:, 0], cubics[:, 1] = force[:-1], np.diff(force)
    return DensePath.driven(point, speed, t, cubics)


def find_approaches(path: DensePath, force: np.ndarray) -> np.ndarray:
    """z - w at the times of a path, m."""
    point, states = path.point, path.states
    deflection = path.q @ point.modes[:, 2] + point.residual * force + point.mobility * states[:, P]
    return np.asarray(states[:, Z] - deflection)


def _find_forces(law: CompiledLaw, approaches: np.ndarray) -> np.ndarray:
    memory = np.zeros(REMEMBERED)
    return np.array([contact_force(law, memory, float(d), 0.0)[0] for d in approaches])


def solve_small_increments(problem: ImpactProblem, dt: float | None = None) -> ImpactSolution:
    """March from the first touch to the end."""
    problem.require_elastic("small-increment")
    t_end, speed = problem.t_end, problem.striker.speed
    step = problem.contact_time / PER_CONTACT if dt is None else checks.positive("dt", dt, "s")
    if t_end / step > MOST:
        raise InputError(f"dt = {step:g} s makes {t_end / step:.2g} increments, at most {MOST:g}.")
    n = max(1, math.ceil(t_end / step * (1.0 - 1e-12)))
    cubics = np.zeros((n, 4))
    cubics[:, 0] = march_increments(problem.point, problem.law, speed, t_end / n, n)
    path = DensePath.driven(problem.point, speed, np.linspace(0.0, t_end, n + 1), cubics)
    return ImpactSolution(path, stats={"dt": float(path.times[1])})
