"""Between the steps of an impact, in compiled code: everything follows exactly from the cubic force.

Units: SI; modal coordinates in m sqrt(kg), shapes of modes in 1/sqrt(kg), forces in N, times in s.
"""

from typing import NamedTuple

import numpy as np

from traction.beams.kernels.oscillator import COUNT, respond
from traction.compiled import kernel
from traction.impacts.kernels.collocation_step import P, V, Z, move_modes

COLUMNS = 5  #: striker's place and speed, structure's deflection and its rate, force


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
