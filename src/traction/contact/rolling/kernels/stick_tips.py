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
SETTLING = 0.1  #: distance over which a tip follows the deficit of a whole cell
DRIFT = 0.5  #: distance over which the drift of a tip follows
NEAREST = 0.05  #: distance of an element from the leading edge, which may lie behind its centre
MOST = 0.5  #: correction of a tip in a step
FASTEST = 2.0  #: drift of a tip, cells per cell rolled
SHORTEST, LONG = 1.6, 3.0  #: stick zones in which tractions do not bend at the tip, and bend fully


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
    (left, right) of each run. tips: (place, strength) of each run, NaN where there is none. shapes: (shape,
    edge, bend, point at which slip is evaluated) of each element, which are written. Whole cells next to the
    trailing edge slip: only their slope counts, which acts far away.
    """
    low, high, bound = parts
    left, right = ends
    place, strength = tips
    shape, edge, bend, point = shapes
    for run in range(left.size):
        begin, end, fade = first[run], first[run + 1], 0.0
        if place[run] == place[run]:  # not NaN
            sticks = right[run] - place[run] if direction > 0 else place[run] - left[run]
            fade = rise((sticks - SHORTEST) / (LONG - SHORTEST))
        for e in range(begin, end):
            shape[e], edge[e], bend[e], point[e] = FLAT, low[e], 0.0, 0.5 * (low[e] + high[e])
            ahead, back = right[run] - high[e], low[e] - left[run]
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
def _seen(e, parts, lead, tip):
    """How far the ends of an element are ahead of a tip, and its deficit over the root at the front."""
    low, high, point, deficit = parts
    root = math.sqrt(max(lead - point[e], NEAREST))
    return low[e] - tip, high[e] - tip, deficit[e] / root / (high[e] - low[e])


@kernel
def _strength(e, parts, lead, tip):
    """Strength of the root at a tip by the deficit of one element, over the front's root."""
    near, far, deficit = _seen(e, parts, lead, tip)
    return deficit * (far - near) / (root_up_to(far) - root_up_to(near))


@kernel
def _first_tip(e, parts, lead):
    """Tip inside an element by its deficit and that of the next: their ratio determines the distance."""
    low, high, _, _ = parts
    end = high[e]
    own, after = _seen(e, parts, lead, end)[2], _seen(e + 1, parts, lead, end)[2]
    wanted = own * (high[e] - low[e]) / after
    inside, outside = 0.0, high[e] - low[e]
    for _ in range(40):
        y = 0.5 * (inside + outside)
        if root_up_to(y) < wanted * (root_up_to(y + high[e + 1] - end) - root_up_to(y)):
            inside = y
        else:
            outside = y
    return end - outside


@kernel
def _follow_tip(j, parts, lead, old, distance):
    """Tip after a step that began with an `old` one (place, drift) in element j.

    What its element lacks to the bound is to be that of the root: where it lacks more, the tip is further
    back. The elements ahead determine the root's strength, each by as much as keeps it continuous as the tip
    passes from one cell into the next.
    """
    tip, drift = old
    _, far, own = _seen(j, parts, lead, tip)
    width = parts[1][j] - parts[0][j]
    left = min(1.0, max(0.0, far))
    strength = _strength(j + 1, parts, lead, tip)
    if j + 3 < parts[0].size and parts[3][j + 2] > 0.0:
        strength = left * strength + (1.0 - left) * _strength(j + 2, parts, lead, tip)
    excess = own / strength - (root_up_to(far) - root_up_to(far - width)) / width
    step = -excess * distance / (distance + SETTLING * left**3)
    step = min(MOST, max(-MOST, step))
    drift = min(FASTEST, max(-FASTEST, drift + step / (distance + DRIFT)))
    return tip + step, strength, drift


@kernel
def find_tip(parts, lead, least, old, distance):
    """Tip of a run whose elements are counted from the trailing edge: place, strength and drift, or NaN.

    parts: (low, high, point, deficit) of each element, where the deficit is what its traction lacks to the
    bound. old: (place, drift) of the tip that the elements were bent by, or NaN.
    """
    low, high, _, deficit = parts
    n, i = low.size, 0
    none = np.nan, np.nan, 0.0
    while i < n and deficit[i] <= least:
        i += 1
    if i < 1 or i + 1 >= n or deficit[i + 1] <= least:
        return none
    tip, drift = old
    j = -1
    for k in range(i - 1, i + 1):
        if low[k] <= tip < high[k]:
            j = k
    if j < 0:
        tip, drift = _first_tip(i, parts, lead), 0.0
        strength = _strength(i + 1, parts, lead, tip)
    else:
        tip, strength, drift = _follow_tip(j, parts, lead, old, distance)
    tip += drift * distance
    if not (low[0] < tip < lead - SHORTEST):
        return none
    return tip, strength * math.sqrt(lead - tip), drift


@kernel
def track_tips(first, parts, leads, old, distance, result):
    """Tips of all runs for the next step, (place, strength, drift) x runs.

    Places and elements are counted along the direction of rolling.
    first: first element of each run, and their number. parts: (low, high, point, bound, size of the traction)
    of each element. leads: leading edge of each run. old: (place, drift) x runs.
    """
    low, high, point, bound, size = parts
    for run in range(leads.size):
        part = slice(first[run], first[run + 1])
        seen = low[part], high[part], point[part], bound[part] - size[part]
        least = ON_BOUND * bound[part].max()
        found = find_tip(seen, leads[run], least, (old[0, run], old[1, run]), distance)
        result[0, run], result[1, run], result[2, run] = found
