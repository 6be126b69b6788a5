"""Works in the steps of a condensed march, for its energies: of the drive, and in rigid contact.

A drive keeps the speed of a train along the slopes of a vibrating beam. In rigid contact a mode that begins a
step displaced by d, see `rigid_march`, has the energy omega^2 d (q + d/2) more. Its displacement over the
step includes d, so that forces f count the work f d too much, and a damping c the loss 2 c q' d.

Units: SI; modal coordinates in m sqrt(kg), shapes of modes in 1/sqrt(kg), slopes in rad, forces in N, works
in J.
"""

from typing import NamedTuple

import numpy as np

from traction.compiled import kernel
from traction.crossing.bridge_models.kernels.mode_shapes import segment_of, two_slopes, value_and_slope
from traction.crossing.marches.kernels.bridge_edges import OFF, end_near, on_bridge, place_code
from traction.crossing.marches.kernels.condensed_steps import blunt_weights, step_weights
from traction.crossing.marches.kernels.rigid_march import displacements_per_force
from traction.crossing.marches.kernels.rigid_track import contact_arc, exists, fixed_track


@kernel
def end_rates(bridge, cars, way, accelerations, step, end, state, rates):
    """At one end of a step: power of the drive and its rate, F V (r' - w') without the rail's part.

    `rates` (2,) gets their sums over the wheels under the mean forces of the step.
    """
    n = step + end
    V, A = way.speed[n], accelerations[n]
    rates[:] = 0.0
    for k in range(cars.owner.size):
        place = way.place[n] - cars.behind[k]
        middle = 0.5 * (way.place[step] + way.place[step + 1]) - cars.behind[k]
        segment = segment_of(bridge.ends, middle)
        if segment < 0 or state.force[step, k] == 0.0:
            continue
        slope, bend, turn = 0.0, 0.0, 0.0
        for i in range(bridge.omega.size):
            _, one, two = two_slopes(bridge.shapes, bridge.tables, i, segment, place)
            slope += one * state.q[n, i]
            bend += two * state.q[n, i]
            turn += one * state.p[n, i]
        force = state.force[step, k] * state.share[step, k]
        rates[0] -= force * V * slope
        rates[1] -= force * (A * slope + V * V * bend + V * turn)


@kernel
def drive_work(bridge, cars, way, accelerations, state, work):
    """Work of the drive along the slope of the beam in each step, by the corrected trapezoidal rule."""
    start, end = np.empty(2), np.empty(2)
    for n in range(way.t.size - 1):
        h = way.t[n + 1] - way.t[n]
        end_rates(bridge, cars, way, accelerations, n, 0, state, start)
        end_rates(bridge, cars, way, accelerations, n, 1, state, end)
        work[n] = 0.5 * h * (start[0] + end[0]) + h * h / 12.0 * (start[1] - end[1])


class StepWorks(NamedTuple):
    """What `find_works` fills."""

    moves: np.ndarray  #: how far the track at each contact comes down, m, (steps, contacts)
    displaced: np.ndarray  #: work on modes that begin a step displaced, J, (steps,)
    rolled: np.ndarray  #: work of the drive along the arcs of wheels, J, (steps,)


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
def find_works(bridge, cars, way, rows, contacts, works):
    """Moves of the track at each contact, works on displaced modes and along the arcs of wheels."""
    modes = bridge.omega.size
    weights, kappa, made_for = np.empty((modes, 12)), np.empty(modes), -1.0
    pushed, changed = np.empty(modes), np.empty(modes)
    for n in range(way.t.size - 1):
        h, known = way.t[n + 1] - way.t[n], contacts.followed[n].any()
        if known and abs(h - made_for) > 1e-9 * h:
            step_weights(bridge.omega, bridge.rate, h, weights)
            blunt_weights(bridge.omega, bridge.rate, h, weights)
            displacements_per_force(bridge.omega, weights, h, kappa)
            made_for = h
        pushed[:], changed[:] = 0.0, 0.0
        for k in range(cars.owner.size):
            middle = 0.5 * (way.place[n] + way.place[n + 1]) - cars.behind[k]
            contacts.near[k] = end_near(bridge.ends, contacts.radii[k], middle)
            move_fixed_track(bridge, cars, way, contacts, n, k, works)
            code = place_code(bridge.ends, contacts.radii[k], middle)
            if code != OFF:
                move_bridge(bridge, cars, way, rows, contacts, n, k, code, works.moves, pushed, changed)
        works.displaced[n] = 0.0
        if known:
            add_plain_axles(bridge, way, n, pushed)
            for i in range(modes):
                off = -kappa[i] * changed[i]
                lifted = bridge.omega[i] ** 2 * (rows.q[n, i] + 0.5 * off) - pushed[i]
                works.displaced[n] += off * (lifted + 2.0 * bridge.rate[i] * rows.p[n, i])


@kernel
def move_fixed_track(bridge, cars, way, contacts, n, k, works):
    """Moves of the track at the contacts of wheel k without those of the bridge, and works along arcs."""
    if k == 0:
        works.rolled[n] = 0.0
    for c in range(2 * k, 2 * k + 2):
        works.moves[n, c] = 0.0
        if exists(contacts, c):
            arcs, moved = 0.0, 0.0
            for end in range(2):
                sign, place = 2 * end - 1, way.place[n + end] - cars.behind[k]
                arcs += sign * contact_arc(bridge.ends, contacts, place, c)[0]
                moved += sign * fixed_track(bridge, cars, way, contacts, n + end, c)[0]
            works.moves[n, c] = moved
            works.rolled[n] -= contacts.push[n, c] * arcs


@kernel
def move_bridge(bridge, cars, way, rows, contacts, n, k, code, moves, pushed, changed):
    """Add the move of the bridge under wheel k; modal forces of the wheel, and what of them modes follow."""
    change, push = 0.0, contacts.push[n, 2 * k]
    if contacts.followed[n, k]:
        change = push - contacts.push[n - 1, 2 * k] + contacts.struck[n - 1, 2 * k]
    segment, start, _ = on_bridge(bridge.ends, code, way.place[n] - cars.behind[k])
    _, end, _ = on_bridge(bridge.ends, code, way.place[n + 1] - cars.behind[k])
    for i in range(pushed.size):
        one, _ = value_and_slope(bridge.shapes, bridge.tables, i, segment, start)
        two, _ = value_and_slope(bridge.shapes, bridge.tables, i, segment, end)
        moves[n, 2 * k] += two * rows.q[n + 1, i] - one * rows.q[n, i]
        pushed[i] += one * push
        changed[i] += one * change
