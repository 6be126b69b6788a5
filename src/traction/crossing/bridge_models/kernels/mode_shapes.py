"""Deflections, slopes and second derivatives of modes at places along a beam, and what follows from them.

The shapes are polynomials of all parts of all modes (`ModalBridge.shapes`); `ModalBridge.tables` has, for
each mode and segment, the start of the segment, the length of a part and the number of its first part.

Units: SI; modal coordinates in m sqrt(kg), shapes of modes in 1/sqrt(kg), forces in N, times in s.
"""

import numpy as np

from traction.compiled import kernel


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
def part_at(tables, mode, segment, x):
    """Number of the part of a mode at x in `segment`, the place in it from its middle, and its length (m)."""
    start, length, first = tables[mode, segment, 0], tables[mode, segment, 1], int(tables[mode, segment, 2])
    parts = int(tables[mode, segment + 1, 2]) - first
    at = (x - start) / length
    part = min(max(int(at), 0), parts - 1)
    return first + part, at - part - 0.5, length


@kernel
def value_and_slope(shapes, tables, mode, segment, x):
    """Deflection of a mode and its slope at x, taken as a place in `segment`."""
    first, xi, length = part_at(tables, mode, segment, x)
    c = shapes[first]
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
def two_slopes(shapes, tables, mode, segment, x):
    """Deflection of a mode, its slope and its second derivative at x in `segment`."""
    first, xi, length = part_at(tables, mode, segment, x)
    c = shapes[first]
    value, slope, bend = 0.0, 0.0, 0.0
    for k in range(c.size - 1, -1, -1):
        bend = bend * xi + 2.0 * slope
        slope = slope * xi + value
        value = value * xi + c[k]
    return value, slope / length, bend / (length * length)


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
def shape_rows(bridge, places, values, slopes):
    """Deflections and slopes of all modes at places along the beam, (places, modes); zero off it."""
    values[:] = 0.0
    slopes[:] = 0.0
    for k in range(places.size):
        segment = segment_of(bridge.ends, places[k])
        if segment >= 0:
            for i in range(bridge.omega.size):
                values[k, i], slopes[k, i] = value_and_slope(
                    bridge.shapes, bridge.tables, i, segment, places[k]
                )


@kernel
def residual_rows(bridge, lines, shares, places, found):
    """Residual compliance and its slope at positions along the beam, found (places, 2); 0 outside.

    `lines` (segments, terms) are Chebyshev's coefficients of the whole beam's compliance, `shares` the share
    of each mode. At rigid supports only rounding is left; it is not negative.
    """
    found[:] = 0.0
    for k in range(places.size):
        segment = segment_of(bridge.ends, places[k])
        if segment < 0:
            continue
        start, end = bridge.ends[segment], bridge.ends[segment + 1]
        u = 2.0 * (places[k] - start) / (end - start) - 1.0
        value, slope = lines[segment, 0], 0.0
        T, last, dT, dlast = u, 1.0, 1.0, 0.0
        for n in range(1, lines.shape[1]):
            value += lines[segment, n] * T
            slope += lines[segment, n] * dT
            T, last, dT, dlast = 2.0 * u * T - last, T, 2.0 * T + 2.0 * u * dT - dlast, dT
        slope *= 2.0 / (end - start)
        for i in range(bridge.omega.size):
            w, turn = value_and_slope(bridge.shapes, bridge.tables, i, segment, places[k])
            value -= shares[i] * w * w
            slope -= 2.0 * shares[i] * w * turn
        if value > 0.0:
            found[k, 0], found[k, 1] = value, slope


@kernel
def chebyshev_sum(terms, u):
    """Sum of Chebyshev polynomials at u, by Clenshaw's rule."""
    one, two = 0.0, 0.0
    for n in range(terms.size - 1, 0, -1):
        one, two = 2.0 * u * one - two + terms[n], one
    return u * one - two + terms[0]


@kernel
def mutual_compliance(ends, mutual, s, t):
    """Deflection of the whole beam at s under 1 N at t < s; see `residual_compliance`."""
    a, b = segment_of(ends, s), segment_of(ends, t)
    u = 2.0 * (s - ends[a]) / (ends[a + 1] - ends[a]) - 1.0
    last = s if a == b else ends[b + 1]
    v = 2.0 * (t - ends[b]) / (last - ends[b]) - 1.0 if last > ends[b] else -1.0
    one, two, terms = 0.0, 0.0, mutual[a, b]
    for n in range(len(terms) - 1, -1, -1):
        inner = chebyshev_sum(terms[n], v)
        if n == 0:
            return u * one - two + inner
        one, two = 2.0 * u * one - two + inner, one
    return 0.0


@kernel
def residual_pairs(bridge, tables, shares, places, on, pairs, own, found):
    """Residual compliance under wheels `on` the beam at places, own (times, wheels), and of pairs of them.

    `tables` are the coefficients of G(s, s) and G(s, t), found (times, pairs).
    """
    modes, ends = bridge.omega.size, bridge.ends
    rows = np.empty((places.shape[1], modes))
    for n in range(len(places)):
        for k in range(places.shape[1]):
            own[n, k] = 0.0
            if not on[n, k]:
                continue
            segment = segment_of(ends, places[n, k])
            u = 2.0 * (places[n, k] - ends[segment]) / (ends[segment + 1] - ends[segment]) - 1.0
            value = chebyshev_sum(tables[0][segment], u)
            for i in range(modes):
                w, _ = value_and_slope(bridge.shapes, bridge.tables, i, segment, places[n, k])
                value -= shares[i] * w * w
                rows[k, i] = w
            own[n, k] = max(value, 0.0)
        for p in range(len(pairs)):
            k, j = pairs[p]
            found[n, p] = 0.0
            if on[n, k] and on[n, j]:
                s, t = max(places[n, k], places[n, j]), min(places[n, k], places[n, j])
                value = mutual_compliance(ends, tables[1], s, t)
                for i in range(modes):
                    value -= shares[i] * rows[k, i] * rows[j, i]
                found[n, p] = value
