"""Modes under axles that move over a beam, propagated exactly, and vehicles on it: forces under the wheels.

Each mode obeys q'' + c q' + omega^2 q = f(t), f the sum of F_k(t) phi(s_k(t)) over the axles. Within a step f
is Hermite's cubic through its values and rates at both ends; the response to that cubic is exact for any
step. Steps end where an axle passes an end of a segment, so that f is smooth within each.

With vehicles everything is condensed to the forces under the wheels. Over a step the force F of each wheel is
constant, its mean. The modes respond to F phi(s(t)) exactly (Hermite's cubic in time for phi along the way),
the vehicles by the trapezoidal rule, which responds to a constant force without further error: with
S = 2M/h + C + hK/2 and the loads P at rest, the velocities of the wheels at the end of the step are
v = v_free - 2 S^-1 (F - P), and those of the track u = u_free + D F with D from the modes,
u = w_t + V w' - V r' with the speed V of the train along the beam and the height r of the rail. `rigid_march`
and `elastic_march` find the forces.

Stability: with T_i = (2/omega_i) tan(omega_i h/2), a mode moves by T_i times its mean velocity. The sum of
its energies, each times h/T_i, and that of the vehicles is kept by the scheme while the wheels stand still,
for any step below pi/omega_i. Modes that turn by more than WIDE in a step are propagated by the trapezoidal
rule, where T_i = h: so the scheme is stable for any step.

Units: SI; modal coordinates in m sqrt(kg), shapes of modes in 1/sqrt(kg), forces in N, times in s.
"""

from typing import NamedTuple

import numpy as np

from traction.beams.kernels.oscillator import COUNT, respond
from traction.compiled import kernel
from traction.crossing.bridge_models.kernels.mode_shapes import segment_of, value_and_slope
from traction.crossing.marches.kernels.bridge_edges import OFF, on_bridge

WIDE = 1.5  #: rad in a step, above which a mode follows the trapezoidal rule


@kernel
def step_weights(omega, rate, h, weights):
    """Of each mode: free motion, and the responses to Hermite's basis; weights (modes, 12).

    Columns: q from (q, q'), q' from (q, q'), then q and q' from f0, h f0', f1, h f1'. A force (t/h)^j moves
    q by j! X_j/h^j and q' by j! X_(j-1)/h^j.
    """
    X = np.empty(COUNT)
    for i in range(omega.size):
        respond(omega[i], rate[i], h, X)
        weights[i, 0], weights[i, 1] = X[0] + rate[i] * X[1], X[1]
        weights[i, 2], weights[i, 3] = -omega[i] * omega[i] * X[1], X[0]
        for row in range(2):
            one, two = X[2 - row], X[3 - row] / h
            three, four = 2.0 * X[4 - row] / (h * h), 6.0 * X[5 - row] / (h * h * h)
            at = 4 + 4 * row
            weights[i, at] = one - 3.0 * three + 2.0 * four
            weights[i, at + 1] = two - 2.0 * three + four
            weights[i, at + 2] = 3.0 * three - 2.0 * four
            weights[i, at + 3] = four - three


@kernel
def add_axle(bridge, place, drive, segment, load, forces):
    """Add to forces (modes, 2) the modal force of an axle, F phi, and its rate, F' phi + F phi' v.

    `place` (m) and `drive` (m/s) are those of the axle, `load` its force and rate.
    """
    for i in range(bridge.omega.size):
        value, slope = value_and_slope(bridge.shapes, bridge.tables, i, segment, place)
        forces[i, 0] += load[0] * value
        forces[i, 1] += load[1] * value + load[0] * slope * drive


@kernel
def axles_changed(ends, place, behind, segments):
    """Whether an axle has come, gone or passed to another segment since `segments` was made; renews it."""
    changed = False
    for k in range(behind.size):
        segment = segment_of(ends, place - behind[k])
        if segment != segments[k]:
            segments[k] = segment
            changed = True
    return changed


@kernel
def add_axles(bridge, place, drive, behind, segments, loads, forces):
    """Modal forces and their rates of all axles that are on the segments of a beam, forces (modes, 2)."""
    for i in range(len(forces)):
        forces[i, 0], forces[i, 1] = 0.0, 0.0
    for k in range(behind.size):
        if segments[k] >= 0:
            add_axle(bridge, place - behind[k], drive, segments[k], loads[k], forces)


@kernel
def move_modes(weights, h, start, end, q, p):
    """Modes q, p at the end of a step, in place, from the modal forces and rates at its ends."""
    for i in range(q.size):
        w = weights[i]
        f0, d0, f1, d1 = start[i, 0], h * start[i, 1], end[i, 0], h * end[i, 1]
        moved = w[0] * q[i] + w[1] * p[i] + w[4] * f0 + w[5] * d0 + w[6] * f1 + w[7] * d1
        p[i] = w[2] * q[i] + w[3] * p[i] + w[8] * f0 + w[9] * d0 + w[10] * f1 + w[11] * d1
        q[i] = moved


@kernel
def march_axles(bridge, way, steps, weights, made_for, q, p):
    """March all modes under plain forces through `steps` (first, last + 1); q and p are (times, modes).

    They are known up to the first of them; `weights` are those of steps of the length `made_for[0]`.
    """
    modes, last = bridge.omega.size, len(way.loads) - 1
    t, first, drive = way.t, way.place, way.speed
    start, end = np.zeros((modes, 2)), np.zeros((modes, 2))
    segments = np.full(way.behind.size, -1)
    for n in range(steps[0], steps[1]):
        h = t[n + 1] - t[n]
        if abs(h - made_for[0]) > 1e-9 * h:
            step_weights(bridge.omega, bridge.rate, h, weights)
            made_for[0] = h
        start, end = end, start
        if axles_changed(bridge.ends, 0.5 * (first[n] + first[n + 1]), way.behind, segments):
            add_axles(bridge, first[n], drive[n], way.behind, segments, way.loads[min(n, last)], start)
        add_axles(bridge, first[n + 1], drive[n + 1], way.behind, segments, way.loads[min(n + 1, last)], end)
        for i in range(modes):
            q[n + 1, i], p[n + 1, i] = q[n, i], p[n, i]
        move_modes(weights, h, start, end, q[n + 1], p[n + 1])


class StepWork(NamedTuple):
    """What `condense_step` leaves of a step."""

    weights: np.ndarray  #: (modes, 12), see `step_weights`
    inverses: np.ndarray  #: S^-1 of each vehicle
    made_for: np.ndarray  #: step for which these were made, s, (1,)
    given: np.ndarray  #: modal forces of plain axles at both ends, (2, modes, 2)
    ends: np.ndarray  #: q and q' under these alone, (2, modes)
    segments: np.ndarray  #: of the plain axles, -1 off the beam
    on: np.ndarray  #: segment of each wheel, -1 off the beam; see `bridge_edges.place_code`
    rows: np.ndarray  #: (wheels, 4, modes), see `wheel_responses`
    rows_on: np.ndarray  #: segment of each wheel for which its rows were made, -1 for none
    matrix: np.ndarray  #: of the equations of the contacts, (wheels, wheels)
    right: np.ndarray  #: their right side
    share: np.ndarray  #: of the force of each wheel, that acts on the bridge
    edges: np.ndarray  #: of wheels near soft ends, (wheels, EDGES), see `bridge_edges`
    parts: np.ndarray  #: of the matrix, by vehicles and bridge, where there are such, (2, wheels, wheels)


class MarchRows(NamedTuple):
    """A march at the ends of its steps."""

    q: np.ndarray  #: of the modes, (times, modes)
    p: np.ndarray  #: q'
    z: np.ndarray  #: of the vehicles, (times, coordinates)
    v: np.ndarray  #: z'
    force: np.ndarray  #: under the wheels, the mean of each step, (times - 1, wheels)
    touching: np.ndarray  #: which wheels do, (times, wheels)
    share: np.ndarray  #: of the force in each step, that acts on the beam if the wheel is on it, like `force`


@kernel
def blunt_weights(omega, rate, h, weights):
    """Replace the exact response by the trapezoidal rule for modes whose phase changes too much in a step."""
    for i in range(omega.size):
        if omega[i] * h <= WIDE:
            continue
        half = 0.5 * rate[i] * h + 0.25 * (omega[i] * h) ** 2
        D = 1.0 + half
        weights[i, 2], weights[i, 3] = -h * omega[i] ** 2 / D, (1.0 - half) / D
        weights[i, 0], weights[i, 1] = 1.0 + 0.5 * h * weights[i, 2], 0.5 * h * (1.0 + weights[i, 3])
        for j, share in enumerate((0.5, 1.0 / 12.0, 0.5, -1.0 / 12.0)):
            weights[i, 8 + j] = share * h / D
            weights[i, 4 + j] = 0.5 * h * weights[i, 8 + j]


@kernel
def eliminate(B, n):
    """Solve for the columns of B beyond its first n by Gauss's elimination, rows exchanged; in place."""
    for c in range(n):
        pivot = c
        for r in range(c + 1, n):
            if abs(B[r, c]) > abs(B[pivot, c]):
                pivot = r
        if pivot != c:
            for j in range(c, B.shape[1]):
                B[c, j], B[pivot, j] = B[pivot, j], B[c, j]
        for j in range(B.shape[1] - 1, c - 1, -1):
            B[c, j] /= B[c, c]
        for r in range(n):
            if r != c and B[r, c] != 0.0:
                factor = B[r, c]
                for j in range(c, B.shape[1]):
                    B[r, j] -= factor * B[c, j]


@kernel
def vehicle_inverses(cars, weights, inverses):
    """S^-1 of each vehicle, S = M/w0 + w1 C + w2 K."""
    for v in range(cars.first.size - 1):
        n = cars.first[v + 1] - cars.first[v]
        S = np.zeros((n, 2 * n))
        for i in range(n):
            for j in range(n):
                S[i, j] = weights[1] * cars.damping[v, i, j] + weights[2] * cars.stiffness[v, i, j]
            S[i, i] += cars.mass[cars.first[v] + i] / weights[0]
            S[i, n + i] = 1.0
        eliminate(S, n)
        for i in range(n):
            for j in range(n):
                inverses[v, i, j] = S[i, n + j]


@kernel
def free_vehicles(cars, inverses, h, z, v, v_free):
    """Velocities at the end of a step in which the loads on the wheels are those at rest."""
    for c in range(cars.first.size - 1):
        a, b = cars.first[c], cars.first[c + 1]
        right = np.empty(b - a)
        for i in range(b - a):
            total = 2.0 * cars.mass[a + i] * v[a + i] / h
            for j in range(b - a):
                total -= cars.stiffness[c, i, j] * z[a + j]
            right[i] = total
        for i in range(b - a):
            total = 0.0
            for j in range(b - a):
                total += inverses[c, i, j] * right[j]
            v_free[a + i] = 2.0 * total - v[a + i]


@kernel
def wheel_responses(bridge, weights, h, segment, ends, known, rows):
    """Responses of the modes to 1 N at a wheel, and the weight of each mode at the wheel: rows (4, modes).

    `ends` are place and speed at the start and at the end of the step. Rows: q, q' at the end, phi, V phi'.
    Where they are `known`, the last two are those of the step before, that is at the start of this one.
    """
    for i in range(bridge.omega.size):
        w = weights[i]
        if known:
            one, d0 = rows[2, i], h * rows[3, i]
        else:
            one, before = value_and_slope(bridge.shapes, bridge.tables, i, segment, ends[0])
            d0 = h * (before * ends[1])
        two, after = value_and_slope(bridge.shapes, bridge.tables, i, segment, ends[2])
        d1 = h * (after * ends[3])
        rows[0, i] = w[4] * one + w[5] * d0 + w[6] * two + w[7] * d1
        rows[1, i] = w[8] * one + w[9] * d0 + w[10] * two + w[11] * d1
        rows[2, i] = two
        rows[3, i] = after * ends[3]


@kernel
def given_forces(bridge, way, segments, n, given):
    """Modal forces of axles that are plain forces, at both ends of step n: given (2, modes, 2)."""
    last = len(way.loads) - 1
    axles_changed(bridge.ends, 0.5 * (way.place[n] + way.place[n + 1]), way.behind, segments)
    for end in range(2):
        at = n + end
        loads = way.loads[min(at, last)]
        add_axles(bridge, way.place[at], way.speed[at], way.behind, segments, loads, given[end])


@kernel
def segment_in_step(bridge, cars, way, n, k):
    """Segment of wheel k during step n, -1 off the beam."""
    return segment_of(bridge.ends, 0.5 * (way.place[n] + way.place[n + 1]) - cars.behind[k])


@kernel
def weigh_step(bridge, cars, h, work):
    """What depends on the length of a step alone."""
    step_weights(bridge.omega, bridge.rate, h, work.weights)
    blunt_weights(bridge.omega, bridge.rate, h, work.weights)
    vehicle_inverses(cars, (0.5 * h, 1.0, 0.5 * h), work.inverses)
    work.made_for[0] = h


@kernel
def condense_step(bridge, cars, way, work, n, rows):
    """State of beam and vehicles for step n, without the forces under the wheels.

    Left in `work`: modes at the end under the given axles alone (`ends`) and responses to 1 N under each
    wheel (`rows`, `inverses`); the velocities of the vehicles are those without other forces than at rest.
    `work.on`, the segment of each wheel during the step, must be known. `finish_step` takes the forces,
    wherever they come from.
    """
    h = way.t[n + 1] - way.t[n]
    if abs(h - work.made_for[0]) > 1e-9 * h:
        weigh_step(bridge, cars, h, work)
    given_forces(bridge, way, work.segments, n, work.given)
    for i in range(bridge.omega.size):
        work.ends[0, i], work.ends[1, i] = rows.q[n, i], rows.p[n, i]
    move_modes(work.weights, h, work.given[0], work.given[1], work.ends[0], work.ends[1])
    free_vehicles(cars, work.inverses, h, rows.z[n], rows.v[n], rows.v[n + 1])
    stretch = np.empty(4)
    for k in range(cars.owner.size):
        if work.on[k] != OFF:
            for end in range(2):
                place = way.place[n + end] - cars.behind[k]
                segment, stretch[2 * end], moves = on_bridge(bridge.ends, work.on[k], place)
                stretch[2 * end + 1] = moves * way.speed[n + end]
            known = work.on[k] == work.rows_on[k]
            wheel_responses(bridge, work.weights, h, segment, stretch, known, work.rows[k])
        work.rows_on[k] = work.on[k]


@kernel
def finish_step(cars, work, h, n, rows):
    """Motion at the end of step n under the forces found."""
    inverses, shapes, on, ends = work.inverses, work.rows, work.on, work.ends
    F, q, p = rows.force[n], rows.q[n + 1], rows.p[n + 1]
    for i in range(q.size):
        q[i], p[i] = ends[0, i], ends[1, i]
    for k in range(on.size):
        rows.share[n, k] = work.share[k]
        if on[k] != OFF:
            push = F[k] * work.share[k]
            for i in range(q.size):
                q[i] += push * shapes[k, 0, i]
                p[i] += push * shapes[k, 1, i]
    for k in range(on.size):
        c = cars.owner[k]
        for i in range(cars.first[c + 1] - cars.first[c]):
            push = 2.0 * inverses[c, i, cars.place[k]]
            rows.v[n + 1, cars.first[c] + i] -= push * (F[k] - cars.load[k])
    for i in range(rows.z.shape[1]):
        rows.z[n + 1, i] = rows.z[n, i] + 0.5 * h * (rows.v[n, i] + rows.v[n + 1, i])
