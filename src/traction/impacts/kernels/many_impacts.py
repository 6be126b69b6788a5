"""Many impacts in compiled code: each to its end, with a summary of its contacts."""

from functools import partial

import numpy as np

from traction.compiled import kernel
from traction.impacts.kernels.collocation_step import (
    MASS,
    RESIDUAL,
    SPEED,
    STATE,
    TOUCHING,
    H,
    P,
    T,
    V,
    workspace,
)
from traction.impacts.kernels.impact_march import FIRST_STEP, fly, touch_step
from traction.laws.kernels.law_values import REMEMBERED

#: columns of the summary
CONTACTS, PEAK, PEAK_TIME, END, IMPULSE, LARGEST, TOTAL_IMPULSE, REBOUND, COMPLETE = range(9)
COLUMNS = 9
MOST_STEPS = 1_000_000


@kernel
def crest(cubic, h):
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
def _strike(structure, law, settings, motion, row):
    """One impact; its summary goes into `row`."""
    state = motion[0]
    work = workspace(structure[0])
    before, peak, peak_time = 0.0, 0.0, 0.0
    for _ in range(MOST_STEPS):
        if state[T] >= settings[0]:
            break
        if state[TOUCHING] == 0.0:
            fly(structure, law, settings, motion)
            before, peak = state[P], 0.0
            continue
        start = state[T]
        h = touch_step(structure, law, settings, motion, work)
        if h < 0.0:
            return
        if h > 0.0:
            when, value = crest(work[7], h)
            if value > peak:
                peak, peak_time = value, start + when
        ends = state[TOUCHING] == 0.0 or state[T] >= settings[0]
        if ends and state[P] > before:
            row[CONTACTS] += 1.0
            row[LARGEST] = max(row[LARGEST], peak)
            if row[CONTACTS] == 1.0:
                row[PEAK], row[PEAK_TIME], row[IMPULSE] = peak, peak_time, state[P]
                row[END] = state[T] if state[TOUCHING] == 0.0 else np.nan
    row[TOTAL_IMPULSE] = state[P]
    row[REBOUND] = -state[V] if state[TOUCHING] == 0.0 else np.nan
    row[COMPLETE] = 1.0 if state[T] >= settings[0] else 0.0


@partial(kernel, nogil=True)
def strike_all(modes, shapes, body, law, cases, places, summary):
    """Impacts of `cases`, rows (mass, speed, end, tolerance, contact time, least speed), at places.

    `modes` has rows (omega, c), `shapes` one row of phi and, last, the residual flexibility for each place.
    """
    count = modes.shape[0]
    for i in range(cases.shape[0]):
        line = shapes[places[i]]
        table = np.empty((count, 3))
        for m in range(count):
            table[m, 0], table[m, 1], table[m, 2] = modes[m, 0], modes[m, 1], line[m]
        own = body.copy()
        own[MASS], own[RESIDUAL] = cases[i, 0], line[count]
        state = np.zeros(STATE)
        state[V] = state[SPEED] = cases[i, 1]
        state[TOUCHING] = 1.0
        state[H] = FIRST_STEP * cases[i, 4]
        motion = (state, np.zeros(REMEMBERED), np.zeros(count), np.zeros(count))
        _strike((table, own), law, cases[i, 2:], motion, summary[i])
