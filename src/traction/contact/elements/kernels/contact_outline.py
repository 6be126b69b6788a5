"""The edge of a contact between its elements: the square of the pressure, continued outwards to zero.

Near the edge of a smooth contact the pressure is a square root of the distance, so its square is smooth and
passes through zero there. The outermost elements see the edge and are off; what is continued are those two
layers further inside.

Units: lengths in elements; the square of the pressure in Pa^2.
"""

import math

import numpy as np

from traction.compiled import kernel

LAYERS = 5  #: of elements by which the square of the pressure is continued
UNKNOWN, DEEP = 0, 1  #: elements two layers inside are deep; the others get the number of their layer + 1
STEPS = np.array([[0, 1], [0, -1], [1, 0], [-1, 0], [1, 1], [1, -1], [-1, 1], [-1, -1]])


@kernel
def deep_elements(contact, depth):
    """Elements whose neighbours, up to `depth` away in both directions, all touch; in a row, along x."""
    ny, nx = contact.shape
    deep = np.zeros((ny, nx), np.int8)
    rows = depth if ny > 1 else 0
    for j in range(rows, ny - rows):
        for i in range(depth, nx - depth):
            inside = True
            for m in range(j - rows, j + rows + 1):
                for k in range(i - depth, i + depth + 1):
                    inside = inside and contact[m, k]
            if inside:
                deep[j, i] = DEEP
    return deep


@kernel
def continued(squared, layer):
    """Continue `squared` from deep elements layer by layer, by parabolas along rows, columns and diagonals.

    Fills `layer` with the number of each element's layer; what cannot be reached stays UNKNOWN.
    """
    ny, nx = squared.shape
    field = np.zeros((ny, nx))
    for j in range(ny):
        for i in range(nx):
            if layer[j, i] == DEEP:
                field[j, i] = squared[j, i]
    for number in range(DEEP + 1, DEEP + 1 + LAYERS):
        for j in range(ny):
            for i in range(nx):
                if layer[j, i] != UNKNOWN:
                    continue
                total, weight = 0.0, 0.0
                for n in range(8):
                    dj, di = STEPS[n, 0], STEPS[n, 1]
                    m, k = j + 3 * dj, i + 3 * di
                    if m < 0 or m >= ny or k < 0 or k >= nx:
                        continue
                    known = True
                    for step in range(1, 4):
                        at = layer[j + step * dj, i + step * di]
                        known = known and at != UNKNOWN and at < number
                    if known:
                        w = 1.0 if n < 4 else 0.5
                        one, two = field[j + dj, i + di], field[j + 2 * dj, i + 2 * di]
                        total += w * (3.0 * one - 3.0 * two + field[m, k])
                        weight += w
                if weight > 0.0:
                    field[j, i] = total / weight
                    layer[j, i] = number
    return field


@kernel
def row_between(field, layer, j, part, row):
    """The field along x at the height j + part, |part| <= 1/2, by parabolas; NaN where it is not known."""
    ny, nx = field.shape
    for i in range(nx):
        row[i] = math.nan
        if layer[j, i] == UNKNOWN:
            continue
        if ny == 1:
            row[i] = field[j, i]
        elif 0 < j < ny - 1 and layer[j - 1, i] != UNKNOWN and layer[j + 1, i] != UNKNOWN:
            below, here, above = field[j - 1, i], field[j, i], field[j + 1, i]
            row[i] = here + 0.5 * part * (above - below) + 0.5 * part * part * (above - 2.0 * here + below)


@kernel
def crossing(row, i, side):
    """Distance from element i, where the row is positive, to its zero towards `side`, by a parabola."""
    n = row.size
    here, beyond = row[i], row[i + side]
    back = row[i - side] if 0 <= i - side < n else math.nan
    if math.isnan(back):
        return here / (here - beyond)
    slope, bend = 0.5 * (beyond - back), 0.5 * (back - 2.0 * here + beyond)
    root = slope * slope - 4.0 * bend * here
    if root < 0.0:
        return here / (here - beyond)
    # the stable form of the root that is nearest beyond the element
    return min(max(-2.0 * here / (slope - math.sqrt(root)), 0.0), 1.0)


@kernel
def first_run(row, start):
    """Left and right edge (in elements) of the first run of positive values from `start` on, and its end.

    A run whose edge is not known ends where the known values do. Returns an end of -1 where there is none.
    """
    n = row.size
    i = start
    while i < n and not row[i] > 0.0:
        i += 1
    if i == n:
        return 0.0, 0.0, -1
    left = i - crossing(row, i, -1) if i > 0 and not math.isnan(row[i - 1]) else i - 0.5
    while i + 1 < n and row[i + 1] > 0.0:
        i += 1
    right = i + crossing(row, i, 1) if i + 1 < n and not math.isnan(row[i + 1]) else i + 0.5
    return left, right, i + 1


@kernel
def squared_chord(field, layer, j, parts, row, result):
    """Middle, and mean squares of the reaches to the left and right of it, of the one run that crosses row j.

    A height at which nothing touches counts as a reach of zero. Returns False where some height has several
    runs, or none has any.
    """
    n = parts.size
    lefts, rights = np.zeros(n), np.zeros(n)
    found = 0
    for k in range(n):
        row_between(field, layer, j, parts[k], row)
        lefts[k], rights[k], end = first_run(row, 0)
        if end < 0:
            lefts[k] = math.nan
            continue
        found += 1
        if first_run(row, end)[2] >= 0:
            return False
    if found == 0:
        return False
    result[0], result[1], result[2] = 0.0, 0.0, 0.0
    for k in range(n):
        if not math.isnan(lefts[k]):
            result[0] += 0.5 * (lefts[k] + rights[k]) / found
    for k in range(n):
        if not math.isnan(lefts[k]):
            result[1] += max(0.0, result[0] - lefts[k]) ** 2 / n
            result[2] += max(0.0, rights[k] - result[0]) ** 2 / n
    return True


@kernel
def run_edges(contact, field, layer, parts, left, right):
    """Edges (in elements along x) of the run of contact that each element belongs to.

    A row with one run has the chord of the same mean square over its height; what reaches over the contact's
    first or last row counts there. Other runs have the edges at the middle of their row, and where nothing
    better is known, those of their elements.
    """
    ny, nx = contact.shape
    row, chord, beyond = np.empty(nx), np.empty(3), np.empty(3)
    for j in range(ny):
        i = 0
        runs = 0
        for k in range(nx):
            if contact[j, k] and (k == 0 or not contact[j, k - 1]):
                runs += 1
        smooth = runs == 1 and squared_chord(field, layer, j, parts, row, chord)
        if smooth:
            for side in (-1, 1):
                m = j + side
                outside = 0 <= m < ny
                for k in range(nx if outside else 0):
                    outside = outside and not contact[m, k]
                if outside and squared_chord(field, layer, m, parts, row, beyond):
                    chord[1] += beyond[1]
                    chord[2] += beyond[2]
        row_between(field, layer, j, 0.0, row)
        while i < nx:
            if not contact[j, i]:
                i += 1
                continue
            end = i
            while end + 1 < nx and contact[j, end + 1]:
                end += 1
            if smooth:
                a, b = chord[0] - math.sqrt(chord[1]), chord[0] + math.sqrt(chord[2])
            else:
                a = i - crossing(row, i, -1) if i > 0 and row[i] > 0.0 and row[i - 1] <= 0.0 else i - 0.5
                b = (
                    end + crossing(row, end, 1)
                    if end + 1 < nx and row[end] > 0.0 and row[end + 1] <= 0.0
                    else end + 0.5
                )
            # an element touches if its middle does, or nearly so
            a, b = min(max(a, i - 1.25), i + 0.25), min(max(b, end - 0.25), end + 1.25)
            for k in range(i, end + 1):
                left[j, k], right[j, k] = a, b
            i = end + 1
