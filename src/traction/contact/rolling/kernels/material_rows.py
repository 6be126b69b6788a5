"""Loops over the rows of a contact on the material: loads between places, and the elements under it.

Units: places in cells along x; bounds and slopes of loads in Pa, loads in Pa times cells, displacements in m.
"""

import math

import numpy as np

from traction.compiled import kernel

ALIGNED = 1e-9  #: of a cell, by which the contact may lie off the material grid and still be on it
ON_BOUND = 1e-6  #: share of the bound by which a traction that is guessed is below it and sticks
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
def grown(place, share, load, slope, x):
    """Load up to x: cubics in that of a Hertz pressure between the same edges, which has their roots.

    share: `hertz_share` of the places of the nodes.
    """
    n = place.size
    left, right = place[0], place[n - 1]
    if x <= left:
        return 0.0
    if x >= right:
        return load[n - 1]
    k = min(n - 2, np.searchsorted(place, x, side="right") - 1)
    start, h = share[k], share[k + 1] - share[k]
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
    """Nodes of the growing load of each run: first of each, places, Hertz shares, load up to them, slopes.

    Nodes are the edges of the run and the faces between its cells: what the outer cells hold reaches to the
    edges. The faces next to the edges are none: the pressure of a cell that is little covered is below that
    of an edge at that distance, and zero where its centre is not in contact.
    """
    runs = starts.size - 1
    first = np.zeros(runs + 1, np.int64)
    room = column.size + runs
    place, share, load, slope = np.empty(room), np.empty(room), np.empty(room), np.empty(room)
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
        for k in range(begin, count):
            share[k] = hertz_share(low, high, place[k])
        slope[begin:count] = slopes(share[begin:count], load[begin:count])
    return first, place[:count].copy(), share[:count].copy(), load[:count].copy(), slope[:count].copy()


@kernel
def cells_under(ends, origin, least, cells):
    """First and last cell of each run under a contact, (2, runs), and the number of all.

    ends: (left, right, row) of each run of a contact whose first cell lies at the place `origin`.
    least: (left, right), covered part of cells at both edges.
    """
    left, right, _ = ends
    begin, end, total = cells[0], cells[1], 0
    for run in range(left.size):
        begin[run] = math.ceil(origin + left[run] - 0.5 + least[0] - ALIGNED)
        end[run] = math.floor(origin + right[run] + 0.5 - least[1] + ALIGNED)
        if end[run] < begin[run]:
            begin[run] = end[run] = round(origin + 0.5 * (left[run] + right[run]))
        total += end[run] - begin[run] + 1
    return total


@kernel
def elements_under(loads, ends, origin, whole, cells, numbers, places):
    """Elements of the material on `cells` under a contact; places are those of `cells_under`.

    loads: of `run_nodes`. Fills run, row and cell, (3, n), and low, high and the load up to both ends, over
    all runs one after the other, (4, n); with `whole`, they are the cells whose centres lie in the contact.
    """
    first, place, share, load, slope = loads
    left, right, row = ends
    runs, begin, end = left.size, cells[0], cells[1]
    e, before = 0, 0.0
    for run in range(runs):
        low_edge, high_edge = origin + left[run], origin + right[run]
        nodes = slice(first[run], first[run + 1])
        x, h, sums, s = place[nodes], share[nodes], load[nodes], slope[nodes]
        up_to = -1.0
        for cell in range(begin[run], end[run] + 1):
            low, high = cell - 0.5, cell + 0.5
            if not whole:
                low = low_edge if cell == begin[run] else low
                high = high_edge if cell == end[run] else high
            numbers[0, e], numbers[1, e], numbers[2, e] = run, row[run], cell
            places[0, e], places[1, e] = low, high
            # an element begins where the one before it ends
            places[2, e] = before + (grown(x, h, sums, s, low - origin) if up_to < 0.0 else up_to)
            up_to = grown(x, h, sums, s, high - origin)
            places[3, e] = before + up_to
            e += 1
        before += sums[sums.size - 1]


@kernel
def find_entries(points, runs, old, moved, entered, part, seen):
    """Which particles entered during a step, the part of it they have been inside, and where they are seen.

    points: (run, middle) of the elements. runs: (row, left, right) of the contact, old: the same before it
    moved on by `moved`. Edges move evenly from their old to their new places. In a row that did not touch,
    contact begins at the middle of the new run; between two old runs that grow together, it ends halfway.
    Those that did not enter keep the `part` and the places `seen` that they have.
    """
    run, middle = points
    row, left, right = runs
    old_row, old_left, old_right = old
    for e in range(run.size):
        entered[e] = True
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
def known_before(old, displacement, places, u, unknown):
    """Displacements of old elements at places that are their middles, and where there is none.

    `old` are row, cell and middle, `places` row, cell and place, both sorted by row and cell.
    """
    rows, cells, middles = old
    k = 0
    for i in range(places[0].size):
        unknown[i] = True
        row, cell = places[0][i], places[1][i]
        while k < rows.size and (rows[k] < row or (rows[k] == row and cells[k] < cell)):
            k += 1
        if k < rows.size and rows[k] == row and cells[k] == cell and middles[k] == places[2][i]:
            u[0, i], u[1, i] = displacement[0, k], displacement[1, k]
            unknown[i] = False


@kernel
def whole_in_both(old, new, number):
    """Number of the old element on the cell of each new one where both are whole cells, else -1.

    old, new: row, cell, low and high, sorted by row and cell.
    """
    rows, cells, lows, highs = old
    row, cell, low, high = new
    k = 0
    for i in range(row.size):
        while k < rows.size and (rows[k] < row[i] or (rows[k] == row[i] and cells[k] < cell[i])):
            k += 1
        number[i] = -1
        found = k < rows.size and rows[k] == row[i] and cells[k] == cell[i]
        if found and min(highs[k] - lows[k], high[i] - low[i]) > 1.0 - ALIGNED:
            number[i] = k


@kernel
def trend_of(number, starts, before, after, distance, result):
    """Changes of tractions on elements that stayed whole, per cell rolled; others have that of the next one.

    number: of `whole_in_both`. starts: first element of each run, and their number. Runs without any have 0.
    """
    for run in range(starts.size - 1):
        begin, end = starts[run], starts[run + 1]
        first, last = end, -1
        for e in range(begin, end):
            result[0, e], result[1, e] = 0.0, 0.0
            if number[e] >= 0:
                first, last = min(first, e), e
                for c in range(2):
                    result[c, e] = (after[c, e] - before[c, number[e]]) / distance
            elif last >= 0:
                result[0, e], result[1, e] = result[0, last], result[1, last]
        for e in range(begin, first if last >= 0 else begin):
            result[0, e], result[1, e] = result[0, first], result[1, first]


@kernel
def continue_trend(number, before, trend, distance, bound, guess):
    """Tractions of particles after another distance by their trend, where the guess sticks; within bounds."""
    for e in range(bound.size):
        if number[e] < 0 or math.hypot(guess[0, e], guess[1, e]) > (1.0 - ON_BOUND) * bound[e]:
            continue
        x = before[0, number[e]] + distance * trend[0, e]
        y = before[1, number[e]] + distance * trend[1, e]
        share = min(1.0, bound[e] / max(math.hypot(x, y), 1e-300))
        guess[0, e], guess[1, e] = share * x, share * y
