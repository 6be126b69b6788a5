"""Method "small-increment" (Timoshenko 1913): equal increments of time, the force constant in each (order 1).

At the end of each increment h the force f must satisfy the law f = F(delta) with the approach
delta = delta_free - (h^2/(2 m) + sum phi^2 X_0(h) + Y h + r) f, one scalar equation.
"""

from __future__ import annotations

import math

import numpy as np

from traction import checks
from traction.errors import InputError
from traction.impacts.dense_path import DensePath
from traction.impacts.impact_problem import ImpactProblem, ImpactSolution
from traction.impacts.kernels.small_increments import march_increments

PER_CONTACT = 200  #: increments in a contact on rigid ground, by default
MOST = 20_000_000  #: increments


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
