"""Long marches of explicit methods: the user's force built into the loop, the state in registers.

Compiling a loop for one force takes a moment and is not kept on disk, so this is for marches long enough to
be worth it. The operations are those of `scalar_kernels`, in the same order, and give the same bits.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numba
import numpy as np

from traction.integrators.pointers import of_state

LEAST_STEPS = 20_000  #: of a march that is worth compiling a loop for
KEPT_LOOPS = 32


@lru_cache(maxsize=KEPT_LOOPS)
def loop_of(family: str, force: Any, arguments: int) -> Any:
    """march(m, c, k, columns, largest) of a family for a compiled force, or None where there is none.

    `columns` are the times and q, v and a, whose first places are given; `largest` are the largest |q|, |v|
    and |a|, kept up to date. Returns the steps taken before a number that is not finite.
    """
    step = STEPS.get(family)
    if step is None:
        return None
    full, advance = of_state(force, arguments), numba.njit(step)

    @numba.njit
    def march(m, c, k, columns, largest):  # type: ignore[no-untyped-def]
        times, places, speeds, accelerations = columns
        q, v, a = places[0], speeds[0], accelerations[0]
        most_q, most_v, most_a = largest[0], largest[1], largest[2]
        steps = len(times) - 1
        t = times[0]
        for n in range(steps):
            following = times[n + 1]
            q, v, a = advance(full, m, c, k, t, following - t, q, v, a)
            t = following
            if not np.isfinite(a):
                steps = n
                break
            most_q, most_v, most_a = max(most_q, abs(q)), max(most_v, abs(v)), max(most_a, abs(a))
            places[n + 1], speeds[n + 1], accelerations[n + 1] = q, v, a
        largest[0], largest[1], largest[2] = most_q, most_v, most_a
        return steps

    return march


def _euler_forward(force, m, c, k, t, dt, q, v, a):  # type: ignore[no-untyped-def]
    per_mass = 1.0 / m
    q1 = q + dt * v
    v1 = v + dt * a
    return q1, v1, (force(t + dt, q1, v1) - c * v1 - k * q1) * per_mass


def _symplectic_euler(force, m, c, k, t, dt, q, v, a):  # type: ignore[no-untyped-def]
    per_mass = 1.0 / m
    v1 = v + dt * a
    q1 = q + dt * v1
    return q1, v1, (force(t + dt, q1, v1) - c * v1 - k * q1) * per_mass


def _verlet(force, m, c, k, t, dt, q, v, a):  # type: ignore[no-untyped-def]
    half = v + 0.5 * dt * a
    q1 = q + dt * half
    a1 = (force(t + dt, q1, half + 0.5 * dt * a) - k * q1 - c * half) / (m + 0.5 * dt * c)
    return q1, half + 0.5 * dt * a1, a1


def _rk4(force, m, c, k, t, dt, q, v1, a1):  # type: ignore[no-untyped-def]
    per_mass = 1.0 / m
    h = 0.5 * dt
    v2, q2 = v1 + h * a1, q + h * v1
    a2 = (force(t + h, q2, v2) - c * v2 - k * q2) * per_mass
    v3, q3 = v1 + h * a2, q + h * v2
    a3 = (force(t + h, q3, v3) - c * v3 - k * q3) * per_mass
    v4, q4 = v1 + dt * a3, q + dt * v3
    a4 = (force(t + dt, q4, v4) - c * v4 - k * q4) * per_mass
    q1 = q + dt / 6.0 * (v1 + 2.0 * v2 + 2.0 * v3 + v4)
    v = v1 + dt / 6.0 * (a1 + 2.0 * a2 + 2.0 * a3 + a4)
    return q1, v, (force(t + dt, q1, v) - c * v - k * q1) * per_mass


STEPS = {
    "euler-forward": _euler_forward,
    "symplectic-euler": _symplectic_euler,
    "verlet": _verlet,
    "rk4": _rk4,
}
#: force evaluations per step
EVALUATIONS = {"euler-forward": 1, "symplectic-euler": 1, "verlet": 1, "rk4": 4}
