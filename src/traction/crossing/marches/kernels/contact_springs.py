"""Contacts under the wheels of a march: Hertz's law or one in pieces, in series with the neglected modes.

Units: forces in N, approaches in m, stiffnesses in N/m, compliances in m/N, energies in J.
"""

from typing import NamedTuple

import numpy as np

from traction.compiled import kernel
from traction.laws.kernels.law_values import (
    KNOWN,
    find_piece,
    hertz_mean,
    piece_response,
    pieces_mean,
    power_response,
)

HERTZ = 1.5  #: exponent of the contact law
MOST_ITERATIONS = 60
ROUNDING = 1e-15  #: of the approaches
WHEEL, APPROACH = 0, 1  #: columns of what is wanted


class Springs(NamedTuple):
    """Contacts under the wheels, in series with the neglected modes."""

    coefficients: np.ndarray  #: k of Hertz's law, N/m^(3/2); zero of other laws
    static: np.ndarray  #: approaches at rest, m
    compliance: np.ndarray  #: R of the neglected modes at both ends of each step, m/N, (steps, 2, wheels)
    rows: np.ndarray  #: of laws in pieces, stacked, see `law_values`
    spans: np.ndarray  #: first row of each wheel's law, and the one after its last, (wheels, 2)
    wanted: np.ndarray  #: wheel and approach (m) at which a law has no piece; the wheel is -1 if all have
    radii: np.ndarray  #: of the wheels at both ends of the bridge, m, 0 at level ones, (wheels or 0, 2)
    left_out: np.ndarray  #: the compliance of wheels that the bridge carries alone, see `elastic_march`
    pairs: np.ndarray  #: of wheels which feel each other's neglected modes, (pairs, 2)
    mutual: np.ndarray  #: C of these at the ends of steps, m/N, (times, pairs)
    weights: np.ndarray  #: share of the bridge in the force of a wheel, for its compliance, (steps, wheels)
    shared: np.ndarray  #: C at both ends of the step, (2, wheels, wheels); of no size without pairs


@kernel
def spring_response(springs, k, approach):
    """Force, stiffness and energy of the contact of wheel k alone; not numbers where a piece is wanted."""
    if springs.coefficients[k] > 0.0:
        return power_response(springs.coefficients[k], HERTZ, approach)
    row = find_piece(springs.rows, springs.spans[k, 0], springs.spans[k, 1], approach)
    if springs.rows[row, KNOWN] == 0.0 and abs(approach) < np.inf:
        springs.wanted[WHEEL], springs.wanted[APPROACH] = k, approach
    return piece_response(springs.rows, row, approach)


@kernel
def spring_mean(springs, k, start, end):
    """Mean force of the contact of wheel k alone between two approaches, and its derivative by the second."""
    if springs.coefficients[k] > 0.0:
        return hertz_mean(springs.coefficients[k], start, end)
    return pieces_mean(springs.rows, springs.spans[k, 0], springs.spans[k, 1], start, end)


@kernel
def spring_inside(springs, k, compliance, whole):
    """Approach a of the contact itself with a + R P(a) = `whole`, by Newton's method from above.

    Not a number without convergence, and where a piece is wanted.
    """
    approach = whole
    if compliance == 0.0 or whole <= 0.0:
        return approach
    for _ in range(MOST_ITERATIONS):
        force, stiffness, _ = spring_response(springs, k, approach)
        change = (approach + compliance * force - whole) / (1.0 + compliance * stiffness)
        approach -= change
        if not abs(change) > ROUNDING * whole:
            return approach
    return np.nan


@kernel
def series_forces(springs, k, compliances, approaches, forces):
    """Forces of the contact of wheel k in series with compliances, at the approaches of both."""
    for n in range(approaches.size):
        inside = spring_inside(springs, k, compliances[n], approaches[n])
        forces[n] = spring_response(springs, k, inside)[0]


@kernel
def series_mean(mean, slope, compliance, change, forces, stiffness):
    """Mean force of contact and compliance in series, and its derivative by the approach at the end.

    `mean` and `slope` are those of the contact alone, whose approach changes by `change`; `forces` are its
    forces at both ends, `stiffness` the one at the end.
    """
    if compliance == 0.0:
        return mean, slope
    gained = forces[1] - forces[0]
    whole = change + compliance * gained
    off = 0.5 * (forces[0] + forces[1]) - mean
    if whole == 0.0:
        share, turn = compliance * stiffness / (1.0 + compliance * stiffness), 0.0
    else:
        share = compliance * gained / whole
        turn = compliance * (stiffness * change - gained) / (whole * whole)
    return mean + share * off, slope + share * (0.5 * stiffness - slope) + off * turn


@kernel
def turning_work(compliances, forces, mean):
    """Work of the drive in a step on a compliance that changes: forces at both ends, and the mean one."""
    change = compliances[1] - compliances[0]
    average, gained = 0.5 * (forces[0] + forces[1]), forces[1] - forces[0]
    return change * (0.5 * average * average + 0.125 * gained * gained - mean * average)


@kernel
def couple_springs(springs, n):
    """Put the compliance of all pairs in step n into `springs.shared`."""
    weights, shared = springs.weights[n], springs.shared
    for p in range(len(springs.pairs)):
        k, j = springs.pairs[p]
        for end in range(2):
            value = weights[k] * weights[j] * springs.mutual[n + end, p]
            shared[end, k, j], shared[end, j, k] = value, value


@kernel
def from_others(shared, k, forces):
    """Deflection under wheel k by the forces of all others; 0 where `shared` has no size."""
    total = 0.0
    for j in range(len(shared)):
        total += shared[k, j] * forces[j]
    return total


@kernel
def pair_works(shared, before, after, mean, works):
    """Works in a step on the compliance between wheels, by their forces at its ends and the mean ones.

    `works` (2,): that of the drive, dC (Pk Pj + dPk dPj/4 - Fk Pj - Fj Pk) with the averages P of the forces
    at the ends, and that of the march, C ((Pk - Fk) dPj + (Pj - Fj) dPk), of third order in the step.
    """
    works[0], works[1] = 0.0, 0.0
    for k in range(shared.shape[1]):
        for j in range(k):
            C, turn = 0.5 * (shared[0, k, j] + shared[1, k, j]), shared[1, k, j] - shared[0, k, j]
            Pk, Pj = 0.5 * (before[k] + after[k]), 0.5 * (before[j] + after[j])
            dk, dj = after[k] - before[k], after[j] - before[j]
            works[0] += turn * (Pk * Pj + 0.25 * dk * dj - mean[k] * Pj - mean[j] * Pk)
            works[1] += C * ((Pk - mean[k]) * dj + (Pj - mean[j]) * dk)
