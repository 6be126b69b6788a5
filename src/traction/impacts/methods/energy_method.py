"""Method "energy" (after Zener and Feshbach 1939, Lee 1940): the force is half a sine, f = A sin(pi t/T).

Momentum gives the striker's speed after it, v1 = v0 - 2 A T/(pi m). Amplitude and duration follow from two
equations, in which the structure's part is in closed form (`half_sines`):

    energy    m v0^2/2 = m v1^2/2 + work of the force on the structure
    contact   A = F(delta) with the approach delta at t = T/2
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from scipy.optimize import brentq

from traction.errors import ConvergenceError
from traction.impacts.dense_path import DensePath
from traction.impacts.impact_problem import ImpactProblem, ImpactSolution
from traction.impacts.kernels.half_sines import approach_loss, work_taken
from traction.impacts.kernels.small_increments import solve_force
from traction.laws.kernels.law_values import REMEMBERED

SHORTEST, LONGEST, FACTOR = 0.05, 200.0, 1.04  #: durations tried, over that on rigid ground


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
    """The half sine of an impact, for a method that takes one contact of an elastic law without gravity."""
    problem.require_elastic(method)
    problem.require_weightless(method)
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
        "energy and momentum of a half sine do not balance for this impact: its force is no half sine; use "
        'method="modal".'
    )
