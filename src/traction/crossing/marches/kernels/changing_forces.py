"""Changes of the forces under rigid wheels from step to step, to which modes respond.

The mean force F of each step moves the wheels exactly, but not the modes: under a force that changes by dF
over the step a mode reaches its end lower by about h^2/12 phi dF than under the mean. So each mode begins the
step displaced by -kappa phi dF, dF = F - F_before, which makes q and q' exact to fourth order of omega h at
the ends of steps. With T the displacement of a mode under a constant force over the mean of its velocities at
both ends of a step, (2/omega) tan(omega h/2) without damping,

    kappa = (T/h - 1)/omega^2,

h^2/12 for small omega h: under a force that changes evenly the velocity is then exact for any step. For a
wheel that stands still this keeps the sum of the energies of modes, each times h/T, and vehicles, where
q + kappa phi F stands for q; so the march is stable for any step. Modes that follow the trapezoidal rule have
T = h. The change is not known where a wheel has just come onto a segment or landed, and where the step has
another length than the one before; there the mean is taken alone, once.

Units: SI; modal coordinates in m sqrt(kg), shapes of modes in 1/sqrt(kg), forces in N, times in s.
"""

from typing import NamedTuple

import numpy as np

from traction.compiled import kernel

SMALL = 1e-2  #: rad in a step, below which the limit of kappa is taken


class ForceChanges(NamedTuple):
    """What the steps of a march share."""

    before: (
        np.ndarray
    )  #: phi under each wheel at the start of a step, 0 where its change is unknown, (wheels, modes)
    kappa: np.ndarray  #: of each mode, (modes,)
    made_for: np.ndarray  #: step for which these were made, s, (1,)


def make_changes(wheels: int, modes: int) -> ForceChanges:
    """Storage for so many wheels and modes."""
    return ForceChanges(np.zeros((wheels, modes)), np.zeros(modes), np.zeros(1))


@kernel
def displacements_per_force(omega, weights, h, kappa):
    """kappa of each mode for steps of length h."""
    for i in range(omega.size):
        w = weights[i]
        moved = w[1] + (w[4] + w[6]) / (w[8] + w[10]) * (1.0 - w[3])
        small = omega[i] * h < SMALL
        kappa[i] = h * h / 12.0 if small else (moved / h - 1.0) / omega[i] ** 2


@kernel
def keep_shapes(way, work, n, contacts, changes):
    """Keep the shapes under the wheels at the start of step n, from those at the end of the step before."""
    h, held = way.t[n + 1] - way.t[n], contacts.held
    known = n > 0 and abs(h - (way.t[n] - way.t[n - 1])) < 1e-9 * h
    for c in range(held.shape[1]):
        known = known and (held[n - 1, c] or not held[n, c])  # the impulse of one reaches all
    for k in range(work.on.size):
        same = known and work.on[k] >= 0 and work.rows_on[k] == work.on[k] and held[n, 2 * k]
        contacts.followed[n, k] = same
        for i in range(work.rows.shape[2]):
            changes.before[k, i] = work.rows[k, 2, i]


@kernel
def follow_changes(omega, h, n, work, contacts, changes):
    """Add to `work.ends` and `work.rows` what the changes of the forces into step n do to the modes."""
    if abs(h - changes.made_for[0]) > 1e-9 * h:
        displacements_per_force(omega, work.weights, h, changes.kappa)
        changes.made_for[0] = h
    for k in range(work.on.size):
        if not contacts.followed[n, k]:
            continue
        last = contacts.push[n - 1, 2 * k] - contacts.struck[n - 1, 2 * k]
        for i in range(omega.size):
            off = changes.kappa[i] * changes.before[k, i]
            q, p = work.weights[i, 0] * off, work.weights[i, 2] * off
            work.ends[0, i] += q * last
            work.ends[1, i] += p * last
            work.rows[k, 0, i] -= q
            work.rows[k, 1, i] -= p
