"""The march of FASTSIM along its strips, in compiled code.

Units: lengths in m, tractions in Pa, growth in Pa/m and Pa/m2; sums along a strip in N/m, N (x p_y) and m.
"""

import math

from traction.compiled import kernel

MOST = 30  #: steps of the return to the bound; three are usual
HALVINGS = 40  #: to find where a strip begins to slip
CLOSE = 1e-12  #: of the bound


@kernel
def march_strips(half, ahead, growth, law, falls, fields, sums):
    """Tractions at the nodes of strips, from the leading edge on, and their integrals along each strip.

    half: half length of each strip, (m,); ahead: +1 or -1, the direction of rolling; growth: that of (p_x,
    p_y) per distance in the middle of each strip, (2, m), the change of that of p_y along x, and L1/L2;
    law: the largest bound, the semi-axis and the power of the bound; falls: factor of the bound at the nodes,
    (m, n + 1), linear between them; fields: bound and stick (m, n + 1),
    traction (2, m, n + 1), to be filled; sums: integrals of p_x, p_y, x p_y and of what sticks, (4, m), to
    be filled. What slips follows the backward differentiation of order two, which is exact for what sticks;
    the first step of a strip is the implicit rule of Euler. The step in which slip begins is cut in two
    where it does.
    """
    rate, turn, softness = growth
    bound, traction, stick = fields
    strips, nodes = bound.shape
    for j in range(strips):
        h = 2.0 * half[j] / (nodes - 1)
        bound[j, 0] = 0.0
        traction[:, j, 0] = 0.0
        sums[:, j] = 0.0
        before, sticks = ahead * half[j], True
        px, py = 0.0, 0.0
        for i in range(1, nodes):
            x = ahead * (half[j] - i * h)
            vx, vy = rate[0, j], rate[1, j] + turn * 0.5 * (before + x)
            tx, ty = px - h * vx, py - h * vy
            g = 0.0 if i == nodes - 1 else falls[j, i] * bound_at(x, half[j], law)
            stays = math.hypot(tx, ty) <= g
            cut = h if stays else 0.0
            if not stays:
                if sticks:
                    ends = (falls[j, i - 1], falls[j, i])
                    cut = slip_begins((px, py), (vx, vy), before, ahead * h, half[j], law, ends)
                if i > 1:
                    bx = (4.0 * px - traction[0, j, i - 2] - 2.0 * h * vx) / 3.0
                    by = (4.0 * py - traction[1, j, i - 2] - 2.0 * h * (rate[1, j] + turn * x)) / 3.0
                    if math.hypot(bx, by) > g:
                        tx, ty = bx, by
                tx, ty = returned(tx, ty, g, softness)
            middle = before - ahead * cut
            mx, my = px - cut * vx, py - cut * (rate[1, j] + turn * 0.5 * (before + middle))
            rest = h - cut
            sums[0, j] += 0.5 * (cut * (px + mx) + rest * (mx + tx))
            sums[1, j] += 0.5 * (cut * (py + my) + rest * (my + ty))
            sums[2, j] += 0.5 * (cut * (before * py + middle * my) + rest * (middle * my + x * ty))
            sums[3, j] += cut
            bound[j, i], stick[j, i], sticks = g, stays, stays
            px, py, before = tx, ty, x
            traction[0, j, i], traction[1, j, i] = tx, ty
        stick[j, 0] = stick[j, 1]


@kernel
def bound_at(x, half, law):
    """Bound at x of a strip."""
    top, a, power = law
    return top * (max(0.0, (half - x) * (half + x)) / (a * a)) ** power


@kernel
def slip_begins(traction, growth, x, step, half, law, ends):
    """Distance from x, towards -step, at which a traction that grows by -v reaches the bound."""
    (px, py), (vx, vy), (first, last) = traction, growth, ends
    low, high = 0.0, abs(step)
    back = -1.0 if step > 0.0 else 1.0
    for _ in range(HALVINGS):
        cut = 0.5 * (low + high)
        falls = first + cut / abs(step) * (last - first)
        if math.hypot(px - cut * vx, py - cut * vy) <= falls * bound_at(x + back * cut, half, law):
            low = cut
        else:
            high = cut
    return low


@kernel
def returned(tx, ty, g, softness):
    """Traction of the size g < |t| that opposes its slip: p_x (1 + k) = t_x, p_y (1 + softness k) = t_y.

    The slip s = L (p - t)/h has the flexibility of each direction in it: with L1 = L2 the return is along
    t, and what slides does so against the rigid slip. 1/|p| is almost linear in k, so that Newton's rule on
    it is quick.
    """
    if not g > 0.0:
        return 0.0, 0.0
    k, px, py = 0.0, tx, ty
    for _ in range(MOST):
        fx, fy = 1.0 / (1.0 + k), 1.0 / (1.0 + softness * k)
        px, py = tx * fx, ty * fy
        size = math.hypot(px, py)
        if abs(size - g) <= CLOSE * g:
            break
        slope = (px * px * fx + softness * py * py * fy) / size
        k += (size - g) / slope * size / g
    size = math.hypot(px, py)
    return px * g / size, py * g / size
