"""Loops over the rows of a contact on the material: where the stick zone begins, and tractions bend.

Near that tip the friction bound exceeds the traction by a root of the distance from it, as a pressure rises
from an edge. Lengths are in cells.
"""

import math

import numpy as np

from traction.compiled import kernel
from traction.contact.elements.kernels.covered_shapes import FLAT, LEFT, RIGHT
from traction.contact.elements.kernels.near_field import REACH as NEAR

REACH = 2.0  #: distance from an edge or tip over which tractions bend less and less
ON_BOUND = 1e-5  #: distance from the bound, of the largest one, below which an element slips
DISTANT = REACH + 1.0 + NEAR  #: slip zone, the last of which is not near to elements that bend at its start
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
def _slope(near):
    """Slope over a cell, relative to its mean and with the same centre, of the root from `near` on."""
    total = root_up_to(near + 1.0) - root_up_to(near)
    first = ((near + 1.0) ** 2.5 - near**2.5) / 2.5
    return 12.0 * (first / total - near - 0.5)


@kernel
def bend_shapes(first, parts, ends, tips, grown, direction, shapes):
    """Shapes of elements that bend at the edges of their run and at its tip.

    first: first element of each run, and their number. parts: (low, high) of each element. ends:
    (left, right) of each run. tips: (place, drift) of each run, NaN where there is none. grown: from 0 to 1,
    how far tractions of whole cells have come to bend. shapes: (shape, edge, bend, point at which slip is
    evaluated, bend of the bound) of each element, which are written. The last is NaN except where the
    traction falls from the bound at a tip: then shape, edge and bend are those of what it falls by, and the
    bound bends at the trailing edge. Whole cells next to the trailing edge bend if they slip, near a tip,
    those next to the leading edge within a cell of it; else only their slope counts, which acts far away.
    """
    low, high = parts
    left, right = ends
    place, drift = tips
    shape, edge, bend, point, slipping = shapes
    for run in range(left.size):
        begin, end, fade, slips = first[run], first[run + 1], 0.0, 0.0
        if place[run] == place[run]:  # not NaN
            sticks = right[run] - place[run] if direction > 0 else place[run] - left[run]
            slips = right[run] - left[run] - sticks
            fade = grown * rise((sticks - SHORTEST) / (LONG - SHORTEST)) * rise(drift[run] - AT_REST)
        for e in range(begin, end):
            shape[e], edge[e], bend[e], point[e] = FLAT, low[e], 0.0, 0.5 * (low[e] + high[e])
            slipping[e] = np.nan
            # whole cells, as a shift leaves them, may extend beyond the edges
            ahead, back = max(0.0, right[run] - high[e]), max(0.0, low[e] - left[run])
            near, far = low[e] - place[run], high[e] - place[run]
            if direction < 0:
                ahead, back, near, far = back, ahead, -far, -near
            lead, trail = taper(ahead), taper(back)
            tip = fade * taper(near) if fade > 0.0 and far > 0.0 else 0.0
            if e == end - 1:
                shape[e], edge[e], bend[e] = LEFT, right[run], -1.0
            elif e == begin:
                shape[e], edge[e], bend[e] = RIGHT, left[run], -1.0
            elif tip > lead:
                shape[e], edge[e], bend[e] = RIGHT if direction > 0 else LEFT, place[run], lead - tip
                slipping[e] = -trail * trail
                point[e] += 0.5 * direction * (tip - lead) * max(0.0, -near)
            elif lead != trail:  # zero with its slope where both edges are as near, in short rows
                at_right = (lead > trail) == (direction > 0)
                shape[e], edge[e] = (LEFT, right[run]) if at_right else (RIGHT, left[run])
                bend[e] = -grown * (lead - trail) ** 2
                if trail > lead and not (far <= 0.0 and slips <= DISTANT):
                    shape[e], bend[e] = FLAT, -direction * bend[e] * _slope(back)
                elif lead > trail and ahead >= 1.0:
                    shape[e], bend[e] = FLAT, direction * bend[e] * _slope(ahead)


@kernel
def direct_bound(slipping, bound, traction, ceiling):
    """Friction bound along tractions, and its bend, where they fall from it; zero elsewhere; (3, n)."""
    for e in range(bound.size):
        size = math.hypot(traction[0, e], traction[1, e])
        ceiling[0, e], ceiling[1, e], ceiling[2, e] = 0.0, 0.0, 0.0
        if slipping[e] == slipping[e] and size > 0.0:  # not NaN
            share = bound[e] / size
            ceiling[0, e], ceiling[1, e] = share * traction[0, e], share * traction[1, e]
            ceiling[2, e] = slipping[e]


@kernel
def _without_front(e, parts, lead):
    """Deficit of an element, times its length, without the root at the leading edge."""
    low, high, deficit = parts
    near, far = lead - high[e], lead - low[e]
    return deficit[e] * (far - near) / (root_up_to(far) - root_up_to(near))


@kernel
def find_tip(parts, lead, least, old, grown, distance):
    """Tip of a run whose elements are counted from the trailing edge: place and drift, or NaN.

    parts: (low, high, deficit) of each element, where the deficit is its bound minus its traction.
    old: (place, drift) of the tip that the elements were bent by, or NaN; grown: from 0 to 1, how far. The
    sum of deficits grows with the power 3/2 of the distance from the tip: two of them determine it. Where
    tractions fall steeply, as at the front that a shift leaves, it would be behind an element that slips as
    a whole; but one that bends sticks ahead of its tip.
    """
    low, high, deficit = parts
    n, i = low.size, 0
    while i < n and deficit[i] <= least:
        i += 1
    if i < 1 or i + 2 >= n or deficit[i + 1] <= least:
        return np.nan, 0.0
    one = _without_front(i, parts, lead)
    two = one + _without_front(i + 1, parts, lead)
    share = (one / two) ** (2.0 / 3.0)
    tip, drift = max(high[i] - share / (1.0 - share), low[i] - (1.0 - grown)), AT_REST
    if abs(tip - old[0]) < NEARBY:
        change = distance / (SETTLING + distance) * (tip - old[0])
        tip, drift = old[0] + change, old[1] + change / (PERIOD + distance)
    if not low[i] - 1.0 <= tip < lead - SHORTEST:
        return np.nan, 0.0
    return tip + drift * distance, drift


@kernel
def track_tips(first, parts, leads, old, grown, distance, result):
    """Tips of all runs for the next step, (place, drift) x runs.

    Places and elements are counted along the direction of rolling.
    first: first element of each run, and their number. parts: (low, high, bound, size of the traction)
    of each element. leads: leading edge of each run. old: (place, drift) x runs, and how far grown.
    """
    low, high, bound, size = parts
    for run in range(leads.size):
        part = slice(first[run], first[run + 1])
        seen = low[part], high[part], bound[part] - size[part]
        least = ON_BOUND * bound[part].max()
        result[0, run], result[1, run] = find_tip(
            seen, leads[run], least, (old[0, run], old[1, run]), grown, distance
        )
