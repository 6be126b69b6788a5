"""Between the steps of an impact, in compiled code: everything follows exactly from the cubic force."""

import numpy as np

from traction.beams.kernels.oscillator import COUNT, respond
from traction.compiled import kernel
from traction.impacts.kernels.collocation_step import (
    GRAVITY,
    MASS,
    MOBILITY,
    RESIDUAL,
    P,
    V,
    Z,
    move_modes,
)

COLUMNS = 5  #: striker's place and speed, structure's deflection and its rate, force


@kernel
def sample(structure, steps, states, modal, times):
    """Striker, structure and force at times; each row belongs to the step that holds its time.

    `steps` is (ends of all steps, cubics), `states` the state at these ends, `modal` places and speeds there.
    """
    ends, cubics = steps
    modes, body = structure
    out = np.empty(COUNT)
    found = np.zeros((times.size, COLUMNS))
    k, last = 0, ends.size - 2
    for i in range(times.size):
        while k < last and times[i] > ends[k + 1]:
            k += 1
        h, tau = ends[k + 1] - ends[k], times[i] - ends[k]
        row, c = found[i], cubics[k]
        s = tau / h if h > 0.0 else 0.0
        row[4] = c[0] + s * (c[1] + s * (c[2] + s * c[3]))
        impulse = tau * (c[0] + s * (c[1] / 2.0 + s * (c[2] / 3.0 + s * c[3] / 4.0)))
        moment = tau * tau * (c[0] / 2.0 + s * (c[1] / 6.0 + s * (c[2] / 12.0 + s * c[3] / 20.0)))
        row[0] = states[k, Z] + tau * (states[k, V] + 0.5 * tau * body[GRAVITY]) - moment / body[MASS]
        row[1] = states[k, V] + tau * body[GRAVITY] - impulse / body[MASS]
        row[2] = body[RESIDUAL] * row[4] + body[MOBILITY] * (states[k, P] + impulse)
        row[3] = body[MOBILITY] * row[4]
        if h > 0.0:
            row[3] += body[RESIDUAL] * (c[1] + s * (2.0 * c[2] + 3.0 * s * c[3])) / h
        _add_modes(modes, c, h, tau, (modal[0][k], modal[1][k]), out, row)
    return found


@kernel
def _add_modes(modes, cubic, h, tau, start, out, row):
    q, v = start
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
def modal_at(modes, cubic, h, tau, q, v):
    """Places and speeds of all modes a time tau after the start of a step (in place)."""
    ends = np.empty((modes.shape[0], COUNT))
    for m in range(modes.shape[0]):
        respond(modes[m, 0], modes[m, 1], tau, ends[m])
    move_modes(h, modes, cubic, ends, q, v)


@kernel
def drive(structure, steps, states, modal):
    """Fill states and modes at the ends of steps under a given force, from those at the first."""
    ends, cubics = steps
    modes, body = structure
    q, v = modal[0][0].copy(), modal[1][0].copy()
    answers = np.empty((modes.shape[0], COUNT))
    last = -1.0
    for k in range(ends.size - 1):
        h, c = ends[k + 1] - ends[k], cubics[k]
        if h != last:  # the answers of equal steps are the same
            for m in range(modes.shape[0]):
                respond(modes[m, 0], modes[m, 1], h, answers[m])
            last = h
        move_modes(h, modes, c, answers, q, v)
        for m in range(modes.shape[0]):
            modal[0][k + 1, m], modal[1][k + 1, m] = q[m], v[m]
        impulse = h * (c[0] + c[1] / 2.0 + c[2] / 3.0 + c[3] / 4.0)
        moment = h * h * (c[0] / 2.0 + c[1] / 6.0 + c[2] / 12.0 + c[3] / 20.0)
        fall = h * (states[k, V] + 0.5 * h * body[GRAVITY])
        states[k + 1, Z] = states[k, Z] + fall - moment / body[MASS]
        states[k + 1, V] = states[k, V] + h * body[GRAVITY] - impulse / body[MASS]
        states[k + 1, P] = states[k, P] + impulse
