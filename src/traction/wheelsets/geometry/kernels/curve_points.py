"""Points of a curve between its nodes, rows s, y, z and tangent (y, z). Lengths are in m."""

from traction.compiled import kernel

HALVINGS = 60  #: of the interval, after which a position is known to rounding
STEPS = 30  #: of Newton's rule


@kernel
def point_on(nodes, i, s):
    """y, z and their derivatives along the arc at s, in the piece from node i to node i + 1."""
    h = nodes[0, i + 1] - nodes[0, i]
    if h <= 0.0:
        return nodes[1, i], nodes[2, i], nodes[3, i], nodes[4, i]
    u = (s - nodes[0, i]) / h
    v = u * u
    w = v * u
    a, b = 3.0 * v - 2.0 * w, w - 2.0 * v + u
    c = w - v
    da, db, dc = 6.0 * (u - v) / h, 3.0 * v - 4.0 * u + 1.0, 3.0 * v - 2.0 * u
    ly, lz = nodes[1, i + 1] - nodes[1, i], nodes[2, i + 1] - nodes[2, i]
    y = nodes[1, i] + a * ly + h * (b * nodes[3, i] + c * nodes[3, i + 1])
    z = nodes[2, i] + a * lz + h * (b * nodes[4, i] + c * nodes[4, i + 1])
    dy = da * ly + db * nodes[3, i] + dc * nodes[3, i + 1]
    dz = da * lz + db * nodes[4, i] + dc * nodes[4, i + 1]
    return y, z, dy, dz


@kernel
def piece_around(nodes, s, i):
    """The piece in which s lies, found from a neighbour i."""
    last = nodes.shape[1] - 2
    i = min(max(i, 0), last)
    while i < last and s > nodes[0, i + 1]:
        i += 1
    while i > 0 and s < nodes[0, i]:
        i -= 1
    return i


@kernel
def arc_at(nodes, i, y):
    """Arc length at which the piece i, along which y grows, is at y."""
    low, high = nodes[0, i], nodes[0, i + 1]
    rise = nodes[1, i + 1] - nodes[1, i]
    if not rise > 0.0:
        return low
    s = low + (high - low) * (y - nodes[1, i]) / rise
    for _ in range(HALVINGS):
        at, _, slope, _ = point_on(nodes, i, s)
        off = at - y
        if off > 0.0:
            high = min(high, s)
        else:
            low = max(low, s)
        step = off / slope if slope > 0.0 else 0.0
        new = s - step
        if not low <= new <= high or slope <= 0.0:
            new = 0.5 * (low + high)
        if abs(new - s) <= 1e-15:
            return new
        s = new
    return s


@kernel
def point_above(nodes, first, last, y):
    """Arc length and z at y between two nodes along which y grows; beyond them, at the nearest piece."""
    low, high = first, last
    while high - low > 1:
        middle = (low + high) // 2
        if nodes[1, middle] < y:
            low = middle
        else:
            high = middle
    inside = nodes[1, low] <= y <= nodes[1, low + 1]
    arc = arc_at(nodes, low, y) if inside else nodes[0, low]
    return arc, point_on(nodes, low, arc)[1]
