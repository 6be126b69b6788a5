"""Exact propagation of vibrating modes under axles that move over a beam.

Each mode obeys q'' + c q' + omega^2 q = f(t), f the sum of F_k(t) phi(s_k(t)) over the axles. Within a step f
is Hermite's cubic through its values and rates at both ends; the response to that cubic is exact for any
step. Steps end where an axle passes an end of a segment, so that f is smooth within each.

Units: SI; modal coordinates in m sqrt(kg), shapes of modes in 1/sqrt(kg), forces in N, times in s.
"""

import numpy as np

from traction.beams.kernels.oscillator import COUNT, respond
from traction.compiled import kernel
from traction.crossing.bridge_models.kernels.mode_shapes import segment_of, value_and_slope


@kernel
def step_weights(omega, rate, h, weights):
    """Of each mode: free motion, and the responses to Hermite's basis; weights (modes, 12).

    Columns: q from (q, q'), q' from (q, q'), then q and q' from f0, h f0', f1, h f1'. A force (t/h)^j moves
    q by j! X_j/h^j and q' by j! X_(j-1)/h^j.
    """
    X = np.empty(COUNT)
    for i in range(omega.size):
        respond(omega[i], rate[i], h, X)
        weights[i, 0], weights[i, 1] = X[0] + rate[i] * X[1], X[1]
        weights[i, 2], weights[i, 3] = -omega[i] * omega[i] * X[1], X[0]
        for row in range(2):
            one, two = X[2 - row], X[3 - row] / h
            three, four = 2.0 * X[4 - row] / (h * h), 6.0 * X[5 - row] / (h * h * h)
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
def add_axles(bridge, place, drive, behind, segments, loads, forces):
    """Modal forces and their rates of all axles that are on the segments of a beam, forces (modes, 2)."""
    for i in range(len(forces)):
        forces[i, 0], forces[i, 1] = 0.0, 0.0
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
def march_axles(bridge, way, steps, weights, made_for, q, p):
    """March all modes under plain forces through `steps` (first, last + 1); q and p are (times, modes).

    They are known up to the first of them; `weights` are those of steps of the length `made_for[0]`.
    """
    modes, last = bridge.omega.size, len(way.loads) - 1
    t, first, drive = way.t, way.place, way.speed
    start, end = np.zeros((modes, 2)), np.zeros((modes, 2))
    segments = np.full(way.behind.size, -1)
    for n in range(steps[0], steps[1]):
        h = t[n + 1] - t[n]
        if abs(h - made_for[0]) > 1e-9 * h:
            step_weights(bridge.omega, bridge.rate, h, weights)
            made_for[0] = h
        start, end = end, start
        if axles_changed(bridge.ends, 0.5 * (first[n] + first[n + 1]), way.behind, segments):
            add_axles(bridge, first[n], drive[n], way.behind, segments, way.loads[min(n, last)], start)
        add_axles(bridge, first[n + 1], drive[n + 1], way.behind, segments, way.loads[min(n + 1, last)], end)
        for i in range(modes):
            q[n + 1, i], p[n + 1, i] = q[n, i], p[n, i]
        move_modes(weights, h, start, end, q[n + 1], p[n + 1])
