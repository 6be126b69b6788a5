"""The whole iteration on a small window in compiled code, with direct products.

Up to some thousand elements summation over the contact is faster than transforms, and nothing is left to
the interpreter; contacts that are solved at every step of a simulation are of this size.
"""

import numpy as np

from traction.compiled import kernel
from traction.contact.normal_kernels import (
    add_influence,
    advance,
    assess,
    conjugate,
    nearest_neighbours,
    total_of,
    touches,
)


@kernel
def mirrored_lags(lags, width):
    """Influence at distances -(nx-1) .. width-1 along x, one row per distance along y; single precision."""
    ny, nx = lags.shape
    mirrored = np.zeros((ny, nx - 1 + width), dtype=np.float32)
    for j in range(ny):
        for i in range(nx):
            mirrored[j, nx - 1 + i] = lags[j, i]
            mirrored[j, nx - 1 - i] = lags[j, i]
    return mirrored


@kernel
def direct_product(direction, mirrored, factor, product):
    """Influence of `direction` by summation, four elements at a time; product is (ny, width).

    Rows at equal distance above and below a source row share their sum.
    """
    ny, nx = direction.shape
    width = product.shape[1]
    product[:] = np.float32(0.0)
    part = np.empty(width, dtype=np.float32)
    for m in range(ny):
        first, last = nx, -1
        for k in range(nx):
            if direction[m, k] != 0.0:
                first, last = min(first, k), k
        for distance in range(max(m, ny - 1 - m) + 1 if last >= first else 0):
            lags = mirrored[distance]
            part[:] = np.float32(0.0)
            k = first
            while k + 3 <= last:
                s = nx - 1 - k
                a, b = np.float32(factor * direction[m, k]), np.float32(factor * direction[m, k + 1])
                c, d = np.float32(factor * direction[m, k + 2]), np.float32(factor * direction[m, k + 3])
                la, lb = lags[s : s + width], lags[s - 1 : s - 1 + width]
                lc, ld = lags[s - 2 : s - 2 + width], lags[s - 3 : s - 3 + width]
                for i in range(width):
                    part[i] += a * la[i] + b * lb[i] + c * lc[i] + d * ld[i]
                k += 4
            while k <= last:
                s = nx - 1 - k
                a, la = np.float32(factor * direction[m, k]), lags[s : s + width]
                for i in range(width):
                    part[i] += a * la[i]
                k += 1
            below, above = m - distance, m + distance
            if above < ny:
                row = product[above]
                for i in range(width):
                    row[i] += part[i]
            if 0 <= below < above:
                row = product[below]
                for i in range(width):
                    row[i] += part[i]


@kernel
def march(fields, influence, weights, load, sides, limits, residuals):
    """Iterate on (gap, pressure, displacement, contact) of a window until it converges or is crowded.

    influence: lags, mirrored lags and factor; load: approach, sum of pressure wanted, whether the force is
    given, least depth; limits: tolerance, that of the next change of pressure, patience, most iterations.
    Returns approach, depth, iterations, converged, crowded; `residuals` holds one number per iteration.
    """
    gap, pressure, displacement, contact = fields
    lags, mirrored, factor = influence
    approach, target, force_given, least_depth = load
    tol, pressure_tol, patience, most = limits
    ny, nx = gap.shape
    residual, previous, direction = np.zeros((ny, nx)), np.zeros((ny, nx)), np.zeros((ny, nx))
    excess = np.empty((ny * nx, 3))
    padded = np.empty((ny, mirrored.shape[1] - nx + 1), dtype=np.float32)
    energy, change, k, plain = 0.0, np.inf, 0, False
    while True:
        approach, error, depth = assess(gap, displacement, contact, approach, force_given, residual)
        depth = max(depth, least_depth)
        residuals[k] = error / depth
        rate = min(1.0, residuals[k] / residuals[k - 1]) if k > 0 and residuals[k - 1] > 0.0 else 1.0
        converged = error <= tol * depth and rate * change <= pressure_tol
        crowded = touches(contact, sides)
        if converged or crowded or k >= most:
            return approach, depth, k, converged, crowded
        plain = plain or (k >= patience and residuals[k] > 0.5 * residuals[k - patience])
        preconditioned = residual if plain else nearest_neighbours(residual, weights)
        energy = conjugate(preconditioned, residual, previous, direction, contact, energy, force_given)
        direct_product(direction, mirrored, factor, padded)
        left, change = advance(pressure, displacement, direction, padded[:, :nx], residual, contact, excess)
        if left < 0:
            return approach, depth, k, error <= tol * depth, crowded
        if left > 0:
            add_influence(displacement, excess, left, lags, (2 * ny, 2 * nx), factor)
            if force_given:
                scaling = target / total_of(pressure)
                pressure *= scaling
                displacement *= scaling
        k += 1
