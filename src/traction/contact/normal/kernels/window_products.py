"""Products of the half space on a small window: waves along y, sums along x.

Along y the influence is a sum of as many cosines as there are rows; for each of them the influence along x
is a row of numbers, and the product a sum of shifted rows. That is 4 n^3 multiplications on n x n elements,
without padding, in full precision and in a fixed order. Up to about a hundred rows it is faster than Fourier
transforms of the doubled window.
"""

import math

import numpy as np

from traction.compiled import kernel

BLOCK = 4  #: waves, or rows, that share one pass over memory


@kernel
def wave_tables(lags, width):
    """Cosines and sines (waves, rows of one half) and the influence along x of each wave.

    `lags` holds the influence at distances >= 0. With m rows, L = 2 m - 1 and w = 2 pi k/L, the influence is
    sum over k of a_k(x) cos(w y) for all |y| < m; a wave's row in the last table is a_k at the distances
    -(nx - 1) .. width - 1. Waves are filled up with zeros to whole blocks.
    """
    ny, nx = lags.shape
    period, half, waves = 2 * ny - 1, (ny + 1) // 2, -(-ny // BLOCK) * BLOCK
    cosines, sines = np.zeros((waves, half)), np.zeros((waves, half))
    along = np.zeros((waves, nx - 1 + width))
    wave = np.cos(2.0 * math.pi / period * np.arange(period))
    for k in range(ny):
        for j in range(half):
            angle = 2.0 * math.pi * k / period * (0.5 * (ny - 1) - j)  # counted from the middle row
            cosines[k, j], sines[k, j] = math.cos(angle), math.sin(angle)
        row = lags[0].copy()
        for j in range(1, ny):
            row += 2.0 * wave[k * j % period] * lags[j]
        row *= (1.0 if k == 0 else 2.0) / period
        along[k, nx - 1 : 2 * nx - 1] = row
        along[k, :nx] = row[::-1]
    return cosines, sines, along


@kernel
def product(field, tables, factor, result):
    """Influence of `field`, (ny, nx); the order of all sums is fixed, so equal input gives equal bits."""
    cosines, sines, along = tables
    ny, nx = field.shape
    waves, half = cosines.shape
    width = along.shape[1] - nx + 1
    even, odd, first, last = _halves(field, factor, half, width)
    even_result, odd_result = np.zeros((half, width)), np.zeros((half, width))
    cosine, sine = np.empty(width), np.empty(width)
    of_cosines, of_sines = np.zeros((BLOCK, width)), np.zeros((BLOCK, width))
    for start in range(0, waves, BLOCK):
        for k in range(min(BLOCK, ny - start)):
            _combine_rows(cosines[start + k], even, cosine)
            _combine_rows(sines[start + k], odd, sine)
            _slide(cosine, sine, along[start + k], (first, last, nx), of_cosines[k], of_sines[k])
        _spread(cosines[start : start + BLOCK], of_cosines, even_result)
        _spread(sines[start : start + BLOCK], of_sines, odd_result)
    for j in range(half):
        above, below = result[j], result[ny - 1 - j]
        for i in range(nx):
            a, b = even_result[j, i], odd_result[j, i]  # the odd part of a middle row is zero
            above[i], below[i] = a + b, a - b


@kernel
def _combine_rows(weights, rows, total):
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
def _halves(field, factor, half, width):
    """Sum and difference of rows at equal distance from the middle; first and last column in use."""
    ny, nx = field.shape
    even, odd = np.zeros((half, width)), np.zeros((half, width))
    first, last = nx, -1
    for j in range(half):
        opposite = ny - 1 - j
        for i in range(nx):
            a, b = factor * field[j, i], factor * field[opposite, i]
            if opposite == j:
                b = 0.0
            even[j, i], odd[j, i] = a + b, a - b
            if a != 0.0 or b != 0.0:
                first, last = min(first, i), max(last, i)
    return even, odd, first, last


@kernel
def _slide(cosine, sine, row, columns, of_cosine, of_sine):
    """Sum of the influence row shifted to each column in use, weighted by the two fields."""
    first, last, nx = columns
    width = of_cosine.size
    of_cosine[:] = 0.0
    of_sine[:] = 0.0
    k = first
    while k + 3 <= last:
        s = nx - 1 - k
        ra, rb = row[s : s + width], row[s - 1 : s - 1 + width]
        rc, rd = row[s - 2 : s - 2 + width], row[s - 3 : s - 3 + width]
        a, b, c, d = cosine[k], cosine[k + 1], cosine[k + 2], cosine[k + 3]
        e, f, g, h = sine[k], sine[k + 1], sine[k + 2], sine[k + 3]
        for i in range(width):
            of_cosine[i] += a * ra[i] + b * rb[i] + c * rc[i] + d * rd[i]
            of_sine[i] += e * ra[i] + f * rb[i] + g * rc[i] + h * rd[i]
        k += 4
    while k <= last:
        s = nx - 1 - k
        ra, a, e = row[s : s + width], cosine[k], sine[k]
        for i in range(width):
            of_cosine[i] += a * ra[i]
            of_sine[i] += e * ra[i]
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
