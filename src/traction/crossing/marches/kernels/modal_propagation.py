"""Exact propagation of vibrating modes under axles that move over a beam.

Each mode obeys q'' + c q' + omega^2 q = f(t), f the sum of F_k(t) phi(s_k(t)) over the axles. Within a step f
is Hermite's cubic through its values and rates at both ends; the answer to that cubic is exact, whatever the
step. Steps end where an axle passes an end of a segment, so that f is smooth within each.
"""

import math

import numpy as np

from traction.compiled import kernel

TERMS = 36  #: of a series in the step, when it is short
SHORT = 2.0  #: omega times step, and c times step, below which series are used
EVEN = 1e-8  #: (omega^2 - c^2/4) times step^2 below which a mode neither swings nor creeps


@kernel
def free_motion(omega, rate, h):
    """q and q' after a step from q = 1 and from q' = 1: (q1, q2, p1, p2)."""
    a = 0.5 * rate
    swing = omega * omega - a * a
    if swing * h * h > EVEN:
        w = math.sqrt(swing)
        decay = math.exp(-a * h)
        cosine, sine = decay * math.cos(w * h), decay * math.sin(w * h) / w
    elif swing * h * h < -EVEN:
        w = math.sqrt(-swing)
        slow, fast = math.exp((w - a) * h), math.exp(-(w + a) * h)
        cosine, sine = 0.5 * (slow + fast), 0.5 * (slow - fast) / w
    else:
        decay = math.exp(-a * h)
        cosine, sine = decay * (1.0 - 0.5 * swing * h * h), decay * h * (1.0 - swing * h * h / 6.0)
    return cosine + a * sine, sine, -omega * omega * sine, cosine - a * sine


@kernel
def power_answers(omega, rate, h, answers):
    """q and q' at the end of a step under f = tau^j, tau from 0 to 1, j = 0 to 3: answers (2, 4)."""
    if omega == 0.0 or max(omega, rate) * h < SHORT:
        _power_series(omega, rate, h, answers)
        return
    q1, q2, p1, p2 = free_motion(omega, rate, h)
    square = omega * omega
    for j in range(4):
        c = np.zeros(6)  # of a particular solution, a polynomial of degree j
        for k in range(j, -1, -1):
            right = 1.0 if k == j else 0.0
            c[k] = (right - rate / h * (k + 1) * c[k + 1] - (k + 2) * (k + 1) / (h * h) * c[k + 2]) / square
        start, speed = -c[0], -c[1] / h
        end, end_speed = 0.0, 0.0
        for k in range(j + 1):
            end += c[k]
            end_speed += k * c[k] / h
        answers[0, j] = end + q1 * start + q2 * speed
        answers[1, j] = end_speed + p1 * start + p2 * speed


@kernel
def _power_series(omega, rate, h, answers):
    """The same, from the series of the answer to an impulse: sum g_k t^k, integrated against tau^j."""
    answers[:] = 0.0
    for j in range(4):
        last, this = 0.0, h  # g_0 = 0, g_1 h
        beta = h / (j + 1.0)  # h B(k + 1, j + 1), k = 0
        value, speed = 0.0, 0.0
        for k in range(1, TERMS):
            # the derivative's term k - 1 is k g_k h^(k-1)
            speed += k * this / h * beta
            beta *= k / (k + j + 1.0)
            value += this * beta
            nxt = -(rate * h * k * this + omega * omega * h * h * last) / ((k + 1.0) * k)
            last, this = this, nxt
        answers[0, j], answers[1, j] = value, speed


@kernel
def step_weights(omega, rate, h, weights):
    """Of each mode: free motion, and the answers to Hermite's basis; weights (modes, 12).

    Columns: q from (q, q'), q' from (q, q'), then q and q' from f0, h f0', f1, h f1'.
    """
    answers = np.empty((2, 4))
    for i in range(omega.size):
        weights[i, 0], weights[i, 1], weights[i, 2], weights[i, 3] = free_motion(omega[i], rate[i], h)
        power_answers(omega[i], rate[i], h, answers)
        for row in range(2):
            one, two, three, four = answers[row]
            at = 4 + 4 * row
            weights[i, at] = one - 3.0 * three + 2.0 * four
            weights[i, at + 1] = two - 2.0 * three + four
            weights[i, at + 2] = 3.0 * three - 2.0 * four
            weights[i, at + 3] = four - three


@kernel
def add_axle(bridge, place, drive, segment, load, forces):
    """Add to forces (modes, 2) the modal force of an axle, F phi, and its rate, F' phi + F phi' v.

    `place` (m) and `drive` (m/s) are those of the axle, `load` its force and rate.
    """
    for i in range(bridge.omega.size):
        value, slope = value_and_slope(bridge.shapes, bridge.tables, i, segment, place)
        forces[i, 0] += load[0] * value
        forces[i, 1] += load[1] * value + load[0] * slope * drive


@kernel
def axles_changed(ends, place, behind, segments):
    """Whether an axle has come, gone or passed to another segment since `segments` was made; renews it."""
    changed = False
    for k in range(behind.size):
        segment = segment_of(ends, place - behind[k])
        if segment != segments[k]:
            segments[k] = segment
            changed = True
    return changed


@kernel
def add_axles(bridge, place, drive, axles, loads, forces):
    """Modal forces and their rates of all axles on the beam, forces (modes, 2); axles are `behind`,
    `segments`.
    """
    behind, segments = axles
    forces[:] = 0.0
    for k in range(behind.size):
        if segments[k] >= 0:
            add_axle(bridge, place - behind[k], drive, segments[k], loads[k], forces)


@kernel
def move_modes(weights, h, start, end, q, p):
    """Modes q, p at the end of a step, in place, from the modal forces and rates at its ends."""
    for i in range(q.size):
        w = weights[i]
        f0, d0, f1, d1 = start[i, 0], h * start[i, 1], end[i, 0], h * end[i, 1]
        moved = w[0] * q[i] + w[1] * p[i] + w[4] * f0 + w[5] * d0 + w[6] * f1 + w[7] * d1
        p[i] = w[2] * q[i] + w[3] * p[i] + w[8] * f0 + w[9] * d0 + w[10] * f1 + w[11] * d1
        q[i] = moved


@kernel
def march_axles(bridge, t, first, drive, behind, loads, q, p):
    """March all modes over the times t; q and p (times, modes) start from their first rows.

    `first` and `drive` are place and speed of the first axle at each time, `behind` the distances of the
    axles, `loads` (times or 1, axles, 2) their forces and rates.
    """
    modes, last = bridge.omega.size, len(loads) - 1
    weights, start, end = np.empty((modes, 12)), np.zeros((modes, 2)), np.zeros((modes, 2))
    axles = behind, np.full(behind.size, -1)
    made_for = -1.0
    for n in range(t.size - 1):
        h = t[n + 1] - t[n]
        if abs(h - made_for) > 1e-9 * h:
            step_weights(bridge.omega, bridge.rate, h, weights)
            made_for = h
        start, end = end, start
        if axles_changed(bridge.ends, 0.5 * (first[n] + first[n + 1]), behind, axles[1]):
            add_axles(bridge, first[n], drive[n], axles, loads[min(n, last)], start)
        add_axles(bridge, first[n + 1], drive[n + 1], axles, loads[min(n + 1, last)], end)
        for i in range(modes):
            q[n + 1, i], p[n + 1, i] = q[n, i], p[n, i]
        move_modes(weights, h, start, end, q[n + 1], p[n + 1])