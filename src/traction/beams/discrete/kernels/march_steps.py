"""Marches of M a + C v + K q = f under axles, in compiled code: the family of Newmark's method, and RK4.

C is alpha M + beta K, or M Phi diag(rates) Phi' M with modes Phi of M and K. These modes turn every matrix of
a step, A = s0 M + s1 K, into a diagonal: with C,

    (A + d M Phi diag(rates) Phi' M)^-1 b = A^-1 b + Phi (1/(s + d rates) - 1/s) Phi' b

with s = s0 + s1 omega^2, and the velocities eta = Phi' M v of the modes march by themselves. So the band is
solved as without damping.

Units: SI; deflections in m, rotations in rad, forces in N and N m, times in s.
"""

import math
from typing import NamedTuple

import numpy as np

from traction.beams.discrete.kernels.banded_matrices import product, scaled, solve
from traction.beams.discrete.kernels.element_shapes import BeamCells, add_forces
from traction.compiled import kernel


class BandedMotion(NamedTuple):
    """M a + C v + K q of a discrete beam."""

    stiffness: np.ndarray  #: K, band
    mass: np.ndarray  #: M, band
    mass_factor: np.ndarray  #: L D L' of M
    lumped: bool  #: whether M is diagonal
    alpha: float  #: Rayleigh's damping, 1/s
    beta: float  #: s
    shapes: np.ndarray  #: Phi of the modes that are damped, (size, modes)
    rates: np.ndarray  #: 2 zeta omega, 1/s
    squares: np.ndarray  #: omega^2, 1/s^2


class AxleForces(NamedTuple):
    """Axles over time."""

    geometry: BeamCells
    places: np.ndarray  #: m, (times, axles)
    forces: np.ndarray  #: N, likewise


class MarchRecord(NamedTuple):
    """Output of each `every`th state: sparse rows times it, or the whole state without rows."""

    every: int
    starts: np.ndarray
    columns: np.ndarray
    values: np.ndarray
    q: np.ndarray
    v: np.ndarray
    a: np.ndarray


class BandedStep(NamedTuple):
    """Parameters of the family for one step length, and the factor of its matrix without modal damping."""

    dt: float
    beta: float
    gamma: float
    alpha_m: float
    alpha_f: float
    factor: np.ndarray
    diagonal: bool  #: whether the matrix is


class BandedState(NamedTuple):
    """State passed from step to step."""

    q: np.ndarray
    v: np.ndarray
    a: np.ndarray
    force: np.ndarray  #: f - K q - C v without modal damping
    eta: np.ndarray  #: velocities of the damped modes, Phi' M v
    xi: np.ndarray  #: their accelerations


class RungeKuttaStep(NamedTuple):
    """An explicit method each of whose stages follows from the one before."""

    dt: float
    ahead: np.ndarray  #: a(i, i - 1) of the stages, which are their times in steps
    weights: np.ndarray  #: b


@kernel
def divide(F, diagonal, x):
    """Replace x by A^-1 x."""
    if diagonal:
        scaled(F, x)
    else:
        solve(F, x)


@kernel
def copy(x, y):
    """Y = x, number by number: an assignment of slices takes long to compile."""
    for i in range(x.size):
        y[i] = x[i]


@kernel(inlined=True)
def store(record, k, q, v, a):
    """Store a state, or its output; returns whether all is finite."""
    if k % record.every:
        return True
    row = k // record.every
    if record.starts.size == 0:
        total = 0.0
        for i in range(q.size):
            record.q[row, i], record.v[row, i], record.a[row, i] = q[i], v[i], a[i]
            total += q[i]
        return math.isfinite(total)
    for i in range(record.starts.size - 1):
        w = dw = ddw = 0.0
        for j in range(record.starts[i], record.starts[i + 1]):
            w += record.values[j] * q[record.columns[j]]
            dw += record.values[j] * v[record.columns[j]]
            ddw += record.values[j] * a[record.columns[j]]
        record.q[row, i], record.v[row, i], record.a[row, i] = w, dw, ddw
    return math.isfinite(q[q.size // 2])


@kernel(inlined=True)
def inner_force(motion, q, v, r, space):
    """R = -K q - C v, with Rayleigh's damping."""
    n = q.size
    if motion.beta != 0.0:
        for i in range(n):
            space[i] = q[i] + motion.beta * v[i]
        product(motion.stiffness, space, r)
    else:
        product(motion.stiffness, q, r)
    for i in range(n):
        r[i] = -r[i]
    if motion.alpha != 0.0:
        product(motion.mass, v, space)
        for i in range(n):
            r[i] -= motion.alpha * space[i]


@kernel(inlined=True)
def net_force(motion, geometry, places, forces, q, v, space, r):
    """R = f - K q - C v under axles, with Rayleigh's damping."""
    inner_force(motion, q, v, r, space)
    add_forces(geometry, places, forces, r)


@kernel
def project(Phi, r, modal):
    """modal = Phi' r."""
    for j in range(modal.size):
        modal[j] = 0.0
    for i in range(r.size):
        for j in range(modal.size):
            modal[j] += Phi[i, j] * r[i]


@kernel
def add_modes(Phi, modal, x):
    """x += Phi modal."""
    for i in range(x.size):
        total = 0.0
        for j in range(modal.size):
            total += Phi[i, j] * modal[j]
        x[i] += total


@kernel
def accelerate(motion, r, eta, xi, a):
    """Accelerations a, and xi of the modes, by a net force r without modal damping."""
    copy(r, a)
    divide(motion.mass_factor, motion.lumped, a)
    if eta.size:
        project(motion.shapes, r, xi)
        damped = np.empty(eta.size)
        for j in range(eta.size):
            damped[j] = -motion.rates[j] * eta[j]
            xi[j] += damped[j]
        add_modes(motion.shapes, damped, a)


@kernel
def damp_modes(motion, step, state, r, modal):
    """Move the damped modes by a step under the force r; `modal` becomes what damping adds to x."""
    dt, share = step.dt, 1.0 - step.alpha_f
    project(motion.shapes, r, modal)
    for j in range(modal.size):
        rate = motion.rates[j]
        old = rate * state.eta[j]
        eta = state.eta[j] + (1.0 - step.gamma) * dt * state.xi[j]
        s = 1.0 - step.alpha_m + share * step.beta * dt * dt * motion.squares[j]
        xi = (modal[j] - share * rate * eta - step.alpha_f * old) / (s + share * step.gamma * dt * rate)
        state.eta[j], state.xi[j] = eta + step.gamma * dt * xi, xi
        modal[j] = xi - modal[j] / s


@kernel
def alpha_march(motion, step, axles, state, record):
    """The family of Newmark, HHT and generalized-alpha; beta = 0, gamma = 1/2 is Verlet's method.

    `state` is that at the start. Returns the first step that is not finite, or the number of steps.
    """
    dt, beta, gamma, alpha_m, alpha_f = step.dt, step.beta, step.gamma, step.alpha_m, step.alpha_f
    q, v, force = state.q, state.v, state.force
    n, plain = q.size, alpha_m == 0.0 and alpha_f == 0.0
    x, r, space = state.a.copy(), np.empty(n), np.zeros(n)
    modes = state.eta.size
    modal, rate = np.empty(modes), np.empty(modes)
    store(record, 0, q, v, x)
    for k in range(1, len(axles.places)):
        for i in range(n):
            q[i] += dt * (v[i] + (0.5 - beta) * dt * x[i])
            v[i] += (1.0 - gamma) * dt * x[i]
        net_force(motion, axles.geometry, axles.places[k], axles.forces[k], q, v, space, r)
        if not plain:
            if alpha_m != 0.0:
                product(motion.mass, x, space)
            for i in range(n):
                r[i] = (1.0 - alpha_f) * r[i] + alpha_f * force[i] - alpha_m * space[i]
        if modes:
            damp_modes(motion, step, state, r, modal)
        divide(step.factor, step.diagonal, r)
        if modes:
            add_modes(motion.shapes, modal, r)
        x, r = r, x
        for i in range(n):
            q[i] += beta * dt * dt * x[i]
            v[i] += gamma * dt * x[i]
        if not plain:
            net_force(motion, axles.geometry, axles.places[k], axles.forces[k], q, v, space, force)
            if k % record.every == 0:
                accelerate(motion, force, state.eta, rate, state.a)
        if not store(record, k, q, v, x if plain else state.a):
            return k
    return len(axles.places)


@kernel
def runge_kutta_march(motion, step, axles, state, record):
    """Runge and Kutta's method; between the times axles move at constant speed. As `alpha_march`."""
    dt, places, forces = step.dt, axles.places, axles.forces
    q, v, eta, xi = state.q, state.v, state.eta, state.xi
    n, modes = q.size, eta.size
    space, at, speed, force, a = np.empty(n), np.empty(n), np.empty(n), state.force, np.empty(n)
    q1, v1, eta1, moved = np.empty(n), np.empty(n), np.empty(modes), np.empty(modes)
    store(record, 0, q, v, state.a)
    for k in range(1, len(places)):
        copy(q, q1)
        copy(v, v1)
        copy(eta, eta1)
        copy(v, speed)
        copy(state.a, a)
        for c in range(step.weights.size):
            if c > 0:
                ahead = step.ahead[c]
                for i in range(n):
                    at[i] = q[i] + ahead * dt * speed[i]
                    speed[i] = v[i] + ahead * dt * a[i]
                for j in range(modes):
                    moved[j] = eta[j] + ahead * dt * xi[j]
                where = (1.0 - ahead) * places[k - 1] + ahead * places[k]
                load = (1.0 - ahead) * forces[k - 1] + ahead * forces[k]
                net_force(motion, axles.geometry, where, load, at, speed, space, force)
                accelerate(motion, force, moved, xi, a)
            share = step.weights[c] * dt
            for i in range(n):
                q1[i] += share * speed[i]
                v1[i] += share * a[i]
            for j in range(modes):
                eta1[j] += share * xi[j]
        copy(q1, q)
        copy(v1, v)
        copy(eta1, eta)
        net_force(motion, axles.geometry, places[k], forces[k], q, v, space, force)
        accelerate(motion, force, eta, xi, state.a)
        if not store(record, k, q, v, state.a):
            return k
    return len(places)
