"""Loops over the rows of a contact on the material: loads between places, and the elements under it.

Units: places in cells along x; bounds and slopes of loads in Pa, loads in Pa times cells, displacements in m.
"""

import math

import numpy as np

from traction.compiled import kernel

ALIGNED = 1e-9  #: of a cell, by which the contact may lie off the material grid and still be on it
LEAST_PART = 1e-6  #: of a step, that a particle is inside


@kernel
def hertz_share(left, right, x):
    """Share up to x of the load of a Hertz pressure between two edges."""
    s = min(1.0, max(-1.0, 2.0 * (x - left) / (right - left) - 1.0))
    return 0.5 + (s * math.sqrt(1.0 - s * s) + math.asin(s)) / math.pi


@kernel
def slopes(share, load):
    """Slopes at the nodes of a growing load, so that cubics between them grow too (Fritsch, Butland 1984)."""
    n = share.size
    result = np.zeros(n)
    for k in range(1, n - 1):
        h0, h1 = share[k] - share[k - 1], share[k + 1] - share[k]
        d0, d1 = (load[k] - load[k - 1]) / h0, (load[k + 1] - load[k]) / h1
        if d0 > 0.0 and d1 > 0.0:
            w0, w1 = 2.0 * h1 + h0, h1 + 2.0 * h0
            result[k] = (w0 + w1) / (w0 / d0 + w1 / d1)
    if n > 1:  # of the cells at the edges
        result[0] = (load[1] - load[0]) / (share[1] - share[0])
        result[n - 1] = (load[n - 1] - load[n - 2]) / (share[n - 1] - share[n - 2])
    return result


@kernel
def grown(place, load, slope, x):
    """Load up to x: cubics in that of a Hertz pressure between the same edges, which has their roots."""
    n = place.size
    left, right = place[0], place[n - 1]
    if x <= left:
        return 0.0
    if x >= right:
        return load[n - 1]
    k = min(n - 2, np.searchsorted(place, x, side="right") - 1)
    start, end = hertz_share(left, right, place[k]), hertz_share(left, right, place[k + 1])
    h = end - start
    s = (hertz_share(left, right, x) - start) / h
    d = (load[k + 1] - load[k]) / h
    bend, turn = 3.0 * d - 2.0 * slope[k] - slope[k + 1], slope[k] + slope[k + 1] - 2.0 * d
    return load[k] + s * h * (slope[k] + s * (bend + s * turn))


@kernel
def runs_of(row, column):
    """First element of each run of neighbours in a row, and the number of elements at the end."""
    starts = np.empty(row.size + 1, np.int64)
    count = 0
    for e in range(row.size):
        if e == 0 or row[e] != row[e - 1] or column[e] != column[e - 1] + 1:
            starts[count] = e
            count += 1
    starts[count] = row.size
    return starts[: count + 1].copy()


@kernel
def run_nodes(starts, column, bound, left, right):
    """Nodes of the growing load of each run: first node of each, places, load up to them, slopes by share.

    Nodes are the edges of the run and the faces between its cells: what the outer cells hold reaches to the
    edges. The faces next to the edges are none: the pressure of a cell that is little covered is below that
    of an edge at that distance, and zero where its centre is not in contact.
    """
    runs = starts.size - 1
    first = np.zeros(runs + 1, np.int64)
    room = column.size + runs
    place, load, slope = np.empty(room), np.empty(room), np.empty(room)
    count = 0
    for run in range(runs):
        total, begin = 0.0, starts[run]
        low, high = left[begin], right[begin]
        first_face, last_face = begin + 1, starts[run + 1] - 2
        place[count], load[count] = low, 0.0
        count += 1
        for e in range(begin, starts[run + 1]):
            total += bound[e]
            face = column[e] + 0.5
            if first_face <= e < last_face and low + ALIGNED < face < high - ALIGNED:
                place[count], load[count] = face, total
                count += 1
        place[count], load[count] = high, total
        count += 1
        begin, first[run + 1] = first[run], count
        share = np.array([hertz_share(low, high, x) for x in place[begin:count]])
        slope[begin:count] = slopes(share, load[begin:count])
    return first, place[:count].copy(), load[:count].copy(), slope[:count].copy()


@kernel
def elements_under(loads, ends, origin, whole, least):
    """Elements of the material under a contact whose first cell lies at the place `origin`.

    loads: of `run_nodes`. ends: (left, right, row) of each run. Returns run, row and cell, and low, high and
    the load up to both ends, over all runs one after the other, of each element; with `whole`, they are the
    cells whose centres lie in the contact. least: (left, right), covered part of cells at both edges.
    """
    first, place, load, slope = loads
    left, right, row = ends
    runs = left.size
    begin, end = np.empty(runs, np.int64), np.empty(runs, np.int64)
    total = 0
    for run in range(runs):
        begin[run] = math.ceil(origin + left[run] - 0.5 + least[0] - ALIGNED)
        end[run] = math.floor(origin + right[run] + 0.5 - least[1] + ALIGNED)
        if end[run] < begin[run]:
            begin[run] = end[run] = round(origin + 0.5 * (left[run] + right[run]))
        total += end[run] - begin[run] + 1
    numbers, places = np.empty((3, total), np.int64), np.empty((4, total))
    e, before = 0, 0.0
    for run in range(runs):
        low_edge, high_edge = origin + left[run], origin + right[run]
        nodes = slice(first[run], first[run + 1])
        x, sums, s = place[nodes], load[nodes], slope[nodes]
        up_to = -1.0
        for cell in range(begin[run], end[run] + 1):
            low, high = cell - 0.5, cell + 0.5
            if not whole:
                low = low_edge if cell == begin[run] else low
                high = high_edge if cell == end[run] else high
            numbers[0, e], numbers[1, e], numbers[2, e] = run, row[run], cell
            places[0, e], places[1, e] = low, high
            # an element begins where the one before it ends
            places[2, e] = before + (grown(x, sums, s, low - origin) if up_to < 0.0 else up_to)
            up_to = grown(x, sums, s, high - origin)
            places[3, e] = before + up_to
            e += 1
        before += sums[sums.size - 1]
    return numbers, places


@kernel
def find_entries(points, runs, old, moved, part, seen):
    """Which particles entered during a step, the part of it they have been inside, and where they are seen.

    points: (run, middle) of the elements. runs: (row, left, right) of the contact, old: the same before it
    moved on by `moved`. Edges move evenly from their old to their new places. In a row that did not touch,
    contact begins at the middle of the new run; between two old runs that grow together, it ends halfway.
    Those that did not enter keep the `part` and the places `seen` that they have.
    """
    run, middle = points
    row, left, right = runs
    old_row, old_left, old_right = old
    entered = np.ones(run.size, dtype=np.bool_)
    for e in range(run.size):
        k, m = run[e], middle[e]
        low, high = left[k], right[k]
        below, above = -math.inf, math.inf  # nearest edges of the old runs that the new one continues
        for n in range(old_row.size):
            if old_row[n] != row[k]:
                continue
            if old_left[n] <= m <= old_right[n]:
                entered[e] = False
            elif old_right[n] + moved > low and old_left[n] + moved < high:
                if old_right[n] < m:
                    below = max(below, old_right[n])
                else:
                    above = min(above, old_left[n])
        if not entered[e]:
            continue
        begin, end = below, high
        if math.isinf(below) and math.isinf(above):
            begin = 0.5 * (low + high) - moved
            end = high if m >= begin else low
        elif math.isinf(below):
            begin, end = above, low
        elif not math.isinf(above):
            begin, end = below if m - below <= above - m else above, 0.5 * (below + above)
        inside = min(max((end - m) / (end - begin), LEAST_PART), 1.0)
        growth = abs(end - begin - moved)
        weight = growth / (growth + abs(moved))  # smooth where the contact is constant
        seen[0, e] = begin + weight * (m - (1.0 - inside) * moved - begin)
        seen[1, e] = end + weight * (m + inside * moved - end)
        part[e] = inside
    return entered


@kernel
def edge_motion(old, new):
    """Largest way of the edges of runs, (row, left, right): half the length of one that comes or goes."""
    largest = 0.0
    for there, here in ((old, new), (new, old)):
        row, left, right = here
        other, low, high = there
        for k in range(row.size):
            first, last = math.inf, -math.inf
            for n in range(other.size):
                if other[n] == row[k] and high[n] > left[k] and low[n] < right[k]:
                    first, last = min(first, low[n]), max(last, high[n])
            way = 0.5 * (right[k] - left[k])
            if last > first:
                way = max(abs(left[k] - first), abs(right[k] - last))
            largest = max(largest, way)
    return largest


@kernel
def in_contact_frame(old, new, result):
    """Numbers of old elements, (k, n), interpolated along each row of the contact at new places.

    old: (row, place, numbers), new: (row, place), by rows and along them, places in the frame of the contact.
    Rows without old elements get zero.
    """
    old_row, old_x, numbers = old
    row, x = new
    result[:] = 0.0
    n, at = old_row.size, 0
    for e in range(row.size):
        while at < n and (old_row[at] < row[e] or (old_row[at] == row[e] and old_x[at] < x[e])):
            at += 1
        before, after = at - 1, at
        if before < 0 or old_row[before] != row[e]:
            before = after
        if after >= n or old_row[after] != row[e]:
            after = before
        if after >= n or old_row[after] != row[e]:
            continue
        way = old_x[after] - old_x[before]
        share = (x[e] - old_x[before]) / way if way > 0.0 else 0.0
        for k in range(len(numbers)):
            result[k, e] = (1.0 - share) * numbers[k, before] + share * numbers[k, after]


@kernel
def shared_out(up_to, low, high, numbers, result):
    """Sums of numbers times overlap: of the intervals low..high, (k, n), on those between `up_to`, (k, m).

    Both kinds of intervals follow each other; those of the elements need not touch.
    """
    result[:] = 0.0
    at, cells = 0, up_to.size - 1
    for e in range(low.size):
        while at < cells and up_to[at + 1] <= low[e]:
            at += 1
        cell = at
        while cell < cells and up_to[cell] < high[e]:
            overlap = min(high[e], up_to[cell + 1]) - max(low[e], up_to[cell])
            if overlap > 0.0:
                for k in range(len(numbers)):
                    result[k, cell] += numbers[k, e] * overlap
            cell += 1


@kernel
def known_before(old, displacement, places, u):
    """Displacements of old elements at places that are their middles; returns where there is none.

    `old` are row, cell and middle, `places` row, cell and place, both sorted by row and cell.
    """
    rows, cells, middles = old
    unknown = np.ones(places[0].size, dtype=np.bool_)
    k = 0
    for i in range(places[0].size):
        row, cell = places[0][i], places[1][i]
        while k < rows.size and (rows[k] < row or (rows[k] == row and cells[k] < cell)):
            k += 1
        if k < rows.size and rows[k] == row and cells[k] == cell and middles[k] == places[2][i]:
            u[0, i], u[1, i] = displacement[0, k], displacement[1, k]
            unknown[i] = False
    return unknown
