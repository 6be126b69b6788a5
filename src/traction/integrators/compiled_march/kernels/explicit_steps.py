"""Explicit methods of one degree of freedom in compiled code; the arguments are those of `scalar_steps`."""

from traction.integrators.compiled_march.kernels.scalar_steps import DONE, NOT_FINITE, inlined, net_force


@inlined
def finished(q, v, a):
    """The end of an explicit step."""
    is_finite = (q - q) + (v - v) + (a - a) == 0.0  # x - x is 0 or no number: one question, not three
    return DONE if is_finite else NOT_FINITE, (q, v, a, 0.0)


@inlined
def symplectic_euler(functions, numbers, table, t, dt, y, counts):
    """v1 = v + dt a, q1 = q + dt v1."""
    v = y[1] + dt * y[2]
    q = y[0] + dt * v
    return finished(q, v, net_force(functions, numbers, t + dt, q, v, counts) * numbers.inverse)


@inlined
def verlet(functions, numbers, table, t, dt, y, counts):
    """Velocity Verlet; damping at the end of the step."""
    half = y[1] + 0.5 * dt * y[2]
    q = y[0] + dt * half
    counts[0] += 1
    force = functions[0](t + dt, q, half + 0.5 * dt * y[2])
    per_mass = numbers.inverse
    if numbers.stiffness != 0.0:
        force -= numbers.stiffness * q
    if numbers.damping != 0.0:
        force -= numbers.damping * half
        per_mass = 1.0 / (numbers.mass + 0.5 * dt * numbers.damping)  # need not wait for the force
    a = force * per_mass
    return finished(q, half + 0.5 * dt * a, a)


@inlined
def euler_forward(functions, numbers, table, t, dt, y, counts):
    """q1 = q + dt v, v1 = v + dt a."""
    q, v = y[0] + dt * y[1], y[1] + dt * y[2]
    return finished(q, v, net_force(functions, numbers, t + dt, q, v, counts) * numbers.inverse)


@inlined
def rk4_estimated(functions, numbers, table, t, dt, y, counts):
    """Four stages with velocities v1..v4 and accelerations a1..a4, weighted 1, 2, 2, 1; and the errors of q
    and v of the solution of order 3 they hold, dt/6 (v4 - v) and dt/6 (a4 - a), and that of v4.
    """
    per_mass, h = numbers.inverse, 0.5 * dt
    q, v1, a1 = y[0], y[1], y[2]
    v2 = v1 + h * a1
    a2 = net_force(functions, numbers, t + h, q + h * v1, v2, counts) * per_mass
    v3 = v1 + h * a2
    a3 = net_force(functions, numbers, t + h, q + h * v2, v3, counts) * per_mass
    v4 = v1 + dt * a3
    a4 = net_force(functions, numbers, t + dt, q + dt * v3, v4, counts) * per_mass
    q = q + dt / 6.0 * (v1 + 2.0 * v2 + 2.0 * v3 + v4)
    v = v1 + dt / 6.0 * (a1 + 2.0 * a2 + 2.0 * a3 + a4)
    a = net_force(functions, numbers, t + dt, q, v, counts) * per_mass
    status, z = finished(q, v, a)
    return status, z, (dt / 6.0 * abs(v4 - v), dt / 6.0 * abs(a4 - a), abs(v4 - v))


@inlined
def rk4(functions, numbers, table, t, dt, y, counts):
    """The same without the errors."""
    status, z, _ = rk4_estimated(functions, numbers, table, t, dt, y, counts)
    return status, z
