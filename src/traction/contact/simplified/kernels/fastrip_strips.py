"""Tractions of FaStrip along its strips, in compiled code.

Units: lengths in m, tractions in Pa, their growth in Pa/m and Pa/m2; sums along a strip in N/m, N (x p_y) and
m.
"""

import math

from traction.compiled import kernel
from traction.contact.simplified.kernels.fastsim_strips import returned

STEEPEST = 2.0  #: ratio of steps up to which their differentiation is of order two


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
            new, old, way = (
                (1.0 + r) ** 2 / (1.0 + 2.0 * r),
                r * r / (1.0 + 2.0 * r),
                (1.0 + r) / (1.0 + 2.0 * r),
            )
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
