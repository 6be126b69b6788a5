"""The linear problem of a Newton step of steady rolling on a small window, by flexible GMRES in one piece.

Products and the approximate inverse are sums of waves there, and cost about as much as it takes to call them
one by one. The steps are those of `linear_step` and `flexible_gmres`, in the same order.

Units: tractions in Pa, slips in m; vectors of the Krylov space are numbers without one.
"""

import numpy as np

from traction.compiled import kernel
from traction.contact.stick_slip.kernels.krylov_vectors import arnoldi
from traction.contact.stick_slip.kernels.stick_slip_states import (
    OCTAVES,
    apply_states,
    blend,
    split_octaves,
    sweep_downstream,
)
from traction.halfspace.kernels.tensor_products import multiply_by_tensor_waves


@kernel
def solve_rolling_step(states, factors, influence, inverse, upstream, vectors, limits, begun):
    """Add directions from the one numbered `begun` on, until the residual is small or memory is full.

    states: state, normal and weight of `classify`; factors: damping and shares of
    `fill_downstream_factors`; influence: that of `compute_slip`; inverse: tables and factor of
    `multiply_by_tensor_waves`; vectors: basis, directions and their slips, triangle, rotations and right
    side of the Krylov space; limits: residual and number of directions at most. Returns the number of
    directions, and whether more are needed.
    """
    state, normal, weight = states
    damping, shares = factors
    basis, directions, slips, triangle, rotations, right = vectors
    enough, most = limits
    ny, nx = state.shape
    parts = np.empty((OCTAVES, 2, ny, nx), np.float32)
    work, alone = np.empty((2, ny, nx), np.float32), np.empty((2, ny, nx), np.float32)
    field, image = np.empty((2, ny, nx), np.float32), np.empty(2 * ny * nx)
    n, more = begun, True
    while more and n < most and n + 2 <= basis.shape[0]:
        traction, slip = directions[n].reshape((2, ny, nx)), slips[n].reshape((2, ny, nx))
        split_octaves(basis[n].reshape((2, ny, nx)), parts)
        sweep_downstream(parts, state, normal, damping, upstream, work, alone)
        multiply_by_tensor_waves(work, inverse[0], inverse[1], field)
        blend(field, alone, state, normal, shares, traction)
        compute_slip(traction, influence, upstream, slip)
        apply_states(slip, traction, weight, state, normal, image.reshape((2, ny, nx)))
        left, more = arnoldi(basis, n, image, triangle, rotations, right)
        if left < 0.0:
            return n, False
        n += 1
        more = more and left > enough
    return n, more and n < most


@kernel
def compute_slip(traction, influence, upstream, slip):
    """Slip over a step by tractions: their displacements less those one element upstream, at +1 or -1.

    influence: tables and factor for `multiply_by_tensor_waves`; the part of the contact to which each row
    belongs, and the share of the influence of the second part on the first, (n, n).
    """
    tables, factor, _, share = influence
    _, ny, nx = slip.shape
    wide, ahead = np.empty((2, ny, nx + 2)), 1 + upstream
    if len(share) == 1:
        multiply_by_tensor_waves(traction, tables, factor, wide)
    else:
        displace_parts(traction, influence, wide)
    for c in range(2):
        for j in range(ny):
            row, result = wide[c, j], slip[c, j]
            for i in range(nx):
                result[i] = row[i + 1] - row[i + ahead]


@kernel
def displace_parts(traction, influence, wide):
    """Displacements by tractions on parts of a contact that interact by a share."""
    tables, factor, part, share = influence
    alone, result = np.empty_like(traction), np.empty_like(wide)
    wide[:] = 0.0
    for k in range(len(share)):
        for c in range(2):
            for j in range(len(part)):
                here = 1.0 if part[j] == k else 0.0
                for i in range(traction.shape[2]):
                    alone[c, j, i] = here * traction[c, j, i]
        multiply_by_tensor_waves(alone, tables, factor, result)
        for c in range(2):
            for j in range(len(part)):
                much = share[part[j], k]
                for i in range(wide.shape[2]):
                    wide[c, j, i] += much * result[c, j, i]
