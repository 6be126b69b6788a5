"""Exact propagation of vibrating modes under axles that move over a beam.

Each mode obeys q'' + c q' + omega^2 q = f(t), f the sum of F_k(t) phi(s_k(t)) over the axles. Within a step f
is Hermite's cubic through its values and rates at both ends; the answer to that cubic is exact, whatever the
step. Steps end where an axle passes an end of a segment, so that f is smooth within each.
"""

import numpy as np

from traction.beams.kernels.oscillator import COUNT, respond
from traction.compiled import kernel


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
def value_and_slope(shapes, tables, mode, segment, x):
    """Deflection of a mode and its slope at x, taken as a place in `segment`.

    `shapes` are polynomials of all parts of all modes; `tables[mode]` has for each segment its start, the
    length of a part and the number of its first part.
    """
    start, length, first = tables[mode, segment, 0], tables[mode, segment, 1], int(tables[mode, segment, 2])
    parts = int(tables[mode, segment + 1, 2]) - first
    at = (x - start) / length
    part = min(max(int(at), 0), parts - 1)
    xi = at - part - 0.5
    c = shapes[first + part]
    # even and odd powers apart: two chains of half the length, which processors compute side by side
    square = xi * xi
    even, odd, even_slope, odd_slope = 0.0, 0.0, 0.0, 0.0
    for k in range(c.size // 2 - 1, -1, -1):
        even_slope = even_slope * square + even
        odd_slope = odd_slope * square + odd
        even = even * square + c[2 * k]
        odd = odd * square + c[2 * k + 1]
    slope = odd + 2.0 * (xi * even_slope + square * odd_slope)
    return even + xi * odd, slope / length


@kernel
def segment_of(ends, x):
    """Segment of a place on the beam, -1 off it."""
    last = ends.size - 1
    if x < ends[0] or x > ends[last]:
        return -1
    s = 0
    while s < last - 1 and x >= ends[s + 1]:
        s += 1
    return s


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


@kernel
def modal_forces(bridge, places, motion, loads, forces):
    """Modal force and its first two rates at given times, forces (3, times, modes).

    `places` (times, axles), `motion` (times, 2) speed and acceleration, `loads` (3, times, axles).
    """
    forces[:] = 0.0
    for n in range(len(places)):
        v, a = motion[n]
        for k in range(places.shape[1]):
            segment = segment_of(bridge.ends, places[n, k])
            if segment < 0:
                continue
            F, dF, ddF = loads[0, n, k], loads[1, n, k], loads[2, n, k]
            for i in range(bridge.omega.size):
                value, slope, bend = two_slopes(bridge.shapes, bridge.tables, i, segment, places[n, k])
                forces[0, n, i] += F * value
                forces[1, n, i] += dF * value + F * slope * v
                forces[2, n, i] += ddF * value + 2.0 * dF * slope * v + F * (bend * v * v + slope * a)


@kernel
def two_slopes(shapes, tables, mode, segment, x):
    """Deflection of a mode, its slope and its second derivative at x in `segment`."""
    start, length, first = tables[mode, segment, 0], tables[mode, segment, 1], int(tables[mode, segment, 2])
    parts = int(tables[mode, segment + 1, 2]) - first
    at = (x - start) / length
    part = min(max(int(at), 0), parts - 1)
    xi = at - part - 0.5
    c = shapes[first + part]
    value, slope, bend = 0.0, 0.0, 0.0
    for k in range(c.size - 1, -1, -1):
        bend = bend * xi + 2.0 * slope
        slope = slope * xi + value
        value = value * xi + c[k]
    return value, slope / length, bend / (length * length)
