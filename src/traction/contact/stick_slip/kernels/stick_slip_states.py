"""Stick and slip on the elements of a window: states, projections and sweeps along the rows.

Fields are (2, ny, nx) for both directions. A state is OUTSIDE the contact, STICK or SLIP. In slip the
traction is bound to the direction n, so that only its component along t = (-ny, nx) is free.

Units: tractions and bounds in Pa, slips in m; directions, factors and shares are pure numbers.
"""

import math

import numpy as np

from traction.compiled import kernel

OUTSIDE, STICK, SLIP = 0, 1, 2
OCTAVES = 4  #: of waves that slip holds back differently
ROWS = 8  #: that are swept side by side
HALF, QUARTER = np.float32(0.5), np.float32(0.25)


@kernel
def classify(traction, slip, bound, rho, state, normal, weight):
    """State of each element by z = p - rho s: stick where |z| <= g, else slip along n = z/|z|.

    Fills `normal` and, in slip, the weight (|z| - g)/(g rho), which is |s|/g at the solution. Returns the
    largest violation |p - P(z)|, where P projects on the disc of radius g.
    """
    ny, nx = bound.shape
    worst = 0.0
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
            size = math.hypot(zx, zy)
            if size <= g:
                state[j, i] = STICK
                violation = math.hypot(px - zx, py - zy)
            else:
                state[j, i] = SLIP
                ux, uy = zx / size, zy / size
                normal[0, j, i], normal[1, j, i] = ux, uy
                weight[j, i] = (size - g) / (g * r)
                violation = math.hypot(px - g * ux, py - g * uy)
            if not violation <= worst and worst == worst:  # NaN stays
                worst = violation
    return worst


@kernel
def find_violations(traction, slip, bound, rho):
    """Largest traction above its bound, slip below it and error of direction, each as a traction, Pa.

    Fields are (2, n), bound and rho (n,); all are NaN if a number is not finite. See `friction_certificate`.
    """
    over, stick, direction = 0.0, 0.0, 0.0
    for e in range(bound.size):
        px, py, g = traction[0, e], traction[1, e], bound[e]
        size = math.hypot(px, py)
        if not size < np.inf:
            return np.nan, np.nan, np.nan
        over = max(over, size - g)
        if g <= 0.0:
            continue
        sx, sy = slip[0, e], slip[1, e]
        way = math.hypot(sx, sy)
        if not way < np.inf:
            return np.nan, np.nan, np.nan
        stick = max(stick, min(max(0.0, g - size), rho[e] * way))
        if size > 0.0 and way > 0.0:
            across, forward = (sx * py - sy * px) / size, max(0.0, (sx * px + sy * py) / size)
            direction = max(direction, min(rho[e], g / way) * math.hypot(across, forward))
    return over, stick, direction


@kernel
def find_deviation(traction, slip, bound, stick):
    """Largest traction above the bound, or below it or along the slip where elements slip; largest bound, Pa.

    Fields are (2, n), bound and stick (n,).
    """
    worst, largest = 0.0, 0.0
    for e in range(bound.size):
        g = bound[e]
        largest = max(largest, g)
        px, py, sx, sy = traction[0, e], traction[1, e], slip[0, e], slip[1, e]
        worst = max(worst, math.hypot(px, py) - g)
        if g > 0.0 and not stick[e]:
            way = math.hypot(sx, sy)
            along = (px * sx + py * sy) / way if way > 0.0 else 0.0
            worst = max(worst, g - math.hypot(px, py), along)
    return worst, largest


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
def step_to_bound(traction, bound, state, normal, step):
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
def fill_right_side(traction, slip, change, rho, state, normal, weight, result):
    """Right side for the free components: -s in stick, -(t.p) (weight + 1/rho) along t in slip.

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
def fill_downstream_factors(state, normal, weight, own, damping, shares):
    """What slipping elements hold back in rolling, (OCTAVES, ny, nx), and shares of `blend`, (2, ny, nx).

    Where elements slip with a weight w, u' + w p = slip along the row, and waves of u twice as long have half
    the traction p: u/own for the shortest.
    """
    ny, nx = state.shape
    for j in range(ny):
        for i in range(nx):
            sticks = 1.0 if state[j, i] == STICK else 0.0
            shares[0, j, i], shares[1, j, i] = sticks, 0.0
            for octave in range(OCTAVES):
                damping[octave, j, i] = sticks
            if state[j, i] == SLIP:
                w, txx, tyy = weight[j, i], normal[1, j, i] ** 2, normal[0, j, i] ** 2
                o = own[0, j, i] * txx + own[1, j, i] * tyy
                shares[0, j, i], shares[1, j, i] = o / (o + w), w / (o * (o + w))
                resistance = o
                for octave in range(OCTAVES):
                    damping[octave, j, i] = resistance / (resistance + w)
                    resistance *= 2.0


@kernel
def split_octaves(field, parts):
    """Parts of a field by octaves of waves, the shortest first, (octaves, 2, ny, nx); their sum is the field.

    Each is what means over neighbours 1, 2, 4, ... elements away leave, with the weights 1/4, 1/2, 1/4 along
    x and y. Nothing lies outside.
    """
    octaves, _, ny, nx = parts.shape
    pad = 1 << (octaves - 2)
    rest = np.zeros((2, ny + 2 * pad, nx + 2 * pad), np.float32)
    along = np.zeros((ny + 2 * pad, nx), np.float32)
    here = HALF if ny > 1 else np.float32(1.0)
    for c in range(2):
        for j in range(ny):
            for i in range(nx):
                rest[c, j + pad, i + pad] = field[c, j, i]
    away = 1
    for octave in range(octaves - 1):
        for c in range(2):
            for j in range(pad, ny + pad):
                middle, left, right = rest[c, j, pad:], rest[c, j, pad - away :], rest[c, j, pad + away :]
                sums = along[j]
                for i in range(nx):
                    sums[i] = HALF * middle[i] + QUARTER * left[i] + QUARTER * right[i]
            for j in range(pad, ny + pad):
                middle, below, above = along[j], along[j - away], along[j + away]
                row, part = rest[c, j, pad:], parts[octave, c, j - pad]
                for i in range(nx):
                    smooth = here * middle[i] + QUARTER * below[i] + QUARTER * above[i]
                    part[i] = row[i] - smooth
                    row[i] = smooth
        away *= 2
    for c in range(2):
        for j in range(ny):
            for i in range(nx):
                parts[octaves - 1, c, j, i] = rest[c, j + pad, i + pad]


@kernel
def sweep_downstream(parts, state, normal, damping, upstream, displacement, alone):
    """Approximate displacements of the free tractions for a given slip in rolling.

    parts: of the slip, by `split_octaves`. Where elements stick, slips add up along the row, from the
    neighbour upstream, which lies at +1 or -1; where they slip, their weight holds back:
    u = damping (u' + slip), for each octave of waves by itself. `alone` are the displacements over the length
    of their waves. Several rows go side by side, as each element waits for the one before it.
    """
    ny, nx = state.shape
    u = np.empty((ROWS, OCTAVES, 2))
    for first in range(0, ny, ROWS):
        for row in range(ROWS):
            for octave in range(OCTAVES):
                u[row, octave, 0], u[row, octave, 1] = 0.0, 0.0
        for k in range(nx):
            i = nx - 1 - k if upstream > 0 else k
            for row in range(min(ROWS, ny - first)):
                j = first + row
                x, y, ax, ay, length = 0.0, 0.0, 0.0, 0.0, 1.0
                tx, ty, sticks = -normal[1, j, i], normal[0, j, i], state[j, i] == STICK
                for octave in range(OCTAVES):
                    ux = u[row, octave, 0] + parts[octave, 0, j, i]
                    uy = u[row, octave, 1] + parts[octave, 1, j, i]
                    if not sticks:
                        along = damping[octave, j, i] * (tx * ux + ty * uy)
                        ux, uy = along * tx, along * ty
                    u[row, octave, 0], u[row, octave, 1] = ux, uy
                    x, y, ax, ay = x + ux, y + uy, ax + length * ux, ay + length * uy
                    length *= 0.5
                displacement[0, j, i], displacement[1, j, i] = x, y
                alone[0, j, i], alone[1, j, i] = ax, ay


@kernel
def blend(field, alone, state, normal, shares, result):
    """Free tractions: those of the half space, `field`, where elements stick.

    Where they slip with a weight w, the share w/(own + w) is that of an element by itself, u/own. In rolling
    all waves have about the same influence, so that w either outweighs all of them or none.
    """
    ny, nx = state.shape
    for j in range(ny):
        for i in range(nx):
            if state[j, i] == SLIP:
                tx, ty = -normal[1, j, i], normal[0, j, i]
                along = shares[0, j, i] * (tx * field[0, j, i] + ty * field[1, j, i])
                along += shares[1, j, i] * (tx * alone[0, j, i] + ty * alone[1, j, i])
                result[0, j, i], result[1, j, i] = along * tx, along * ty
            else:
                share = shares[0, j, i]
                result[0, j, i], result[1, j, i] = share * field[0, j, i], share * field[1, j, i]


@kernel
def apply_states(slip, traction, weight, state, normal, result):
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
def fill_balance(state, normal, weight, own, rho, stiffness, rest):
    """Factors before and after the inverse of the half space, and what is added to it.

    An element resists by own + w, a whole cell inside the contact, for which the inverse is made, by the
    least `own`. For waves as short as an element, stiffness^2 of the inverse is thus right for any w. It
    is too little for long waves where w is more than 1/rho, about the influence of the whole contact: the
    share theta = w/(w + 1/rho) is taken of 1/(own + w) instead, `rest`.
    """
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
def scale(field, state, factors, result):
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
def scale_back(field, slip, state, normal, factors, rest, result):
    """Free part of the field times the factors, with `rest` times the slip added."""
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
