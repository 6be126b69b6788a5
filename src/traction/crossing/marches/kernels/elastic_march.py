"""Wheels on a vibrating beam in elastic contact, condensed to the approaches under the wheels.

Over a step the force of each wheel is constant, its mean F. With the responses that `condensed_steps`
reduces beam and vehicles to, the approaches at the end of the step are linear in these forces,

    d1 = d_free - B F,    B = h S^-1 + phi(s1) q_F,

and the law of contact adds F = (E(d1) - E(d0))/(d1 - d0), E its elastic energy: the mean of the force over
the approach. The modes respond to a constant force exactly and the vehicles by the trapezoidal rule, so that
each of them takes up F times its own displacement; what wheel and track do not take up is stored in the
contact. So the energy of the whole is kept to rounding while the wheels stand still, at any step.

The neglected modes deflect at once under each wheel, by R P(a) with the force P of the contact's own approach
a: d = a + R P(a), two springs in series that store E(a) + R P^2/2. R depends on the place. With its mean
R' = (R0 + R1)/2 over a step, x = a + R' P and m the mean of P over a,

    F (x1 - x0) = m (a1 - a0) + (P0 + P1)/2 R' (P1 - P0)

is what both springs take up, F lying between m and (P0 + P1)/2; what is left of their energies and of F times
the change of d is proportional to R1 - R0: work of the drive.

They deflect under other wheels as well: d_k = a_k + R_k P_k + sum_j C_kj P_j, and store C_kj P_k P_j for each
pair. F keeps its form; of the sums over pairs of F times the change of d and of what is stored, the part with
the change of C is work of the drive, the rest, of third order in the step, work of the march (`pair_works`).

On a bridge with soft ends steps are those of `march_edges`, with `bridge_edges`; it is compiled only there.

Units: SI; modal coordinates in m sqrt(kg), shapes of modes in 1/sqrt(kg), forces in N, times in s.
"""

from typing import NamedTuple

import numpy as np

from traction.compiled import kernel
from traction.crossing.marches.kernels.bridge_edges import (
    AT_END,
    OFF,
    adjust_shares,
    blend_shares,
    deflection_under,
    edge_arcs,
    end_near,
    look_at_edge,
    near_ends,
    part_contacts,
    place_code,
    work_along_arcs,
)
from traction.crossing.marches.kernels.condensed_steps import (
    condense_step,
    eliminate,
    finish_step,
    segment_in_step,
)
from traction.crossing.marches.kernels.contact_springs import (
    MOST_ITERATIONS,
    ROUNDING,
    WHEEL,
    couple_springs,
    from_others,
    pair_works,
    series_mean,
    spring_inside,
    spring_mean,
    spring_response,
    turning_work,
)

SMALL_CHANGE = 1e-9  #: of the approaches, over the largest: the next one would be its square
LEAST_PART = 1e-4  #: of a Newton step
JUMP = 1e-11  #: of an approach at rest, up to which a step of the track is none


class ContactRows(NamedTuple):
    """Contacts at the ends of steps, (times, wheels)."""

    closing: np.ndarray  #: approaches of the wheels to the track of the modes, m
    approach: np.ndarray  #: of the contacts themselves: minus the deflection of the neglected modes, m
    lifted: np.ndarray  #: what steps in the height of the track add to the energy, J
    turned: np.ndarray  #: work of the drive on compliance and arcs in the step that begins, J
    force: np.ndarray  #: of the laws at the approaches of the contacts, N
    energy: np.ndarray  #: of the contacts, J
    coupled: np.ndarray  #: work of the march on the compliance between wheels in the step that begins, J


def compile_march(enter, prepare, solve):
    """The march of wheels whose steps are entered, prepared and solved by given kernels."""

    @kernel
    def march_contacts(bridge, cars, way, work, springs, rows, contacts, steps):
        """March beam and vehicles in elastic contact through `steps` (first, last + 1), and enter the next.

        Everything is known up to the first of them, and the time before. Returns the step that failed, -1 if
        none, and the number of Newton's iterations. A step that failed because a piece of a law was wanted is
        resumed: with steps[2] = 1 the first one is prepared.
        """
        iterations = 0
        for n in range(steps[0], steps[1]):
            if n > steps[0] or steps[2] == 0:  # which must not be done twice
                prepare(bridge, cars, way, work, springs, n, rows, contacts.closing)
            if not step_over(springs, contacts, n):
                return n, iterations
            took = solve(springs, contacts, n, work, rows.force[n])
            if took < 0:
                return n, iterations
            iterations += took
            finish_step(cars, work, way.t[n + 1] - way.t[n], n, rows)
        if steps[1] < way.t.size - 1:
            enter(bridge, cars, way, work, springs, steps[1], rows, contacts.closing)
            if not step_over(springs, contacts, steps[1]):
                return steps[1], iterations
        return -1, iterations

    return march_contacts


@kernel
def track_under(bridge, cars, way, code, n, k, q):
    """Heights of the ground and of the track under wheel k with a code at time n, downwards."""
    ground = -way.rail[min(n, len(way.rail) - 1), k, 0]
    if code == OFF:
        return ground, ground
    return ground, deflection_under(bridge, code, way.place[n] - cars.behind[k], q, ground)


@kernel
def enter_step(bridge, cars, way, work, springs, n, rows, closing):
    """Find the segment of each wheel in step n, and where that is another one its approach at time n anew."""
    for k in range(work.on.size):
        segment = segment_in_step(bridge, cars, way, n, k)
        work.share[k] = 1.0 if segment >= 0 else 0.0
        springs.weights[n, k] = work.share[k]
        if segment != work.on[k]:
            work.on[k] = segment
            _, track = track_under(bridge, cars, way, segment, n, k, rows.q[n])
            closing[n, k] = springs.static[k] + (rows.z[n, cars.coordinate[k]] - track)


@kernel
def prepare_step(bridge, cars, way, work, springs, n, rows, closing):
    """Enter and condense step n: d1 = `work.right` - `work.matrix` F are the approaches at its end."""
    enter_step(bridge, cars, way, work, springs, n, rows, closing)
    condense_step(bridge, cars, way, work, n, rows)
    condense_contacts(cars, way, work, springs.static, n, rows)


@kernel
def condense_contacts(cars, way, work, static, n, rows):
    """Fill `work.right` and `work.matrix` for wheels that the bridge under them carries alone."""
    h = way.t[n + 1] - way.t[n]
    shapes, on, free, B = work.rows, work.on, work.right, work.matrix
    for k in range(on.size):
        z = cars.coordinate[k]
        free[k] = static[k] + rows.z[n, z] + 0.5 * h * (rows.v[n, z] + rows.v[n + 1, z])
        free[k] += way.rail[min(n + 1, len(way.rail) - 1), k, 0]
        if on[k] != OFF:
            for i in range(shapes.shape[2]):
                free[k] -= shapes[k, 2, i] * work.ends[0, i]
        for j in range(on.size):
            B[k, j] = 0.0
            if cars.owner[j] == cars.owner[k]:
                push = h * work.inverses[cars.owner[k], cars.place[k], cars.place[j]]
                B[k, j] += push
                free[k] += push * cars.load[j]
            if on[k] != OFF and on[j] != OFF:
                for i in range(shapes.shape[2]):
                    B[k, j] += shapes[k, 2, i] * shapes[j, 0, i]


@kernel
def newton_step(B, shared, residual, slopes, change):
    """Solve (diag(own) + B diag(mean) + shared diag(stiffness)) change = -residual.

    `slopes` are (mean, own, stiffness, ...); `shared` may have no size.
    """
    n = residual.size
    system = np.empty((n, n + 1))
    for k in range(n):
        for j in range(n):
            system[k, j] = B[k, j] * slopes[0, j] + (slopes[1, k] if j == k else 0.0)
        system[k, n] = -residual[k]
    for k in range(len(shared)):
        for j in range(n):
            system[k, j] += shared[k, j] * slopes[2, j]
    eliminate(system, n)
    for k in range(n):
        change[k] = system[k, n]


@kernel
def mean_forces(B, free, springs, n, start, end, F, residual, slopes):
    """Mean forces F at the approaches `end` of step n, the residuals of the equations and their slopes.

    `slopes` (4, wheels) also take the forces at the end. Returns the largest residual, infinite with a NaN.
    """
    R, forces = springs.compliance[n], slopes[3]
    for k in range(end.size):
        before, _, _ = spring_response(springs, k, start[k])
        forces[k], slopes[2, k], _ = spring_response(springs, k, end[k])
        after, stiffness = forces[k], slopes[2, k]
        mean, slope = spring_mean(springs, k, start[k], end[k])
        between = 0.5 * (R[0, k] + R[1, k])
        F[k], slopes[0, k] = series_mean(mean, slope, between, end[k] - start[k], (before, after), stiffness)
        slopes[1, k] = 1.0 + R[1, k] * stiffness
        residual[k] = end[k] + R[1, k] * after - free[k]
    for k in range(springs.shared.shape[1]):
        residual[k] += from_others(springs.shared[1], k, forces)
    largest = 0.0
    for k in range(end.size):
        for j in range(end.size):
            residual[k] += B[k, j] * F[j]
        if not abs(residual[k]) < np.inf:  # the largest of numbers does not see one that is none
            return np.inf
        largest = max(largest, abs(residual[k]))
    return largest


@kernel
def step_forces(B, free, springs, n, start, end, F):
    """Solve step n for mean forces F and approaches `end`, by Newton's method from where `end` stands.

    Returns how many iterations it took, -1 without convergence.
    """
    wheels = end.size
    residual, change, trial = np.empty(wheels), np.empty(wheels), np.empty(wheels)
    slopes = np.empty((4, wheels))
    size = mean_forces(B, free, springs, n, start, end, F, residual, slopes)
    for iteration in range(MOST_ITERATIONS):
        reach = 0.0
        for k in range(wheels):
            reach = max(reach, springs.static[k], abs(end[k]))
        newton_step(B, springs.shared[1], residual, slopes, change)
        part, found = 2.0, np.inf
        while not (found < size or found <= ROUNDING * reach) and part > LEAST_PART:
            if springs.wanted[WHEEL] >= 0.0:
                return -1
            part *= 0.5
            for k in range(wheels):
                trial[k] = end[k] + part * change[k]
            found = mean_forces(B, free, springs, n, start, trial, F, residual, slopes)
        if not found < np.inf:
            return -1
        size = found
        largest = 0.0
        for k in range(wheels):
            end[k] = trial[k]
            largest = max(largest, abs(change[k]))
        if largest <= SMALL_CHANGE * reach:
            return iteration + 1
    return -1


@kernel
def step_over(springs, contacts, n):
    """Where the track has a step in height at time n, put the contacts on it; see `ContactRows.lifted`.

    Returns whether all contacts were found: pieces of laws may not be known.
    """
    local, force, level = contacts.approach[n], contacts.force[n], True
    for k in range(local.size):
        force[k], _, contacts.energy[n, k] = spring_response(springs, k, local[k])
    if len(springs.pairs):
        couple_springs(springs, n)
    for k in range(local.size):
        sunk = springs.compliance[n, 0, k] * force[k]
        if len(springs.pairs):
            sunk += from_others(springs.shared[0], k, force)
        level &= abs(contacts.closing[n, k] - local[k] - sunk) <= JUMP * springs.static[k]
    return level or put_on_track(springs, contacts, n)


@kernel
def off_track(springs, contacts, n, k):
    """By how much the approaches of contact and neglected modes of wheel k miss that of both at time n."""
    force = contacts.force[n]
    sunk = springs.compliance[n, 0, k] * force[k] + from_others(springs.shared[0], k, force)
    return contacts.closing[n, k] - contacts.approach[n, k] - sunk


@kernel
def put_on_track(springs, contacts, n):
    """Put contacts on the track at time n; wheels that feel each other in turn. Returns as `step_over`."""
    local, force, energy = contacts.approach[n], contacts.force[n], contacts.energy[n]
    old, before = np.empty(local.size), np.empty(local.size)
    for k in range(local.size):
        old[k], before[k] = local[k], 0.0
    if n > 0:
        stored_in_contacts(springs, n - 1, 1, force, energy, before)
    couple_springs(springs, n)
    settled = False
    for _ in range(MOST_ITERATIONS):
        settled = True
        for k in range(local.size):
            off = off_track(springs, contacts, n, k)
            if abs(off) <= JUMP * springs.static[k]:
                continue
            settled = False
            R = springs.compliance[n, 0, k]
            local[k] = spring_inside(springs, k, R, local[k] + off + R * force[k])
            force[k], _, energy[k] = spring_response(springs, k, local[k])
            if springs.wanted[WHEEL] >= 0.0:
                for j in range(local.size):
                    local[j] = old[j]
                return False
        if settled:
            break
    if not settled:
        return False
    stored_in_contacts(springs, n, 0, force, energy, contacts.lifted[n])
    for k in range(local.size):
        contacts.lifted[n, k] -= before[k]
    return True


@kernel
def stored_in_contacts(springs, step, end, force, energy, stored):
    """Energy of contacts and neglected modes under each wheel at an end of a step, of pairs a half each."""
    couple_springs(springs, step)
    for k in range(force.size):
        stored[k] = energy[k] + 0.5 * springs.compliance[step, end, k] * force[k] ** 2
        stored[k] += 0.5 * force[k] * from_others(springs.shared[end], k, force)


@kernel
def solve_contacts(springs, contacts, n, work, F):
    """Approaches at the end of step n and the mean forces F in it; returns the iterations, -1 if none did."""
    local, R, wheels = contacts.approach, springs.compliance[n], springs.static.size
    for k in range(wheels):
        local[n + 1, k] = local[n, k] if n == 0 else 2.0 * local[n, k] - local[n - 1, k]
    took = step_forces(work.matrix, work.right, springs, n, local[n], local[n + 1], F)
    before, forces = contacts.force[n], contacts.force[n + 1]
    for k in range(wheels):
        forces[k], _, contacts.energy[n + 1, k] = spring_response(springs, k, local[n + 1, k])
        contacts.closing[n + 1, k] = local[n + 1, k] + R[1, k] * forces[k]
        contacts.turned[n, k] = turning_work(R[:, k], (before[k], forces[k]), F[k])
    if springs.shared.shape[1]:
        works = np.empty(2)
        pair_works(springs.shared, before, forces, F, works)
        contacts.turned[n, 0] += works[0]
        contacts.coupled[n, 0] = works[1]
        for k in range(wheels):
            contacts.closing[n + 1, k] += from_others(springs.shared[1], k, forces)
    return took


march_contacts = compile_march(enter_step, prepare_step, solve_contacts)


@kernel
def enter_edge_step(bridge, cars, way, work, springs, n, rows, closing):
    """Find the code of each wheel in step n, and where that is another one its approach at time n anew.

    Near a soft end the neglected modes are felt by the share of the bridge in the step before, squared.
    """
    for k in range(work.on.size):
        middle = 0.5 * (way.place[n] + way.place[n + 1]) - cars.behind[k]
        code = place_code(bridge.ends, springs.radii[k], middle)
        near = end_near(bridge.ends, springs.radii[k], middle)
        if near < 0:
            work.share[k] = 1.0 if code >= 0 else 0.0
        else:
            for end in range(2):
                springs.compliance[n, end, k] = work.share[k] ** 2 * springs.left_out[n, end, k]
        springs.weights[n, k] = work.share[k]
        if code == work.on[k]:
            continue
        work.on[k] = code
        ground, track = track_under(bridge, cars, way, code, n, k, rows.q[n])
        if near >= 0:
            rise, drop = edge_arcs(bridge.ends, springs.radii[k], near, way.place[n] - cars.behind[k])
            track = min(ground + rise, track + drop)
        closing[n, k] = springs.static[k] + (rows.z[n, cars.coordinate[k]] - track)


@kernel
def prepare_edge_step(bridge, cars, way, work, springs, n, rows, closing):
    """Enter and condense step n, as `prepare_step` does, for the shares of the step before."""
    enter_edge_step(bridge, cars, way, work, springs, n, rows, closing)
    condense_step(bridge, cars, way, work, n, rows)
    shared = False
    for k in range(len(springs.radii)):
        places = way.place[n] - cars.behind[k], way.place[n + 1] - cars.behind[k]
        shared |= look_at_edge(bridge, springs.radii[k], places, work.on[k], rows.q[n], work.edges[k])
    condense_contacts(cars, way, work, springs.static, n, rows)
    if shared:
        part_contacts(work)
        blend_shares(work)


@kernel
def share_contacts(springs, contacts, n, work, F):
    """Solve step n with the shares of bridge and ground near soft ends; returns as `solve_contacts` does."""
    total = 0
    for _ in range(MOST_ITERATIONS):
        took = solve_contacts(springs, contacts, n, work, F)
        if took < 0:
            return -1
        total += took
        if not near_ends(work.edges):
            return total
        if adjust_shares(work, springs.static, F):
            for k in range(F.size):
                if work.edges[k, AT_END] >= 0.0:
                    contacts.turned[n, k] += work_along_arcs(work.edges[k], work.share[k], F[k])
            return total
        blend_shares(work)
    return -1


march_edges = compile_march(enter_edge_step, prepare_edge_step, share_contacts)
