"""Largest deflections and accelerations of one crossing at constant speed, without keeping the histories.

Units: SI; speeds in m/s, deflections in m, accelerations in m/s2.
"""

import math

import numpy as np

from traction.compiled import kernel
from traction.crossing.marches.kernels.condensed_steps import (
    add_axles,
    axles_changed,
    move_modes,
    step_weights,
)


@kernel
def largest_within(h, y0, d0, y1, d1):
    """Largest magnitude of the cubic through values y and rates d at both ends of a step h."""
    largest = max(abs(y0), abs(y1))
    if d0 * d1 < 0.0:
        c, e, rise = h * d0, h * d1, y1 - y0
        # y = y0 + c s + b s^2 + a s^3 has its extremum where c + 2 b s + 3 a s^2 = 0, 0 < s < 1
        a, b = c + e - 2.0 * rise, 3.0 * rise - 2.0 * c - e
        root = math.sqrt(max(0.0, b * b - 3.0 * a * c))
        s = -c / (b + math.copysign(root, b))
        if not 0.0 < s < 1.0 and a != 0.0:
            s = -(b + math.copysign(root, b)) / (3.0 * a)
        if 0.0 < s < 1.0:
            largest = max(largest, abs(y0 + s * (c + s * (b + s * a))))
    return largest


@kernel
def fill_motion(bridge, seen, forces, q, p, motion):
    """Deflection, velocity, acceleration and its rate at all places, motion (places, 4)."""
    for place in range(len(seen)):
        w = v = a = j = 0.0
        for i in range(q.size):
            square = bridge.omega[i] ** 2
            pull = forces[i, 0] - bridge.rate[i] * p[i] - square * q[i]
            w += seen[place, i] * q[i]
            v += seen[place, i] * p[i]
            a += seen[place, i] * pull
            j += seen[place, i] * (forces[i, 1] - bridge.rate[i] * pull - square * p[i])
        motion[place, 0], motion[place, 1], motion[place, 2], motion[place, 3] = w, v, a, j


@kernel(nogil=True)
def crossing_peaks(bridge, t, speed, behind, loads, seen, peaks):
    """Largest |w| and |w_tt| at places where the modes have the values `seen` (places, modes): peaks (places,
    2).

    Axles with the `loads` (axles, 2), forces and their rates, enter at t = behind/speed; t has all passages
    of axles over ends of segments, where the rates of accelerations jump. Within a step both are cubics
    through values and rates at its ends.
    """
    modes, places = bridge.omega.size, len(seen)
    weights, start, end = np.empty((modes, 12)), np.zeros((modes, 2)), np.zeros((modes, 2))
    q, p = np.zeros(modes), np.zeros(modes)
    old, new = np.zeros((places, 4)), np.zeros((places, 4))
    segments = np.full(behind.size, -1)
    peaks[:] = 0.0
    made_for = -1.0
    for n in range(t.size - 1):
        h = t[n + 1] - t[n]
        if abs(h - made_for) > 1e-9 * h:
            step_weights(bridge.omega, bridge.rate, h, weights)
            made_for = h
        start, end = end, start
        old, new = new, old
        if axles_changed(bridge.ends, 0.5 * speed * (t[n] + t[n + 1]), behind, segments):
            add_axles(bridge, speed * t[n], speed, behind, segments, loads, start)
            fill_motion(bridge, seen, start, q, p, old)
        add_axles(bridge, speed * t[n + 1], speed, behind, segments, loads, end)
        move_modes(weights, h, start, end, q, p)
        fill_motion(bridge, seen, end, q, p, new)
        for place in range(places):
            for what in range(2):
                k = 2 * what
                found = largest_within(h, old[place, k], old[place, k + 1], new[place, k], new[place, k + 1])
                peaks[place, what] = max(peaks[place, what], found)
