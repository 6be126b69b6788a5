"""Stick and slip on the elements of a window: states, projections and sweeps along the rows.

Fields are (2, ny, nx) for both directions. A state is OUTSIDE the contact, STICK or SLIP. In slip the
traction is bound to the direction n, so that only its component along t = (-ny, nx) is free.
"""

import math

import numpy as np

from traction.compiled import kernel

OUTSIDE, STICK, SLIP = 0, 1, 2


@kernel
def classify(traction, slip, bound, rho, state, normal, weight):
    """State of each element by z = p - rho s: stick where |z| <= g, else slip along n = z/|z|.

    Fills `normal` and, in slip, the weight (|z| - g)/(g rho), which is |s|/g at the solution. Returns the
    largest violation |p - P(z)| (P projects on the disc of radius g) and the number of sticking elements.
    """
    ny, nx = bound.shape
    worst, sticking = 0.0, 0
    for j in range(ny):
        for i in range(nx):
            g = bound[j, i]
            weight[j, i] = 0.0
            if g <= 0.0:
                state[j, i] = OUTSIDE
                continue
            px, py = traction[0, j, i], traction[1, j, i]
            r = rho[j, i]
            zx, zy = px - r * slip[0, j, i], py - r * slip[1, j, i]
            size = np.hypot(zx, zy)
            if size <= g:
                state[j, i] = STICK
                sticking += 1
                violation = np.hypot(px - zx, py - zy)
            else:
                state[j, i] = SLIP
                ux, uy = zx / size, zy / size
                normal[0, j, i], normal[1, j, i] = ux, uy
                weight[j, i] = (size - g) / (g * r)
                violation = np.hypot(px - g * ux, py - g * uy)
            if not violation <= worst and worst == worst:  # NaN stays
                worst = violation
    return worst, sticking


@kernel
def violations(traction, slip, bound, rho):
    """Largest traction above its bound, slip below it and error of direction, each as a traction, Pa.

    Fields are (2, n), bound and rho (n,); all are NaN if a number is not finite. See `friction_certificate`.
    """
    over, stick, direction = 0.0, 0.0, 0.0
    for e in range(bound.size):
        px, py, g = traction[0, e], traction[1, e], bound[e]
        size = np.hypot(px, py)
        if not size < np.inf:
            return np.nan, np.nan, np.nan
        over = max(over, size - g)
        if g <= 0.0:
            continue
        sx, sy = slip[0, e], slip[1, e]
        way = np.hypot(sx, sy)
        if not way < np.inf:
            return np.nan, np.nan, np.nan
        stick = max(stick, min(max(0.0, g - size), rho[e] * way))
        if size > 0.0 and way > 0.0:
            across, forward = (sx * py - sy * px) / size, max(0.0, (sx * px + sy * py) / size)
            direction = max(direction, min(rho[e], g / way) * np.hypot(across, forward))
    return over, stick, direction


@kernel
def project(field, state, normal, result):
    """Leave of a field what is free: all in stick, the part along t in slip, nothing outside."""
    ny, nx = state.shape
    for j in range(ny):
        for i in range(nx):
            if state[j, i] == STICK:
                result[0, j, i], result[1, j, i] = field[0, j, i], field[1, j, i]
            elif state[j, i] == SLIP:
                tx, ty = -normal[1, j, i], normal[0, j, i]
                along = tx * field[0, j, i] + ty * field[1, j, i]
                result[0, j, i], result[1, j, i] = along * tx, along * ty
            else:
                result[0, j, i], result[1, j, i] = 0.0, 0.0


@kernel
def to_bound(traction, bound, state, normal, step):
    """The step that brings the tractions in slip to their bound along n; returns the largest."""
    ny, nx = state.shape
    largest = 0.0
    for j in range(ny):
        for i in range(nx):
            step[0, j, i], step[1, j, i] = 0.0, 0.0
            if state[j, i] == SLIP:
                ux, uy = normal[0, j, i], normal[1, j, i]
                short = bound[j, i] - ux * traction[0, j, i] - uy * traction[1, j, i]
                step[0, j, i], step[1, j, i] = short * ux, short * uy
                largest = max(largest, abs(short))
    return largest


@kernel
def right_side(traction, slip, change, rho, state, normal, weight, result):
    """What the free components must bring about: -s in stick, -(t.p) (weight + 1/rho) along t in slip.

    `change` is the slip that comes with the step to the bound; p and s are those before it.
    """
    ny, nx = state.shape
    for j in range(ny):
        for i in range(nx):
            if state[j, i] == STICK:
                result[0, j, i] = -slip[0, j, i] - change[0, j, i]
                result[1, j, i] = -slip[1, j, i] - change[1, j, i]
            elif state[j, i] == SLIP:
                tx, ty = -normal[1, j, i], normal[0, j, i]
                turned = tx * traction[0, j, i] + ty * traction[1, j, i]
                value = -turned * (weight[j, i] + 1.0 / rho[j, i])
                value -= tx * change[0, j, i] + ty * change[1, j, i]
                result[0, j, i], result[1, j, i] = value * tx, value * ty
            else:
                result[0, j, i], result[1, j, i] = 0.0, 0.0


@kernel
def swept_downstream(slip, states, own, upstream, displacement):
    """About the displacements that free tractions bring about with a slip in rolling.

    states: (state, normal, weight). Where elements stick, slips add up along the row, from the neighbour
    upstream, which lies at +1 or -1; where they slip, the weight w holds back: u (1 + w/own) = u' + slip.
    """
    state, normal, weight = states
    ny, nx = state.shape
    for j in range(ny):
        ux, uy = 0.0, 0.0
        for k in range(nx):
            i = nx - 1 - k if upstream > 0 else k
            if state[j, i] == STICK:
                ux += slip[0, j, i]
                uy += slip[1, j, i]
            elif state[j, i] == SLIP:
                tx, ty = -normal[1, j, i], normal[0, j, i]
                along = tx * (ux + slip[0, j, i]) + ty * (uy + slip[1, j, i])
                along /= 1.0 + weight[j, i] / (own[0, j, i] * tx * tx + own[1, j, i] * ty * ty)
                ux, uy = along * tx, along * ty
            else:
                ux, uy = 0.0, 0.0
            displacement[0, j, i], displacement[1, j, i] = ux, uy


@kernel
def blended(field, displacement, states, own, result):
    """Free tractions: those of the half space, `field`, where elements stick.

    Where they slip with a weight w, the share w/(own + w) is that of an element by itself, u/own. In rolling
    all waves have about the same influence, so that w either outweighs all of them or none.
    """
    state, normal, weight = states
    ny, nx = state.shape
    for j in range(ny):
        for i in range(nx):
            if state[j, i] == STICK:
                result[0, j, i], result[1, j, i] = field[0, j, i], field[1, j, i]
            elif state[j, i] == SLIP:
                tx, ty, w = -normal[1, j, i], normal[0, j, i], weight[j, i]
                o = own[0, j, i] * tx * tx + own[1, j, i] * ty * ty
                along = o * (tx * field[0, j, i] + ty * field[1, j, i])
                along += w / o * (tx * displacement[0, j, i] + ty * displacement[1, j, i])
                along /= o + w
                result[0, j, i], result[1, j, i] = along * tx, along * ty
            else:
                result[0, j, i], result[1, j, i] = 0.0, 0.0


@kernel
def free_and_weighted(slip, traction, weight, state, normal, result):
    """What `project` leaves of a slip, and weight times the free tractions added to it."""
    ny, nx = state.shape
    for j in range(ny):
        for i in range(nx):
            if state[j, i] == STICK:
                result[0, j, i], result[1, j, i] = slip[0, j, i], slip[1, j, i]
            elif state[j, i] == SLIP:
                tx, ty, w = -normal[1, j, i], normal[0, j, i], weight[j, i]
                along = tx * slip[0, j, i] + ty * slip[1, j, i]
                result[0, j, i] = along * tx + w * traction[0, j, i]
                result[1, j, i] = along * ty + w * traction[1, j, i]
            else:
                result[0, j, i], result[1, j, i] = 0.0, 0.0


@kernel
def balance(states, own, rho, stiffness, rest):
    """Factors before and after the inverse of the half space, and what is added to it.

    states: (state, normal, weight). An element resists by own + w, a whole cell inside the contact, for which
    the inverse is made, by the least `own`. For waves as short as an element, stiffness^2 of the inverse is
    thus right for any w. It is too little for long waves where w is more than 1/rho, about the influence of
    the whole contact: the share theta = w/(w + 1/rho) is taken of 1/(own + w) instead, `rest`.
    """
    state, normal, weight = states
    ny, nx = state.shape
    least_x, least_y = np.inf, np.inf
    for j in range(ny):
        for i in range(nx):
            if state[j, i] != OUTSIDE:
                least_x, least_y = min(least_x, own[0, j, i]), min(least_y, own[1, j, i])
    for j in range(ny):
        for i in range(nx):
            stiffness[0, j, i], stiffness[1, j, i], rest[j, i] = 0.0, 0.0, 0.0
            if state[j, i] == STICK:
                stiffness[0, j, i] = math.sqrt(least_x / own[0, j, i])
                stiffness[1, j, i] = math.sqrt(least_y / own[1, j, i])
            elif state[j, i] == SLIP:
                txx, tyy = normal[1, j, i] ** 2, normal[0, j, i] ** 2
                w = weight[j, i]
                total = w + own[0, j, i] * txx + own[1, j, i] * tyy
                theta = w * rho[j, i] / (w * rho[j, i] + 1.0)
                factor = math.sqrt((1.0 - theta) * (least_x * txx + least_y * tyy) / total)
                stiffness[0, j, i], stiffness[1, j, i] = factor, factor
                rest[j, i] = theta / total


@kernel
def scaled(field, state, factors, result):
    """Free components times their factors, zero outside."""
    ny, nx = state.shape
    for j in range(ny):
        for i in range(nx):
            if state[j, i] != OUTSIDE:
                result[0, j, i] = factors[0, j, i] * field[0, j, i]
                result[1, j, i] = factors[1, j, i] * field[1, j, i]
            else:
                result[0, j, i], result[1, j, i] = 0.0, 0.0


@kernel
def scaled_back(field, slip, states, factors, rest, result):
    """Free part of the field times the factors, with `rest` times the slip added; states: (state, normal)."""
    state, normal = states
    ny, nx = state.shape
    for j in range(ny):
        for i in range(nx):
            if state[j, i] == STICK:
                result[0, j, i] = factors[0, j, i] * field[0, j, i]
                result[1, j, i] = factors[1, j, i] * field[1, j, i]
            elif state[j, i] == SLIP:
                tx, ty = -normal[1, j, i], normal[0, j, i]
                along = factors[0, j, i] * (tx * field[0, j, i] + ty * field[1, j, i])
                along += rest[j, i] * (tx * slip[0, j, i] + ty * slip[1, j, i])
                result[0, j, i], result[1, j, i] = along * tx, along * ty
            else:
                result[0, j, i], result[1, j, i] = 0.0, 0.0
