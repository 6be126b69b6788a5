"""Largest deflections and accelerations of one crossing at constant speed, without keeping the histories.

Units: SI; speeds in m/s, deflections in m, accelerations in m/s2.
"""

import numpy as np

from traction.compiled import kernel
from traction.crossing.marches.kernels.modal_steps import (
    add_axles,
    axles_changed,
    move_modes,
    step_weights,
)


@kernel
def peak_of(before, here, after, even):
    """Magnitude of a local extremum: of the parabola through three samples, if they are evenly spaced."""
    bend = before - 2.0 * here + after
    if not even or bend * here >= 0.0 or abs(here) < max(abs(before), abs(after)):
        return abs(here)
    return abs(here - 0.125 * (after - before) ** 2 / bend)


@kernel(nogil=True)
def crossing_peaks(bridge, t, speed, behind, loads, seen, peaks):
    """Largest |w| and |w_tt| at places where the modes have the values `seen` (places, modes): peaks (places,
    2).

    Axles with the `loads` (axles, 2), forces and their rates, enter at t = behind/speed; t has all passages
    of axles over ends of segments.
    """
    modes, places = bridge.omega.size, len(seen)
    weights, start, end = np.empty((modes, 12)), np.zeros((modes, 2)), np.zeros((modes, 2))
    q, p, old = np.zeros(modes), np.zeros(modes), np.zeros((places, 2, 2))
    segments = np.full(behind.size, -1)
    peaks[:] = 0.0
    made_for, steps_before = -1.0, 0.0
    for n in range(t.size - 1):
        h = t[n + 1] - t[n]
        if abs(h - made_for) > 1e-9 * h:
            step_weights(bridge.omega, bridge.rate, h, weights)
            made_for = h
        start, end = end, start
        if axles_changed(bridge.ends, 0.5 * speed * (t[n] + t[n + 1]), behind, segments):
            add_axles(bridge, speed * t[n], speed, behind, segments, loads, start)
        add_axles(bridge, speed * t[n + 1], speed, behind, segments, loads, end)
        move_modes(weights, h, start, end, q, p)
        even = abs(h - steps_before) <= 1e-9 * h
        steps_before = h
        for place in range(places):
            deflection, acceleration = 0.0, 0.0
            for i in range(modes):
                deflection += seen[place, i] * q[i]
                pull = end[i, 0] - bridge.rate[i] * p[i] - bridge.omega[i] ** 2 * q[i]
                acceleration += seen[place, i] * pull
            now = (deflection, acceleration)
            for what in range(2):
                found = peak_of(old[place, what, 0], old[place, what, 1], now[what], even)
                peaks[place, what] = max(peaks[place, what], found, abs(now[what]))
                old[place, what, 0], old[place, what, 1] = old[place, what, 1], now[what]
