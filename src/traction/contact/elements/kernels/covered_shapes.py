"""Shapes of the tractions on partly covered cells, and what they are far away.

Lengths are in elements along x: cell i reaches from i - 1/2 to i + 1/2. An element is a number of strips with
weights (a shape whose mean over the covered part is 1). Far away it acts like three whole cells with the
same total, centre and spread; points between cell centres are interpolated from four of them. Near by, the
exact influence takes their place.
"""

import math

import numpy as np

from traction.compiled import kernel

STRIPS = 4  #: of an element at an edge
BENT_STRIPS = 6  #: of one whose traction bends at an edge
MOST_STRIPS = BENT_STRIPS + 1  #: with the part on the other side of that edge
NODES = 4  #: cell centres from which a point between them is interpolated
#: shapes of the traction in an element: 1, sqrt(s), 1/sqrt(s); ROOT + c has the share c of the last
FLAT, ROOT, INVERSE_ROOT = 0.0, 1.0, 2.0
RIGHT, LEFT = 3.0, 4.0  #: shapes that bend at an edge, of the root of the distance right or left of it


@kernel
def bent(low, high, edge, right, bend, strips):
    """Strips of 1 + bend (1 - r), with r the root of the distance from `edge`, of mean 1 over the element.

    The root is that to the right of the edge, or to the left, and 0 on its other side.
    """
    side = 1.0 if right else -1.0
    near, far = (low - edge, high - edge) if right else (edge - high, edge - low)
    start, count = max(0.0, near), 0
    mean = (far**1.5 - start**1.5) / (1.5 * (high - low))
    if near < 0.0:
        strips[0, 0], strips[0, 1], strips[0, 2] = edge + 0.5 * side * near, -near, 1.0 + bend
        count = 1
    before, held = start, start**1.5
    for k in range(BENT_STRIPS):
        part = (k + 1.0) / BENT_STRIPS
        after = start + (far - start) * part * part
        force = after**1.5
        root = (force - held) / (1.5 * (after - before))
        strips[count, 0] = edge + 0.5 * side * (before + after)
        strips[count, 1] = after - before
        strips[count, 2] = 1.0 + bend * (1.0 - root / mean)
        before, held, count = after, force, count + 1
    return count


@kernel
def shaped(low, high, edge, shape, bend, strips):
    """Strips (centre, width, weight) of an element from low to high whose shape starts at `edge`."""
    if shape == FLAT or (shape >= RIGHT and bend == 0.0):
        strips[0, 0], strips[0, 1], strips[0, 2] = 0.5 * (low + high), high - low, 1.0
        return 1
    if shape >= RIGHT:
        return bent(low, high, edge, shape == RIGHT, bend, strips)
    inverse = shape - ROOT
    near, far = min(abs(low - edge), abs(high - edge)), max(abs(low - edge), abs(high - edge))
    side = 1.0 if 0.5 * (low + high) > edge else -1.0
    before, held = near, grown_force(near, inverse, near, far)
    for k in range(STRIPS):
        part = (k + 1.0) / STRIPS
        # strips are narrow where the shape is steep
        after = near + (far - near) * part * part
        force = grown_force(after, inverse, near, far)
        strips[k, 0] = edge + side * 0.5 * (before + after)
        strips[k, 1] = after - before
        strips[k, 2] = (force - held) * (far - near) / (after - before)
        before, held = after, force
    return STRIPS


@kernel
def grown_force(s, inverse, near, far):
    """Share of an element's force from its edge up to the distance s, for a share of the inverse root."""
    root, far_root, near_root = math.sqrt(s), math.sqrt(far), math.sqrt(near)
    falling = root / (far_root - near_root)
    rising = s * root / (far * far_root - near * near_root)
    return inverse * falling + (1.0 - inverse) * rising


@kernel
def far_weights(strips, count, i):
    """Weights of cells i - 1, i, i + 1 that have the total, centre and spread of the strips."""
    total, first, second = 0.0, 0.0, 0.0
    for k in range(count):
        x, width = strips[k, 0] - i, strips[k, 1]
        force = strips[k, 2] * width
        total += force
        first += force * x
        second += force * (x * x + width * width / 12.0)
    spread = second - total / 12.0
    return 0.5 * (spread - first), total - spread, 0.5 * (spread + first)


@kernel
def interpolation(x, weights):
    """First of four cells around x, and their Lagrange weights; a centre has the weight of its cell alone."""
    nearest = math.floor(x + 0.5)
    for k in range(NODES):
        weights[k] = 0.0
    if abs(x - nearest) < 1e-9:
        weights[1] = 1.0
        return nearest - 1
    first = math.floor(x) - 1
    for k in range(NODES):
        weight = 1.0
        for n in range(NODES):
            if n != k:
                weight *= (x - first - n) / (k - n)
        weights[k] = weight
    return first


@kernel
def fill_far_weights(low, high, edge, shape, bend, column, weights):
    """`far_weights` of all elements; a uniform one with a bend has that slope over its cell."""
    strips = np.empty((MOST_STRIPS, 3))
    for e in range(low.size):
        n = shaped(low[e], high[e], edge[e], shape[e], bend[e], strips)
        weights[e, 0], weights[e, 1], weights[e, 2] = far_weights(strips, n, column[e])
        if shape[e] == FLAT:
            weights[e, 0] -= bend[e] / 24.0
            weights[e, 2] += bend[e] / 24.0


@kernel
def fill_interpolations(x, first, weights):
    """`interpolation` of all points."""
    for k in range(x.size):
        first[k] = interpolation(x[k], weights[k])
