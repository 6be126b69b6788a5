"""Work of friction element by element."""

from traction.compiled import kernel


@kernel
def carry_downstream(work, stick, contact, direction):
    """Carry the work of sticking elements, and any below 0, to the next element downstream; (ny, nx), in place.

    An element that sticks before one that slips keeps its own, as slip begins in it, and so does the last one of
    a row. What is left below 0 at the end of a row is taken from the elements before it.
    """
    ny, nx = work.shape
    for j in range(ny):
        carried = 0.0
        for k in range(nx):
            i = nx - 1 - k if direction > 0 else k
            if not contact[j, i]:
                continue
            behind = i - direction
            goes_on = 0 <= behind < nx and contact[j, behind]
            total = work[j, i] + carried
            if goes_on and ((stick[j, i] and stick[j, behind]) or total < 0.0):
                work[j, i], carried = 0.0, total
                continue
            work[j, i], carried = total, 0.0
            if total < 0.0:  # at the end of a row
                _take_before(work, contact, j, i, direction)


@kernel
def _take_before(work, contact, j, i, direction):
    """Take what an element of a row has below 0 from those upstream, as far as they have any."""
    missing = -work[j, i]
    work[j, i] = 0.0
    at = i + direction
    while missing > 0.0 and 0 <= at < work.shape[1] and contact[j, at]:
        taken = min(missing, work[j, at])
        work[j, at] -= taken
        missing -= taken
        at += direction
