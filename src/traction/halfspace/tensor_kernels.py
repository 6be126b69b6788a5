"""Products with a symmetric tensor of influences on a small window: waves along y, sums along x.

xx and yy are even in both directions, xy is odd in both. Along y they are sums of as many cosines or sines
as there are rows; for each wave the influence along x is a row of numbers, and the product a sum of shifted
rows. That is 12 n^3 multiplications on n x n elements, without padding and in a fixed order; up to about
sixty rows it is faster than Fourier transforms of the doubled window.
"""

import math

import numpy as np

from traction.compiled import kernel

BLOCK = 4  #: waves, or rows, that share one pass over memory


@kernel
def tensor_waves(xx, xy, yy):
    """Cosines and sines (waves, rows of one half), and the three influences along x of each wave.

    xx, xy, yy: at distances >= 0, (ny, reach). A row of the last table, (waves, 3, 2 reach - 1), holds all
    distances. With L = 2 ny - 1 and w = 2 pi k/L the influence is the sum over k of a_k(x) cos(w y), or
    b_k(x) sin(w y), for all |y| < ny.
    """
    ny, reach = xx.shape
    period, half = 2 * ny - 1, (ny + 1) // 2
    waves = -(-ny // BLOCK) * BLOCK  # filled up with zeros to whole blocks
    cosines, sines = np.zeros((waves, half)), np.zeros((waves, half))
    along = np.zeros((ny, 3, 2 * reach - 1))
    for k in range(ny):
        for j in range(half):
            angle = 2.0 * math.pi * k / period * (j - 0.5 * (ny - 1))  # counted from the middle row
            cosines[k, j], sines[k, j] = math.cos(angle), math.sin(angle)
        share = (1.0 if k == 0 else 2.0) / period
        row_xx, row_xy, row_yy = share * xx[0], np.zeros(reach), share * yy[0]
        for j in range(1, ny):
            angle = 2.0 * math.pi / period * (k * j % period)
            cosine, sine = 2.0 * share * math.cos(angle), 2.0 * share * math.sin(angle)
            row_xx += cosine * xx[j]
            row_yy += cosine * yy[j]
            row_xy += sine * xy[j]
        for i in range(reach):
            for at, sign in ((reach - 1 + i, 1.0), (reach - 1 - i, -1.0)):
                along[k, 0, at], along[k, 2, at] = row_xx[i], row_yy[i]
                along[k, 1, at] = sign * row_xy[i] if i > 0 else 0.0
    return cosines, sines, along


@kernel
def tensor_product(field, tables, factor, result):
    """Product with a field (2, ny, nx) on (2, ny, nx + 2 m) elements, m more columns on either side."""
    cosines, sines, along = tables
    _, ny, nx = field.shape
    wide = result.shape[2]
    waves, half = cosines.shape
    even, odd = np.empty((2, half, nx), along.dtype), np.empty((2, half, nx), along.dtype)
    _fold(field, factor, even, odd)
    up, down = np.zeros((2, half, wide), along.dtype), np.zeros((2, half, wide), along.dtype)
    part = np.empty((4, nx), along.dtype)
    of_cosines, of_sines = np.empty((2, BLOCK, wide), along.dtype), np.empty((2, BLOCK, wide), along.dtype)
    for start in range(0, waves, BLOCK):
        of_cosines[:] = 0.0
        of_sines[:] = 0.0
        for k in range(min(BLOCK, ny - start)):
            w = start + k
            for c in range(2):
                combine_rows(cosines[w], even[c], part[2 * c])
                combine_rows(sines[w], odd[c], part[2 * c + 1])
            xx, xy, yy = along[w, 0], along[w, 1], along[w, 2]
            _slide(part[0], part[1], xx, of_cosines[0, k], of_sines[0, k])
            _slide(part[2], part[3], yy, of_cosines[1, k], of_sines[1, k])
            # sin w(y - y') takes cosines to sines, and sines to minus cosines
            for c in range(2):
                for i in range(nx):
                    part[2 * c + 1, i] = -part[2 * c + 1, i]
            _slide(part[3], part[2], xy, of_cosines[0, k], of_sines[0, k])
            _slide(part[1], part[0], xy, of_cosines[1, k], of_sines[1, k])
        for c in range(2):
            _spread(cosines[start : start + BLOCK], of_cosines[c], up[c])
            _spread(sines[start : start + BLOCK], of_sines[c], down[c])
    for c in range(2):
        for j in range(half):
            above, below = result[c, j], result[c, ny - 1 - j]
            for i in range(wide):
                a, b = up[c, j, i], down[c, j, i]  # the odd part of a middle row is zero
                above[i], below[i] = a + b, a - b


@kernel
def _fold(field, factor, even, odd):
    """Sum and difference of rows at equal distance from the middle, times a factor."""
    _, ny, nx = field.shape
    for c in range(2):
        for j in range(even.shape[1]):
            opposite = ny - 1 - j
            for i in range(nx):
                a = factor * field[c, j, i]
                b = factor * field[c, opposite, i] if opposite != j else 0.0 * factor
                even[c, j, i], odd[c, j, i] = a + b, a - b


@kernel
def combine_rows(weights, rows, total):
    """Sum of weighted rows."""
    n, width = rows.shape
    total[:] = 0.0
    j = 0
    while j + 3 < n:
        a, b, c, d = weights[j], weights[j + 1], weights[j + 2], weights[j + 3]
        ra, rb, rc, rd = rows[j], rows[j + 1], rows[j + 2], rows[j + 3]
        for i in range(width):
            total[i] += a * ra[i] + b * rb[i] + c * rc[i] + d * rd[i]
        j += 4
    while j < n:
        a, ra = weights[j], rows[j]
        for i in range(width):
            total[i] += a * ra[i]
        j += 1


@kernel
def _slide(one, two, row, first, second):
    """Add the row, shifted to each column, to two sums, weighted by one and by two.

    The row begins with the distance between the last column of the source and the first of the sums.
    """
    nx, width = one.size, first.size
    k = 0
    while k + 3 < nx:
        s = nx - 1 - k
        ra, rb = row[s : s + width], row[s - 1 : s - 1 + width]
        rc, rd = row[s - 2 : s - 2 + width], row[s - 3 : s - 3 + width]
        a, b, c, d = one[k], one[k + 1], one[k + 2], one[k + 3]
        e, f, g, h = two[k], two[k + 1], two[k + 2], two[k + 3]
        for i in range(width):
            first[i] += a * ra[i] + b * rb[i] + c * rc[i] + d * rd[i]
            second[i] += e * ra[i] + f * rb[i] + g * rc[i] + h * rd[i]
        k += 4
    while k < nx:
        s = nx - 1 - k
        ra, a, e = row[s : s + width], one[k], two[k]
        for i in range(width):
            first[i] += a * ra[i]
            second[i] += e * ra[i]
        k += 1


@kernel
def _spread(weights, rows, totals):
    """Add a block of rows to all totals, each with its own weights."""
    ra, rb, rc, rd = rows[0], rows[1], rows[2], rows[3]
    for j in range(totals.shape[0]):
        a, b, c, d = weights[0, j], weights[1, j], weights[2, j], weights[3, j]
        total = totals[j]
        for i in range(total.size):
            total[i] += a * ra[i] + b * rb[i] + c * rc[i] + d * rd[i]
