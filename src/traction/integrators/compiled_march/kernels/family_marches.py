"""Marches of one degree of freedom in compiled code, one for each family of methods."""

from traction.compiled import kernel
from traction.integrators.compiled_march.kernels.explicit_steps import (
    euler_forward,
    rk4,
    rk4_estimated,
    symplectic_euler,
    verlet,
)
from traction.integrators.compiled_march.kernels.scalar_steps import (
    DONE,
    alpha,
    energy_conserving,
    euler_backward,
    inlined,
    numbers_of,
    sized,
)
from traction.integrators.compiled_march.kernels.stage_steps import radau

#: places in a row: after q, v, a and x the largest of them, then the steps of a march, or the errors of one
MOST_Q, MOST_V, MOST_A, ORIGIN, LENGTH, BEHIND, LAST = range(4, 11)
ERRORS = slice(7, 10)


def marcher(step):
    """A single step, and a march of many, to be called with the three functions one by one.

    Numba looks long at a tuple of functions in every call from Python, and not at all inside a kernel.
    """

    @kernel
    def single(force, jacobian, potential, numbers, table, t, dt, row, counts):
        """One step from q, v, a, x in row, which becomes the new state; returns the status."""
        all_numbers = numbers_of(numbers, numbers[0] * row[MOST_A])
        y = (row[0], row[1], row[2], row[3])
        status, z = step((force, jacobian, potential), all_numbers, table, t, dt, y, counts)
        row[0], row[1], row[2], row[3] = z
        return status

    return single, kernel(loop_of(step, watched, numbers_of))


def estimator(step):
    """A single step that estimates its errors, called as that of `marcher`; they are left in the row."""

    @kernel
    def estimated(force, jacobian, potential, numbers, table, t, dt, row, counts):
        all_numbers = numbers_of(numbers, numbers[0] * row[MOST_A])
        y = (row[0], row[1], row[2], row[3])
        status, z, errors = step((force, jacobian, potential), all_numbers, table, t, dt, y, counts)
        row[0], row[1], row[2], row[3] = z
        row[7], row[8], row[9] = errors
        return status

    return estimated


def loop_of(step, met, numbers_from):
    """A march of many steps, to be compiled.

    `columns` are times, coordinates, velocities and accelerations, filled from place 1 on; `row` is the state
    at place 0, and becomes the last one: q, v, a, x and the largest |q|, |v|, |a|; then the origin of the
    steps, their length, the number of those that lie behind, and the time after the last of them. Where
    `pieces` is positive, the march stops before a step in which the gap, seen at the ends of so many pieces,
    changes its sign or its direction, or would at constant acceleration: what happens there is located by the
    caller. Returns how many steps were taken, and the status of the next one.
    """

    def march(force, jacobian, potential, gap, numbers, table, columns, row, pieces, counts):
        functions = (force, jacobian, potential)
        times, places, speeds, accelerations = columns
        y = (row[0], row[1], row[2], row[3])
        most_q, most_v, most_a = row[MOST_Q], row[MOST_V], row[MOST_A]
        origin, length, behind, last = row[ORIGIN], row[LENGTH], row[BEHIND], row[LAST]
        constants = numbers_from(numbers, 0.0)
        t, taken, status, steps = times[0], 0, DONE, len(times) - 1
        for k in range(1, steps):
            times[k] = origin + (behind + k) * length
        times[steps] = last
        for k in range(1, steps + 1):
            dt = times[k] - t
            status, z = step(functions, sized(constants, most_a), table, t, dt, y, counts)
            if status != DONE or met(gap, t, dt, y, z, pieces):
                break
            y, t, taken = z, times[k], k
            most_q, most_v, most_a = max(most_q, abs(y[0])), max(most_v, abs(y[1])), max(most_a, abs(y[2]))
            places[k], speeds[k], accelerations[k] = y[0], y[1], y[2]
        row[0], row[1], row[2], row[3] = y
        row[MOST_Q], row[MOST_V], row[MOST_A] = most_q, most_v, most_a
        return taken, status

    return march


@inlined
def unwatched(gap, t, dt, y, z, pieces):
    """A march that meets nothing."""
    return False


@kernel
def watched(gap, t, dt, y, z, pieces):
    """Whether a gap changes sign or direction in a step from y to z, or would at constant acceleration."""
    if pieces == 0:
        return False
    if gap(t, y[0]) > 0.0 and turns(
        gap, t, dt, (y[0], dt * y[1], 0.5 * dt * dt * y[2], 0.0, 0.0, 0.0), pieces
    ):
        return True
    return turns(gap, t, dt, quintic(y, z, dt), pieces)


@inlined
def quintic(y, z, dt):
    """Coefficients of the path through q, v and a at both ends of a step, over its part s."""
    p, v0, v1 = z[0] - y[0], dt * y[1], dt * z[1]
    a0, a1 = dt * dt * y[2], dt * dt * z[2]
    return (
        y[0],
        v0,
        0.5 * a0,
        10.0 * p - 6.0 * v0 - 4.0 * v1 - 1.5 * a0 + 0.5 * a1,
        -15.0 * p + 8.0 * v0 + 7.0 * v1 + 1.5 * a0 - a1,
        6.0 * p - 3.0 * (v0 + v1) - 0.5 * (a0 - a1),
    )


@kernel
def turns(gap, t, dt, path, pieces):
    """Whether a gap changes its sign or its direction on a path, as far as samples and the ends show."""
    c0, c1, c2, c3, c4, c5 = path
    before = gap(t, c0)
    h = 1e-4
    rate = gap(t + h * dt, c0 + h * c1) - gap(t - h * dt, c0 - h * c1)
    last = before
    for k in range(1, pieces + 1):
        s = k / pieces
        distance = gap(t + s * dt, c0 + s * (c1 + s * (c2 + s * (c3 + s * (c4 + s * c5)))))
        if not (before * distance > 0.0 and rate * (distance - last) > 0.0):
            return True
        last = distance
    q, v = c0 + c1 + c2 + c3 + c4 + c5, c1 + 2.0 * c2 + 3.0 * c3 + 4.0 * c4 + 5.0 * c5
    return not rate * (gap(t + dt + h * dt, q + h * v) - gap(t + dt - h * dt, q - h * v)) > 0.0


@kernel
def energies(energy, t, q, v, values):
    """Energy of each state (t, q, v) into values."""
    for k in range(len(values)):
        values[k] = energy(t[k], q[k], v[k])


#: the step of each family
STEPS = {
    "euler-forward": euler_forward,
    "rk4": rk4,
    "symplectic-euler": symplectic_euler,
    "verlet": verlet,
    "alpha": alpha,
    "implicit-runge-kutta-1": euler_backward,
    "implicit-runge-kutta-3": radau,
    "energy-conserving": energy_conserving,
}
#: of each family, a single step and a march
FAMILIES = {name: marcher(step) for name, step in STEPS.items()}
#: of those that hold a second solution, a single step with its errors
ESTIMATED = {"rk4": estimator(rk4_estimated)}
