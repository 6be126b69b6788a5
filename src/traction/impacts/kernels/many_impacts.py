"""Many impacts in compiled code: each to its end, with a summary of its contacts.

Units: SI; masses in kg, speeds in m/s, forces in N, times in s.
"""

from functools import partial

import numpy as np

from traction.compiled import kernel
from traction.impacts.kernels.collocation_step import (
    SPEED,
    STATE,
    TOUCHING,
    H,
    ImpactMotion,
    P,
    StruckPoint,
    T,
    V,
    make_work,
)
from traction.impacts.kernels.impact_march import FIRST_STEP, ImpactSettings, fly, touch_step
from traction.laws.kernels.law_values import REMEMBERED

#: columns of the summary
CONTACTS, PEAK, PEAK_TIME, END, IMPULSE, LARGEST, TOTAL_IMPULSE, REBOUND, COMPLETE = range(9)
COLUMNS = 9
MOST_STEPS = 1_000_000


@kernel
def find_crest(cubic, h):
    """Time and value of the largest force of a cubic over a step."""
    best, when = cubic[0] + cubic[1] + cubic[2] + cubic[3], h
    a, b, c = 3.0 * cubic[3], 2.0 * cubic[2], cubic[1]
    square = b * b - 4.0 * a * c
    if square < 0.0:
        return when, best
    root = np.sqrt(square)
    for sign in (-1.0, 1.0):
        below = -b + sign * root
        if below == 0.0:
            continue
        s = 2.0 * c / below
        if 0.0 < s < 1.0:
            value = cubic[0] + s * (cubic[1] + s * (cubic[2] + s * cubic[3]))
            if value > best:
                best, when = value, s * h
    return when, best


@kernel
def _strike_once(point, law, settings, motion, row):
    """One impact; its summary goes into `row`."""
    state = motion.state
    work = make_work(point.modes)
    before, peak, peak_time = 0.0, 0.0, 0.0
    for _ in range(MOST_STEPS):
        if state[T] >= settings.end:
            break
        if state[TOUCHING] == 0.0:
            fly(point, law, settings, motion)
            before, peak = state[P], 0.0
            continue
        start = state[T]
        h = touch_step(point, law, settings, motion, work)
        if h < 0.0:
            return
        if h > 0.0:
            when, value = find_crest(work.cubic, h)
            if value > peak:
                peak, peak_time = value, start + when
        ends = state[TOUCHING] == 0.0 or state[T] >= settings.end
        if ends and state[P] > before:
            row[CONTACTS] += 1.0
            row[LARGEST] = max(row[LARGEST], peak)
            if row[CONTACTS] == 1.0:
                row[PEAK], row[PEAK_TIME], row[IMPULSE] = peak, peak_time, state[P]
                row[END] = state[T] if state[TOUCHING] == 0.0 else np.nan
    row[TOTAL_IMPULSE] = state[P]
    row[REBOUND] = -state[V] if state[TOUCHING] == 0.0 else np.nan
    row[COMPLETE] = 1.0 if state[T] >= settings.end else 0.0


@partial(kernel, nogil=True)
def strike_all(modes, shapes, fields, law, cases, places, summary):
    """Impacts of `cases`, rows (mass, speed, end, tolerance, contact time, least speed), at places.

    `modes` has rows (omega, c), `shapes` one row of phi and, last, the residual flexibility for each place;
    `fields` are gravity and mobility.
    """
    count = modes.shape[0]
    gravity, mobility = fields
    for i in range(cases.shape[0]):
        line = shapes[places[i]]
        table = np.empty((count, 3))
        for m in range(count):
            table[m, 0], table[m, 1], table[m, 2] = modes[m, 0], modes[m, 1], line[m]
        point = StruckPoint(table, cases[i, 0], gravity, line[count], mobility)
        settings = ImpactSettings(cases[i, 2], cases[i, 3], cases[i, 4], cases[i, 5])
        state = np.zeros(STATE)
        state[V] = state[SPEED] = cases[i, 1]
        state[TOUCHING] = 1.0
        state[H] = FIRST_STEP * settings.contact_time
        motion = ImpactMotion(state, np.zeros(REMEMBERED), np.zeros(count), np.zeros(count))
        _strike_once(point, law, settings, motion, summary[i])
