"""One step of an impact: forces at the points of Lobatto's rule, with every mode moved exactly between them.

Over a step of length h the force is a cubic through its values at 0, (1 - 1/sqrt 5)/2, (1 + 1/sqrt 5)/2 and 1
times h. It must obey the contact law at the last three, three equations for three forces; its impulse then is
of sixth order in h (Lobatto IIIA). How far the law is missed in the middle of the step estimates the error.
Between the steps everything follows exactly from the cubic force.

Units: SI; modal coordinates in m sqrt(kg), shapes of modes in 1/sqrt(kg), forces in N, times in s.
"""

import math
from typing import NamedTuple

import numpy as np

from traction.beams.kernels.oscillator import COUNT, respond
from traction.compiled import kernel
from traction.laws.kernels.law_values import contact_force

ROOT = math.sqrt(0.2)
POINTS = np.array([0.5 * (1.0 - ROOT), 0.5 * (1.0 + ROOT), 1.0, 0.5])  #: times over h; the last for the error
END, MIDDLE = 2, 3
#: row j: coefficients of the cubic that is 1 at the j-th of 0, POINTS[:3] and 0 at the others
BASIS = np.linalg.inv(np.vander(np.r_[0.0, POINTS[:3]], increasing=True)).T.copy()
FACTORIALS = np.array([1.0, 1.0, 2.0, 6.0, 24.0, 120.0])
T, Z, V, F, P, H, SPEED, TOUCHING = 0, 1, 2, 3, 4, 5, 6, 7  #: places in the state
STATE = 8
MOST_ITERATIONS = 30
SETTLED = 1e-13  #: last change of the forces over them
ROUNDING = 2e-15  #: of an approach over the displacements it is the difference of
COLUMNS = 5  #: striker's place and speed, structure's deflection and its rate, force


class StruckPoint(NamedTuple):
    """The struck point of a structure and the striker."""

    modes: np.ndarray  #: rows (omega, c, phi), (modes, 3)
    mass: float  #: of the striker, kg
    gravity: float  #: on the striker, m/s^2
    residual: float  #: flexibility of the neglected modes, m/N
    mobility: float  #: of waves that run away, m/(N s)


class ImpactMotion(NamedTuple):
    """Where an impact stands; changed in place."""

    state: np.ndarray  #: (STATE,), by the places T, Z, ...
    memory: np.ndarray  #: of the contact
    q: np.ndarray  #: modes
    v: np.ndarray  #: their rates


class CollocationWork(NamedTuple):
    """What a step computes, at its four points in the order of POINTS."""

    free: np.ndarray  #: approach and its rate without force, (4, 2)
    sums: np.ndarray  #: responses of all modes, striker and mobility to powers of time, (4, 5)
    ends: np.ndarray  #: responses of the modes at the end, (modes, COUNT)
    D: np.ndarray  #: what the approach gains per force at the points of the cubic, (4, 4)
    B: np.ndarray  #: what its rate gains, (4, 4)
    found: np.ndarray  #: approach, its rate without the residual flexibility, and force, (4, 3)
    forces: np.ndarray  #: at 0 and the first three points, (4,)
    cubic: np.ndarray  #: coefficients of the force in powers of time over h, (4,)
    responses: np.ndarray  #: of one mode, (COUNT,)
    squares: np.ndarray  #: of the shapes, (modes,)


@kernel
def make_work(modes):
    """Room for the steps of an impact."""
    return CollocationWork(
        np.empty((4, 2)),
        np.empty((4, 5)),
        np.empty((modes.shape[0], COUNT)),
        np.empty((4, 4)),
        np.empty((4, 4)),
        np.zeros((4, 3)),
        np.empty(4),
        np.empty(4),
        np.empty(COUNT),
        modes[:, 2] ** 2,
    )


@kernel
def gather(h, point, motion, work):
    """Motion without force, and responses to forces, at the four points: sums over the modes."""
    modes, state, q, v = point.modes, motion.state, motion.q, motion.v
    free, sums, ends, out = work.free, work.sums, work.ends, work.responses
    free.fill(0.0)
    sums.fill(0.0)
    for i in range(4):
        t = POINTS[i] * h
        for m in range(modes.shape[0]):
            omega, rate, shape = modes[m, 0], modes[m, 1], modes[m, 2]
            respond(omega, rate, t, out)
            free[i, 0] += shape * (q[m] * (out[0] + rate * out[1]) + v[m] * out[1])
            free[i, 1] += shape * (v[m] * out[0] - omega * omega * q[m] * out[1])
            for k in range(5):
                sums[i, k] += shape * shape * out[k + 1]
            if i == END:
                for k in range(COUNT):
                    ends[m, k] = out[k]
        power = 1.0
        for k in range(5):
            power *= t  # t^(k+1)
            sums[i, k] += power / FACTORIALS[k + 1] / point.mass
            sums[i, k] += point.mobility * (power / t) / FACTORIALS[k]
        free[i, 0] = state[Z] + t * (state[V] + 0.5 * t * point.gravity) - free[i, 0]
        free[i, 0] -= point.mobility * state[P]
        free[i, 1] = state[V] + t * point.gravity - free[i, 1]


@kernel
def _assemble(h, work):
    """D and B from the sums."""
    sums, D, B = work.sums, work.D, work.B
    for i in range(4):
        for j in range(4):
            D[i, j] = B[i, j] = 0.0
            power = 1.0
            for k in range(4):
                weight = FACTORIALS[k] / power * BASIS[j, k]
                D[i, j] -= sums[i, k + 1] * weight
                B[i, j] -= sums[i, k] * weight
                power *= h


@kernel
def _at_point(i, h, residual, work):
    """Approach, its rate without and with the residual flexibility, and force at point i."""
    free, D, B, forces = work.free, work.D, work.B, work.forces
    approach, rate = free[i, 0], free[i, 1]
    value, slope = 0.0, 0.0
    c = POINTS[i]
    for j in range(4):
        approach += D[i, j] * forces[j]
        rate += B[i, j] * forces[j]
        b = BASIS[j]
        value += forces[j] * (b[0] + c * (b[1] + c * (b[2] + c * b[3])))
        slope += forces[j] * (b[1] + c * (2.0 * b[2] + c * 3.0 * b[3])) / h
    return approach - residual * value, rate, rate - residual * slope, value


@kernel
def _derivative(i, j, h):
    """Of the j-th cubic at point i, 1/s."""
    c, b = POINTS[i], BASIS[j]
    return (b[1] + c * (2.0 * b[2] + c * 3.0 * b[3])) / h


@kernel
def attempt(h, point, motion, law, work):
    """Forces of a step of length h; whether found, and by how much (N) the law is missed in the middle."""
    gather(h, point, motion, work)
    found, forces = work.found, work.forces
    residual = point.residual
    state, memory = motion.state, motion.memory
    _assemble(h, work)
    forces.fill(state[F])
    rounding = ROUNDING * (abs(state[Z]) + abs(work.free[END, 0]))
    if not _solve_forces(h, (residual, rounding), law, memory, work):
        return False, 0.0
    for i in range(4):
        approach, plain, rate, value = _at_point(i, h, residual, work)
        found[i, 0], found[i, 1], found[i, 2] = approach, plain, value
        if i == MIDDLE:
            force, slope, _ = contact_force(law, memory, approach, rate)
            miss = (force - value) / (1.0 + residual * slope)
    cubic = work.cubic
    for k in range(4):
        cubic[k] = 0.0
        for j in range(4):
            cubic[k] += forces[j] * BASIS[j, k]
    return True, abs(miss)


@kernel
def _solve_forces(h, limits, law, memory, work):
    """Newton's iteration for the three forces, up to what `limits`, (residual, rounding in m), allow."""
    residual, rounding = limits
    D, B, forces = work.D, work.B, work.forces
    matrix, right = np.empty((3, 3)), np.empty(3)
    for _ in range(MOST_ITERATIONS):
        noise = 0.0
        for i in range(3):
            approach, _, rate, value = _at_point(i, h, residual, work)
            force, slope, viscous = contact_force(law, memory, approach, rate)
            right[i] = force - value
            noise = max(noise, rounding * slope / (1.0 + residual * slope))
            for j in range(3):
                own = residual if i == j else 0.0
                through = slope * (D[i, j + 1] - own)
                if viscous != 0.0:
                    through += viscous * (B[i, j + 1] - residual * _derivative(i, j + 1, h))
                matrix[i, j] = (1.0 if i == j else 0.0) - through
        if not _eliminate(matrix, right):
            return False
        change, size = 0.0, abs(forces[0])
        for i in range(3):
            forces[i + 1] += right[i]
            change, size = max(change, abs(right[i])), max(size, abs(forces[i + 1]))
        if change <= SETTLED * size + noise or size == 0.0:
            return True
    return False


@kernel
def _eliminate(a, b):
    """Solve the 3 x 3 system in place, with pivots; False where it is singular or not finite."""
    for c in range(3):
        p = c
        for i in range(c + 1, 3):
            if abs(a[i, c]) > abs(a[p, c]):
                p = i
        if not abs(a[p, c]) > 0.0 or not math.isfinite(a[p, c]):
            return False
        if p != c:
            for j in range(3):
                a[c, j], a[p, j] = a[p, j], a[c, j]
            b[c], b[p] = b[p], b[c]
        for i in range(c + 1, 3):
            factor = a[i, c] / a[c, c]
            for j in range(c, 3):
                a[i, j] -= factor * a[c, j]
            b[i] -= factor * b[c]
    for i in range(2, -1, -1):
        for j in range(i + 1, 3):
            b[i] -= a[i, j] * b[j]
        b[i] /= a[i, i]
    return math.isfinite(b[0]) and math.isfinite(b[1]) and math.isfinite(b[2])


@kernel
def accept(h, point, motion, work):
    """Move striker and modes to the end of the step that `attempt` found."""
    state, cubic = motion.state, work.cubic
    move_modes(h, point.modes, cubic, work.ends, motion.q, motion.v)
    impulse, moment = 0.0, 0.0
    for k in range(4):
        impulse += cubic[k] / (k + 1)
        moment += cubic[k] / ((k + 1) * (k + 2))
    state[T] += h
    state[Z] += h * (state[V] + 0.5 * h * point.gravity) - h * h * moment / point.mass
    state[V] += h * point.gravity - h * impulse / point.mass
    state[P] += h * impulse
    state[F] = work.forces[3]


@kernel
def move_modes(h, modes, cubic, ends, q, v):
    """Modes after a time, under a force that is a cubic over h, from their responses at that time."""
    for m in range(modes.shape[0]):
        omega, rate, shape = modes[m, 0], modes[m, 1], modes[m, 2]
        out = ends[m]
        place = q[m] * (out[0] + rate * out[1]) + v[m] * out[1]
        speed = v[m] * out[0] - omega * omega * q[m] * out[1]
        power = 1.0
        for k in range(4):
            weight = shape * cubic[k] * FACTORIALS[k] / power
            place += weight * out[k + 2]
            speed += weight * out[k + 1]
            power *= h
        q[m], v[m] = place, speed


class PathSteps(NamedTuple):
    """Steps of an impact."""

    ends: np.ndarray  #: times of all of them and of the start, s
    cubics: np.ndarray  #: coefficients of the force in powers of (t - t_k)/h, (steps, 4)
    states: np.ndarray  #: at the ends, (steps + 1, STATE)
    q: np.ndarray  #: modes at the ends, (steps + 1, modes)
    v: np.ndarray  #: their rates


@kernel
def sample_path(point, steps, times):
    """Striker, structure and force at times; each row belongs to the step that holds its time."""
    ends, states = steps.ends, steps.states
    out = np.empty(COUNT)
    found = np.zeros((times.size, COLUMNS))
    k, last = 0, ends.size - 2
    for i in range(times.size):
        while k < last and times[i] > ends[k + 1]:
            k += 1
        h, tau = ends[k + 1] - ends[k], times[i] - ends[k]
        row, c = found[i], steps.cubics[k]
        s = tau / h if h > 0.0 else 0.0
        row[4] = c[0] + s * (c[1] + s * (c[2] + s * c[3]))
        impulse = tau * (c[0] + s * (c[1] / 2.0 + s * (c[2] / 3.0 + s * c[3] / 4.0)))
        moment = tau * tau * (c[0] / 2.0 + s * (c[1] / 6.0 + s * (c[2] / 12.0 + s * c[3] / 20.0)))
        row[0] = states[k, Z] + tau * (states[k, V] + 0.5 * tau * point.gravity) - moment / point.mass
        row[1] = states[k, V] + tau * point.gravity - impulse / point.mass
        row[2] = point.residual * row[4] + point.mobility * (states[k, P] + impulse)
        row[3] = point.mobility * row[4]
        if h > 0.0:
            row[3] += point.residual * (c[1] + s * (2.0 * c[2] + 3.0 * s * c[3])) / h
        _add_modes(point.modes, c, (h, tau), steps.q[k], steps.v[k], out, row)
    return found


@kernel
def _add_modes(modes, cubic, times, q, v, out, row):
    """What the modes add to deflection and rate, at a time tau after the start of a step of length h."""
    h, tau = times
    for m in range(modes.shape[0]):
        omega, rate, shape = modes[m, 0], modes[m, 1], modes[m, 2]
        respond(omega, rate, tau, out)
        place = q[m] * (out[0] + rate * out[1]) + v[m] * out[1]
        speed = v[m] * out[0] - omega * omega * q[m] * out[1]
        weight, factorial = shape, 1.0
        for k in range(4):
            place += weight * factorial * cubic[k] * out[k + 2]
            speed += weight * factorial * cubic[k] * out[k + 1]
            weight /= h if h > 0.0 else 1.0
            factorial *= k + 1
        row[2] += shape * place
        row[3] += shape * speed


@kernel
def move_modes_to(modes, cubic, h, tau, q, v):
    """Places and speeds of all modes a time tau after the start of a step (in place)."""
    ends = np.empty((modes.shape[0], COUNT))
    for m in range(modes.shape[0]):
        respond(modes[m, 0], modes[m, 1], tau, ends[m])
    move_modes(h, modes, cubic, ends, q, v)


@kernel
def drive_path(point, steps):
    """Fill states and modes at the ends of steps under a given force, from those at the first."""
    ends, states, modes = steps.ends, steps.states, point.modes
    q, v = steps.q[0].copy(), steps.v[0].copy()
    responses = np.empty((modes.shape[0], COUNT))
    last = -1.0
    for k in range(ends.size - 1):
        h, c = ends[k + 1] - ends[k], steps.cubics[k]
        if h != last:  # the responses of equal steps are the same
            for m in range(modes.shape[0]):
                respond(modes[m, 0], modes[m, 1], h, responses[m])
            last = h
        move_modes(h, modes, c, responses, q, v)
        for m in range(modes.shape[0]):
            steps.q[k + 1, m], steps.v[k + 1, m] = q[m], v[m]
        impulse = h * (c[0] + c[1] / 2.0 + c[2] / 3.0 + c[3] / 4.0)
        moment = h * h * (c[0] / 2.0 + c[1] / 6.0 + c[2] / 12.0 + c[3] / 20.0)
        fall = h * (states[k, V] + 0.5 * h * point.gravity)
        states[k + 1, Z] = states[k, Z] + fall - moment / point.mass
        states[k + 1, V] = states[k, V] + h * point.gravity - impulse / point.mass
        states[k + 1, P] = states[k, P] + impulse
