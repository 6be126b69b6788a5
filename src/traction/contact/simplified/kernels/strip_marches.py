"""Tractions along the strips of FASTSIM and FaStrip, in compiled code.

Units: lengths in m, tractions in Pa, growth in Pa/m and Pa/m2; sums along a strip in N/m, N (x p_y) and m.
"""

import math

from traction.compiled import kernel

MOST = 30  #: steps of the return to the bound; three are usual
HALVINGS = 40  #: to find where a strip begins to slip
CLOSE = 1e-12  #: of the bound
STEEPEST = 2.0  #: ratio of steps up to which their differentiation is of order two


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


@kernel
def fill_strips(half, slip, ellipses, growth, top, falls, fields, sums):
    """Tractions at the nodes of strips that roll along +x, and their integrals along each strip.

    half: half length of each strip, (m,); slip: that of its slip zone, (m,), larger where FASTSIM decides
    what sticks; ellipses: A_x, A_y, B_x, B_y of the two ellipses of each strip, Pa/m, (4, m); growth: that of
    (p_x, p_y) per distance in the middle of each strip, where it slips and where FASTSIM holds it, (2, 2, m),
    the changes of those of p_y along x, and L1/L2; top: pressure over sqrt(half^2 - x^2), Pa/m; falls:
    coefficient of friction of each strip, (m,); fields: x, bound and stick (m, n + 1), traction (2, m, n +
    1), to be filled; sums: integrals of p_x, p_y, x p_y and of what sticks, (4, m), to be filled. Half of the
    nodes lie in each zone, at equal angles.
    """
    places, bound, traction, stick = fields
    strips, nodes = places.shape
    for j in range(strips):
        a, d = half[j], slip[j]
        some = nodes // 2 if d < a else 0
        edge = -a + 2.0 * d if d < a else a
        for i in range(some):
            x = 0.5 * (a + edge) + 0.5 * (a - edge) * math.cos(math.pi * i / max(1, some - 1))
            outer = math.sqrt(max(0.0, (a - x) * (a + x)))
            inner = math.sqrt(max(0.0, (a - x) * (x - edge)))
            places[j, i], bound[j, i], stick[j, i] = x, top * falls[j] * outer, True
            traction[0, j, i] = ellipses[0, j] * outer - ellipses[2, j] * inner
            traction[1, j, i] = ellipses[1, j] * outer - ellipses[3, j] * inner
        sums[:, j] = 0.0
        if some > 0:
            add_stick_zone(sums, j, a, d, edge, ellipses)
        slide_strip(j, some, (a, edge, d > a), growth, top * falls[j], fields, sums)


@kernel
def add_stick_zone(sums, j, a, d, edge, ellipses):
    """Integrals over the stick zone of a strip, in closed form."""
    root = math.sqrt(max(0.0, (a - edge) * (a + edge)))
    outer = 0.5 * (a * a * math.acos(edge / a) - edge * root)
    inner = 0.5 * math.pi * (a - d) ** 2
    sums[0, j] = ellipses[0, j] * outer - ellipses[2, j] * inner
    sums[1, j] = ellipses[1, j] * outer - ellipses[3, j] * inner
    sums[2, j] = ellipses[1, j] * root**3 / 3.0 - ellipses[3, j] * d * inner
    sums[3, j] = a - edge


@kernel
def slide_strip(j, some, ends, growth, top, fields, sums):
    """The slip zone of a strip, from node `some` on: of the size of the bound, in the direction of FASTSIM.

    ends: half length, edge of the zone, and whether what FASTSIM holds below the bound sticks.

    The direction follows the backward differentiation of order two, at first the implicit rule of Euler.
    Sums over equal angles are exact for the root of the bound at the trailing edge.
    """
    (rates, (turn, held_turn), softness), (places, bound, traction, stick) = growth, fields
    rate, held = rates[0], rates[1]
    a, edge, fastsim = ends
    left = places.shape[1] - some
    count = left if some > 0 else max(1, left - 1)
    x, px, py, fx, fy, last = edge, 0.0, 0.0, 0.0, 0.0, 0.0
    if some > 0:
        px, py = traction[0, j, some - 1], traction[1, j, some - 1]
    scale = 0.5 * (edge + a) * math.pi / count
    for i in range(left):
        angle = math.pi * (i + 1 if some > 0 else i) / count
        before = x
        x = 0.5 * (edge - a) + 0.5 * (edge + a) * math.cos(angle)
        h = before - x
        g = top * math.sqrt(max(0.0, (a - x) * (a + x)))
        hx, hy = px - h * held[0, j], py - h * (held[1, j] + held_turn * 0.5 * (before + x))
        sticks = fastsim and math.hypot(hx, hy) <= g
        tx, ty = px - h * rate[0, j], py - h * (rate[1, j] + turn * 0.5 * (before + x))
        if last > 0.0 and h <= STEEPEST * last:
            r = h / last
            whole = 1.0 + 2.0 * r
            new, old, way = (1.0 + r) ** 2 / whole, r * r / whole, (1.0 + r) / whole
            tx = new * px - old * fx - way * h * rate[0, j]
            ty = new * py - old * fy - way * h * (rate[1, j] + turn * x)
        fx, fy, last = px, py, h
        size = math.hypot(tx, ty)
        if sticks:
            px, py = hx, hy
        elif size > g:
            px, py = returned(tx, ty, g, softness)
        elif size > 0.0:
            px, py = tx * g / size, ty * g / size
        place, weight = some + i, scale * math.sin(angle)
        places[j, place], bound[j, place], stick[j, place] = x, g, sticks
        traction[0, j, place], traction[1, j, place] = px, py
        sums[0, j] += weight * px
        sums[1, j] += weight * py
        sums[2, j] += weight * x * py
        if sticks:
            sums[3, j] += weight
