"""Displacements and works in the steps of a march in rigid contact, for its energies.

A mode that begins a step displaced by d, see `changing_forces`, has the energy omega^2 d (q + d/2) more. Its
displacement over the step includes d, so that forces f count the work f d too much, and a damping c the loss
2 c q' d.

Units: SI; modal coordinates in m sqrt(kg), shapes of modes in 1/sqrt(kg), forces in N, works in J.
"""

from typing import NamedTuple

import numpy as np

from traction.compiled import kernel
from traction.crossing.bridge_models.kernels.mode_shapes import segment_of, value_and_slope
from traction.crossing.marches.kernels.changing_forces import are_known, displacements_per_force
from traction.crossing.marches.kernels.condensed_steps import blunt_weights, segment_in_step
from traction.crossing.marches.kernels.modal_steps import step_weights


class StepWorks(NamedTuple):
    """What `find_works` fills."""

    moves: np.ndarray  #: how far the track under each wheel comes down, m, (steps, wheels)
    displaced: np.ndarray  #: work on modes that begin a step displaced, J, (steps,)


@kernel
def add_plain_axles(bridge, way, n, pushed):
    """Add the modal forces of axles that are plain forces at the start of step n."""
    loads = way.loads[min(n, len(way.loads) - 1)]
    for k in range(way.behind.size):
        segment = segment_of(bridge.ends, 0.5 * (way.place[n] + way.place[n + 1]) - way.behind[k])
        if segment >= 0:
            for i in range(pushed.size):
                place = way.place[n] - way.behind[k]
                value, _ = value_and_slope(bridge.shapes, bridge.tables, i, segment, place)
                pushed[i] += value * loads[k, 0]


@kernel
def find_works(bridge, cars, way, rows, struck, works):
    """Moves of the track under each wheel, on its segment there, and works on displaced modes."""
    modes, wheels, last = bridge.omega.size, cars.owner.size, len(way.rail) - 1
    weights, kappa, made_for = np.empty((modes, 12)), np.empty(modes), -1.0
    pushed, changed = np.empty(modes), np.empty(modes)
    for n in range(way.t.size - 1):
        h, known = way.t[n + 1] - way.t[n], are_known(way, rows.touching, n)
        if known and abs(h - made_for) > 1e-9 * h:
            step_weights(bridge.omega, bridge.rate, h, weights)
            blunt_weights(bridge.omega, bridge.rate, h, weights)
            displacements_per_force(bridge.omega, weights, h, kappa)
            made_for = h
        pushed[:], changed[:] = 0.0, 0.0
        for k in range(wheels):
            works.moves[n, k] = way.rail[min(n, last), k, 0] - way.rail[min(n + 1, last), k, 0]
            segment = segment_in_step(bridge, cars, way, n, k)
            if segment < 0:
                continue
            change = 0.0
            if known and rows.touching[n, k] and segment_in_step(bridge, cars, way, n - 1, k) == segment:
                change = rows.force[n, k] - rows.force[n - 1, k] + struck[n - 1, k]
            start, end = way.place[n] - cars.behind[k], way.place[n + 1] - cars.behind[k]
            for i in range(modes):
                one, _ = value_and_slope(bridge.shapes, bridge.tables, i, segment, start)
                two, _ = value_and_slope(bridge.shapes, bridge.tables, i, segment, end)
                works.moves[n, k] += two * rows.q[n + 1, i] - one * rows.q[n, i]
                pushed[i] += one * rows.force[n, k]
                changed[i] += one * change
        works.displaced[n] = 0.0
        if known:
            add_plain_axles(bridge, way, n, pushed)
            for i in range(modes):
                off = -kappa[i] * changed[i]
                lifted = bridge.omega[i] ** 2 * (rows.q[n, i] + 0.5 * off) - pushed[i]
                works.displaced[n] += off * (lifted + 2.0 * bridge.rate[i] * rows.p[n, i])
