"""Loops over the rows of a contact on the material: where the stick zone begins, and tractions bend.

Near that tip the friction bound exceeds the traction by a root of the distance from it, as a pressure rises
from an edge. Lengths are in cells.
"""

import math

import numpy as np

from traction.compiled import kernel
from traction.contact.elements.kernels.covered_shapes import FLAT, LEFT, RIGHT

REACH = 2.0  #: distance from an edge or tip over which tractions bend less and less
MOST_BENT = 1.0  #: largest bend at a tip: that of a traction of half the bound
ON_BOUND = 1e-5  #: distance from the bound, of the largest one, below which an element slips
SHORTEST = 1.0  #: stick zone, an element, in which tractions do not bend at the tip
LONG = SHORTEST + REACH  #: that in which they bend fully, as it contains the reach of the tip too
SETTLING = 0.1  #: distance over which a tip follows what its element shows
NEARBY = 2.0  #: distance from an old tip within which one is the same
AT_REST = -1.0  #: drift of a tip that stays in the material
PERIOD = 1.0  #: distance over which its drift is averaged: that in which errors of the place repeat


@kernel
def rise(t):
    """Rise from 0 to 1, smoothly."""
    t = min(1.0, max(0.0, t))
    return t * t * (3.0 - 2.0 * t)


@kernel
def taper(distance):
    """Fall from 1 at an edge to 0 at `REACH`, smoothly."""
    return 1.0 - rise(distance / REACH)


@kernel
def root_up_to(distance):
    """Integral of the root of the distance from a tip."""
    return max(0.0, distance) ** 1.5 / 1.5


@kernel
def _bend_at_tip(low, high, bound, tip, direction):
    """Bend of an element from low to high by a tip (place, strength, weight), and the weight that is left."""
    place, strength, fade = tip
    near, far = (low - place, high - place) if direction > 0 else (place - high, place - low)
    if not far > 0.0:
        return 0.0, 0.0
    share = 1.0 - strength * (root_up_to(far) - root_up_to(near)) / bound
    weight = fade * taper(near)
    if weight == 0.0 or share >= 1.0:
        return 0.0, 0.0
    return weight * min(MOST_BENT, (1.0 - share) / max(share, 1e-9)), weight


@kernel
def _slope(near):
    """Slope over a cell, relative to its mean and with the same centre, of the root from `near` on."""
    total = root_up_to(near + 1.0) - root_up_to(near)
    first = ((near + 1.0) ** 2.5 - near**2.5) / 2.5
    return 12.0 * (first / total - near - 0.5)


@kernel
def bend_shapes(first, parts, ends, tips, direction, shapes):
    """Shapes of elements that bend at the edges of their run and at its tip.

    first: first element of each run, and their number. parts: (low, high, bound) of each element. ends:
    (left, right) of each run. tips: (place, strength, drift) of each run, NaN where there is none. shapes:
    (shape, edge, bend, point at which slip is evaluated) of each element, which are written. Whole cells next
    to the trailing edge slip: only their slope counts, which acts far away.
    """
    low, high, bound = parts
    left, right = ends
    place, strength, drift = tips
    shape, edge, bend, point = shapes
    for run in range(left.size):
        begin, end, fade = first[run], first[run + 1], 0.0
        if place[run] == place[run]:  # not NaN
            sticks = right[run] - place[run] if direction > 0 else place[run] - left[run]
            fade = rise((sticks - SHORTEST) / (LONG - SHORTEST)) * rise(drift[run] - AT_REST)
        for e in range(begin, end):
            shape[e], edge[e], bend[e], point[e] = FLAT, low[e], 0.0, 0.5 * (low[e] + high[e])
            # whole cells, as a shift leaves them, may extend beyond the edges
            ahead, back = max(0.0, right[run] - high[e]), max(0.0, low[e] - left[run])
            if direction < 0:
                ahead, back = back, ahead
            # zero with its slope where both edges are as near, in short rows
            near = taper(ahead) - taper(back)
            at_tip, most = 0.0, 0.0
            if fade > 0.0:
                tip = place[run], strength[run], fade
                at_tip, most = _bend_at_tip(low[e], high[e], bound[e], tip, direction)
            if e == end - 1:
                shape[e], edge[e], bend[e] = LEFT, right[run], -1.0
            elif e == begin:
                shape[e], edge[e], bend[e] = RIGHT, left[run], -1.0
            elif near > most:
                shape[e], edge[e], bend[e] = LEFT, right[run], -near * near
                if direction < 0:
                    shape[e], edge[e] = RIGHT, left[run]
            elif -near >= most:
                bend[e] = direction * near * near * _slope(back)
            else:
                shape[e], edge[e], bend[e] = RIGHT if direction > 0 else LEFT, place[run], at_tip
                if low[e] < place[run] < high[e]:
                    point[e] += 0.5 * fade * (place[run] - (low[e] if direction > 0 else high[e]))


@kernel
def _without_front(e, parts, lead):
    """Deficit of an element, times its length, without the root at the leading edge."""
    low, high, deficit = parts
    near, far = lead - high[e], lead - low[e]
    return deficit[e] * (far - near) / (root_up_to(far) - root_up_to(near))


@kernel
def _follow(seen, old, left, distance):
    """Tip and drift before a step, from the `old` ones and where elements that these bent show the tip.

    left: length of its element ahead of the old tip. Of an error, an element shows 1 + (1 - left) / (2 left).
    """
    rate = distance / (SETTLING + distance * 0.5 * (1.0 + 1.0 / max(left, 1e-9)))
    change = rate * (seen - old[0])
    return old[0] + change, old[1] + change / (distance + PERIOD)


@kernel
def find_tip(parts, lead, least, old, distance):
    """Tip of a run whose elements are counted from the trailing edge: place, strength and drift, or NaN.

    parts: (low, high, deficit) of each element, where the deficit is what its traction lacks to the bound.
    old: (place, drift) of the tip that the elements were bent by, or NaN. The sum of deficits grows with the
    power 3/2 of the distance from the tip: two of them determine it.
    """
    low, high, deficit = parts
    n, i = low.size, 0
    none = np.nan, np.nan, 0.0
    while i < n and deficit[i] <= least:
        i += 1
    if i < 1 or i + 2 >= n or deficit[i + 1] <= least:
        return none
    one = _without_front(i, parts, lead)
    two = one + _without_front(i + 1, parts, lead)
    share = (one / two) ** (2.0 / 3.0)
    tip, drift = high[i] - share / (1.0 - share), AT_REST
    if abs(tip - old[0]) < NEARBY:
        ahead = high[i] - old[0]
        tip, drift = _follow(tip, old, ahead - math.floor(ahead), distance)
    if not low[i] - 1.0 <= tip < lead - SHORTEST:
        return none
    strength = two / root_up_to(high[i + 1] - tip)
    return tip + drift * distance, strength * math.sqrt(lead - tip), drift


@kernel
def track_tips(first, parts, leads, old, distance, result):
    """Tips of all runs for the next step, (place, strength, drift) x runs.

    Places and elements are counted along the direction of rolling.
    first: first element of each run, and their number. parts: (low, high, bound, size of the traction)
    of each element. leads: leading edge of each run. old: (place, drift) x runs.
    """
    low, high, bound, size = parts
    for run in range(leads.size):
        part = slice(first[run], first[run + 1])
        seen = low[part], high[part], bound[part] - size[part]
        least = ON_BOUND * bound[part].max()
        found = find_tip(seen, leads[run], least, (old[0, run], old[1, run]), distance)
        result[0, run], result[1, run], result[2, run] = found
