"""Marches of M a + C v + K q = f under axles, in compiled code: the family of Newmark's method, and RK4.

C is alpha M + beta K, or M Phi diag(rates) Phi' M with modes Phi of M and K. These modes turn every matrix of
a step, A = s0 M + s1 K, into a diagonal: with C,

    (A + d M Phi diag(rates) Phi' M)^-1 b = A^-1 b + Phi (1/(s + d rates) - 1/s) Phi' b

with s = s0 + s1 omega^2, and the velocities eta = Phi' M v of the modes march by themselves. So the band is
solved as without damping.
"""

import numpy as np

from traction.beams.discrete.kernels.banded_matrices import product, scaled, solve
from traction.beams.discrete.kernels.element_shapes import add_forces
from traction.compiled import kernel


@kernel
def divide(F, diagonal, x):
    """Replace x by A^-1 x."""
    if diagonal:
        scaled(F, x)
    else:
        solve(F, x)


@kernel
def store(record, k, q, v, a):
    """Keep a state, or what is observed of it; returns whether all is finite.

    `record` is (every, row starts, columns, values, Q, V, A); without row starts whole states are kept.
    """
    every, starts, columns, values, Q, V, A = record
    if k % every:
        return True
    row = k // every
    if starts.size == 0:
        total = 0.0
        for i in range(q.size):
            Q[row, i], V[row, i], A[row, i] = q[i], v[i], a[i]
            total += q[i]
        return np.isfinite(total)
    for i in range(starts.size - 1):
        w = dw = ddw = 0.0
        for j in range(starts[i], starts[i + 1]):
            w += values[j] * q[columns[j]]
            dw += values[j] * v[columns[j]]
            ddw += values[j] * a[columns[j]]
        Q[row, i], V[row, i], A[row, i] = w, dw, ddw
    return np.isfinite(q[q.size // 2])


@kernel
def restoring(bands, rayleigh, q, v, space, r):
    """R = -K q - C v, with Rayleigh's damping."""
    K, M = bands
    alpha, beta = rayleigh
    n = q.size
    if beta != 0.0:
        for i in range(n):
            space[i] = q[i] + beta * v[i]
        product(K, space, r)
    else:
        product(K, q, r)
    for i in range(n):
        r[i] = -r[i]
    if alpha != 0.0:
        product(M, v, space)
        for i in range(n):
            r[i] -= alpha * space[i]


@kernel
def projected(Phi, r, modal):
    """modal = Phi' r."""
    modal[:] = 0.0
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
def alpha_march(bands, factors, weights, damping, geometry, axles, state, record):
    """The family of Newmark, HHT and generalized-alpha; beta = 0, gamma = 1/2 is Verlet's method.

    `factors` are those of the step (without modal damping) and of M, and whether they are diagonal; `weights`
    dt, beta, gamma, alpha_m, alpha_f; `damping` (alpha, beta), Phi, rates, omega^2; `axles` places and forces
    over time; `state` q, v, a at the start. Returns the first step that is not finite, or the number of
    steps.
    """
    M = bands[1]
    F, FM, diagonal = factors
    dt, beta, gamma, alpha_m, alpha_f = weights
    rayleigh, Phi, rates, squares = damping
    places, forces = axles
    q, v, a = state
    n = q.size
    plain = alpha_m == 0.0 and alpha_f == 0.0
    x, r, rest, space = a.copy(), np.zeros(n), np.zeros(n), np.empty(n)
    eta, xi, old, modal = np.zeros((4, rates.size))
    s = 1.0 - alpha_m + (1.0 - alpha_f) * beta * dt * dt * squares
    s_damped = s + (1.0 - alpha_f) * gamma * dt * rates
    if rates.size:
        product(M, v, space)
        projected(Phi, space, eta)
        product(M, x, space)
        projected(Phi, space, xi)
    if not plain:
        restoring(bands, rayleigh, q, v, space, rest)
        add_forces(geometry, places[0], forces[0], rest)
    store(record, 0, q, v, a)
    for k in range(1, len(places)):
        for i in range(n):
            q[i] += dt * (v[i] + (0.5 - beta) * dt * x[i])
            v[i] += (1.0 - gamma) * dt * x[i]
        restoring(bands, rayleigh, q, v, space, r)
        add_forces(geometry, places[k], forces[k], r)
        if not plain:
            if alpha_m != 0.0:
                product(M, x, space)
            else:
                space[:] = 0.0
            for i in range(n):
                r[i] = (1.0 - alpha_f) * r[i] + alpha_f * rest[i] - alpha_m * space[i]
        if rates.size:
            old[:] = rates * eta
            eta += (1.0 - gamma) * dt * xi
            projected(Phi, r, modal)
            xi[:] = (modal - (1.0 - alpha_f) * rates * eta - alpha_f * old) / s_damped
            eta += gamma * dt * xi
            modal[:] = xi - modal / s
        divide(F, diagonal, r)
        if rates.size:
            add_modes(Phi, modal, r)
        x, r = r, x
        for i in range(n):
            q[i] += beta * dt * dt * x[i]
            v[i] += gamma * dt * x[i]
        if plain:
            finite = store(record, k, q, v, x)
        else:
            restoring(bands, rayleigh, q, v, space, rest)
            add_forces(geometry, places[k], forces[k], rest)
            if k % record[0] == 0:
                a[:] = rest
                divide(FM, diagonal, a)
                if rates.size:
                    add_modes(Phi, -rates * eta, a)
            finite = store(record, k, q, v, a)
        if not finite:
            return k
    return len(places)


@kernel
def accelerated(bands, factors, damping, q, v, eta, space, r):
    """R = M^-1 (r - K q - C v) from the forces r, and the acceleration of eta in place of it."""
    _, FM, diagonal = factors
    rayleigh, Phi, rates, _ = damping
    n = q.size
    force = r.copy()
    restoring(bands, rayleigh, q, v, space, r)
    for i in range(n):
        r[i] += force[i]
    if rates.size:
        modal = np.empty(rates.size)
        projected(Phi, r, modal)
        speed = rates * eta
        eta[:] = modal - speed
        divide(FM, diagonal, r)
        add_modes(Phi, -speed, r)
    else:
        divide(FM, diagonal, r)


@kernel
def rk4_march(bands, factors, dt, damping, geometry, axles, state, record):
    """The classical method of Runge and Kutta; between the times axles move at constant speed."""
    places, forces = axles
    q, v, a = state
    n, modes = q.size, damping[2].size
    space, at, speed, r = np.empty(n), np.empty(n), np.empty(n), np.empty(n)
    q1, v1 = np.empty(n), np.empty(n)
    eta, stage, eta1 = np.zeros(modes), np.zeros(modes), np.zeros(modes)
    if modes:
        product(bands[1], v, space)
        projected(damping[1], space, eta)
    store(record, 0, q, v, a)
    for k in range(1, len(places)):
        q1[:], v1[:], eta1[:] = q, v, eta
        middle, mean = 0.5 * (places[k - 1] + places[k]), 0.5 * (forces[k - 1] + forces[k])
        before = dt / 6.0
        for i in range(n):
            q1[i] += before * v[i]
            v1[i] += before * a[i]
        r[:], speed[:] = a, v
        stage[:] = eta
        if modes:  # the acceleration of eta at the start of the step
            product(bands[1], a, space)
            projected(damping[1], space, stage)
            eta1 += before * stage
        for c in range(3):
            ahead, share = (0.5, 2.0) if c < 2 else (1.0, 1.0)
            for i in range(n):
                at[i] = q[i] + ahead * dt * speed[i]
                speed[i] = v[i] + ahead * dt * r[i]
            rate = eta + ahead * dt * stage
            r[:] = 0.0
            if c < 2:
                add_forces(geometry, middle, mean, r)
            else:
                add_forces(geometry, places[k], forces[k], r)
            stage[:] = rate
            accelerated(bands, factors, damping, at, speed, stage, space, r)
            for i in range(n):
                q1[i] += share * before * speed[i]
                v1[i] += share * before * r[i]
            eta1 += share * before * stage
        q[:], v[:], eta[:] = q1, v1, eta1
        a[:] = 0.0
        add_forces(geometry, places[k], forces[k], a)
        stage[:] = eta
        accelerated(bands, factors, damping, q, v, stage, space, a)
        if not store(record, k, q, v, a):
            return k
    return len(places)
