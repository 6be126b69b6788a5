"""Marches of one degree of freedom in compiled code, one for each family of methods."""

import numpy as np

from traction.compiled import kernel
from traction.integrators.scalar_kernels import (
    DONE,
    INVERSE,
    MASS,
    SCALE,
    alpha,
    energy_conserving,
    euler_forward,
    inlined,
    net_force,
    rk4,
    symplectic_euler,
    verlet,
)
from traction.integrators.stage_kernels import SPACE, implicit_family


def marcher(step):
    """A single step, and a march of many, to be called with the three functions one by one.

    Numba looks long at a tuple of functions in every call from Python, and not at all inside a kernel.
    `columns` are times, which are given, and coordinates, velocities and accelerations, which are filled from
    place 1 on; `row` is the state at place 0, and becomes the last one: q, v, a, x and the largest |q|, |v|,
    |a|. With `watch`, the march stops before a step in which the gap changes its sign or its direction, or
    would at constant acceleration: what happens there is located by the caller. Returns how many steps were
    taken, and the status of the next one.
    """

    @kernel
    def single(force, jacobian, potential, numbers, table, t, dt, y, z, counts):
        return step((force, jacobian, potential), numbers, table, t, dt, y, z, counts)

    @kernel
    def march(force, jacobian, potential, gap, numbers, table, columns, row, watch, counts):
        functions = (force, jacobian, potential)
        times, places, speeds, accelerations = columns
        z = np.empty(SPACE)
        distance, rate = 0.0, 0.0
        if watch:
            distance, rate = gap_and_rate(gap, times[0], row[0], row[1], times[1] - times[0])
        for k in range(len(times) - 1):
            t = times[k + 1]
            dt = t - times[k]
            if watch and distance > 0.0:
                v1 = row[1] + dt * row[2]
                q1 = row[0] + 0.5 * dt * (row[1] + v1)
                distance1, rate1 = gap_and_rate(gap, t, q1, v1, dt)
                if not (distance1 > 0.0 and rate * rate1 > 0.0):
                    return k, DONE
            status = step(functions, numbers, table, times[k], dt, row, z, counts)
            if status != DONE:
                return k, status
            if watch:
                distance1, rate1 = gap_and_rate(gap, t, z[0], z[1], dt)
                if not (distance * distance1 > 0.0 and rate * rate1 > 0.0):
                    return k, DONE
                distance, rate = distance1, rate1
            for i in range(4):
                row[i] = z[i]
            for i in range(3):
                row[4 + i] = max(row[4 + i], abs(z[i]))
            numbers[SCALE] = numbers[MASS] * row[6]
            places[k + 1], speeds[k + 1], accelerations[k + 1] = z[0], z[1], z[2]
        return len(times) - 1, DONE

    return single, march


@inlined
def gap_and_rate(gap, t, q, v, dt):
    """The gap and its rate along the motion."""
    h = 1e-4 * dt
    return gap(t, q), (gap(t + h, q + h * v) - gap(t - h, q - h * v)) / (2.0 * h)


@kernel
def energies(energy, t, q, v, values):
    """Energy of each state (t, q, v) into values."""
    for k in range(len(values)):
        values[k] = energy(t[k], q[k], v[k])


@kernel
def acceleration(force, jacobian, potential, numbers, t, q, v, counts):
    """a = (f - c v - k q)/m."""
    return net_force((force, jacobian, potential), numbers, t, q, v, counts) * numbers[INVERSE]


#: of each family, a single step and a march
FAMILIES = {
    "euler-forward": marcher(euler_forward),
    "rk4": marcher(rk4),
    "symplectic-euler": marcher(symplectic_euler),
    "verlet": marcher(verlet),
    "alpha": marcher(alpha),
    "implicit-runge-kutta-1": marcher(implicit_family(1)),
    "implicit-runge-kutta-3": marcher(implicit_family(3)),
    "energy-conserving": marcher(energy_conserving),
}
