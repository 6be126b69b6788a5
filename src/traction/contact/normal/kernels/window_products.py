"""Products of the half space on a small window: waves along y, sums along x.

Along y the influence is a sum of as many cosines as there are rows; for each of them the influence along x
is a row of numbers, and the product a sum of shifted rows. That is 4 n^3 multiplications on n x n elements,
without padding, in full precision and in a fixed order. Up to about a hundred rows it is faster than Fourier
transforms of the doubled window.

Units: a product has those of the field times those of the influence, m for Pa and m/Pa.
"""

import numpy as np

from traction.compiled import kernel

BLOCK = 4  #: waves, or rows, that share one pass over memory


def tabulate_waves(lags: np.ndarray, width: int) -> tuple[np.ndarray, np.ndarray]:
    """Cosines and sines (2, waves, rows of one half) and the influence along x of each wave.

    `lags` holds the influence at distances >= 0. With m rows, L = 2 m - 1 and w = 2 pi k/L, the influence is
    sum over k of a_k(x) cos(w y) for all |y| < m; a wave's row in the last table is a_k at the distances
    -(nx - 1) .. width - 1. Waves are filled up with zeros to whole blocks.
    """
    ny, nx = lags.shape
    period, half, count = 2 * ny - 1, (ny + 1) // 2, -(-ny // BLOCK) * BLOCK
    number = np.arange(ny)
    from_middle = 0.5 * (ny - 1) - np.arange(half)
    angle = (2.0 * np.pi * number / period)[:, None] * from_middle
    waves, along = np.zeros((2, count, half)), np.zeros((count, nx - 1 + width))
    waves[0, :ny], waves[1, :ny] = np.cos(angle), np.sin(angle)
    cosines = np.cos(2.0 * np.pi / period * np.arange(period))
    rows = np.empty((ny, nx))
    _transform_rows(lags, cosines, rows)
    along[:ny, nx - 1 : 2 * nx - 1], along[:ny, :nx] = rows, rows[:, ::-1]
    return waves, along


@kernel
def _transform_rows(lags, cosines, rows):
    """Rows a_k of the waves, from the influence and the cosines of one period."""
    ny, nx = lags.shape
    period = cosines.size
    for k in range(ny):
        row = rows[k]
        for i in range(nx):
            row[i] = lags[0, i]
        for j in range(1, ny):
            weight = 2.0 * cosines[k * j % period]
            for i in range(nx):
                row[i] += weight * lags[j, i]
        share = (2.0 if k > 0 else 1.0) / period
        for i in range(nx):
            row[i] *= share


@kernel
def multiply_by_waves(field, tables, factor, result):
    """Influence of `field`, (ny, nx); the order of all sums is fixed, so equal input gives equal bits."""
    waves, along = tables
    ny, nx = field.shape
    half, width = waves.shape[2], along.shape[1] - nx + 1
    parts, totals = np.zeros((2, half, width)), np.zeros((2, half, width))
    sums, products = np.empty((2, width)), np.zeros((2, BLOCK, width))
    columns = _split_halves(field, factor, parts)
    for start in range(0, ny, BLOCK):
        for k in range(min(BLOCK, ny - start)):
            for part in range(2):
                _combine_rows(waves[part, start + k], parts[part], sums[part])
            _slide_row(sums, along[start + k], columns, products[0, k], products[1, k])
        for part in range(2):
            _spread_rows(waves[part], start, products[part], totals[part])
    for j in range(half):
        above, below = result[j], result[ny - 1 - j]
        for i in range(nx):
            a, b = totals[0, j, i], totals[1, j, i]  # the odd part of a middle row is zero
            above[i], below[i] = a + b, a - b


@kernel
def multiply_parts_by_waves(field, tables, factor, part, share, result):
    """Influence of a `field` whose parts, by the number of each row, act on each other by a share, (n, n)."""
    ny, nx = field.shape
    alone, product = np.empty((ny, nx)), np.empty((ny, nx))
    result[:] = 0.0
    for k in range(len(share)):
        for j in range(ny):
            for i in range(nx):
                alone[j, i] = field[j, i] if part[j] == k else 0.0
        multiply_by_waves(alone, tables, factor, product)
        for j in range(ny):
            much = share[part[j], k]
            for i in range(nx):
                result[j, i] += much * product[j, i]


@kernel
def _split_halves(field, factor, parts):
    """Sum and difference of rows at equal distance from the middle; first and last column in use, and nx."""
    ny, nx = field.shape
    first, last = nx, -1
    for j in range(parts.shape[1]):
        opposite = ny - 1 - j
        for i in range(nx):
            a, b = factor * field[j, i], factor * field[opposite, i]
            if opposite == j:
                b = 0.0
            parts[0, j, i], parts[1, j, i] = a + b, a - b
            if a != 0.0 or b != 0.0:
                first, last = min(first, i), max(last, i)
    return first, last, nx


@kernel
def _combine_rows(weights, rows, total):
    """Sum of weighted rows."""
    n, width = rows.shape
    for i in range(width):
        total[i] = 0.0
    whole = n // BLOCK * BLOCK
    for j in range(0, whole, BLOCK):
        a, b, c, d = weights[j], weights[j + 1], weights[j + 2], weights[j + 3]
        for i in range(width):
            total[i] += a * rows[j, i] + b * rows[j + 1, i] + c * rows[j + 2, i] + d * rows[j + 3, i]
    for j in range(whole, n):
        a = weights[j]
        for i in range(width):
            total[i] += a * rows[j, i]


@kernel
def _slide_row(sums, row, columns, of_cosine, of_sine):
    """Sum of the influence row shifted to each column in use, weighted by the two sums."""
    first, last, nx = columns
    width = of_cosine.size
    for i in range(width):
        of_cosine[i] = 0.0
        of_sine[i] = 0.0
    whole = first + (last - first + 1) // BLOCK * BLOCK
    for k in range(first, whole, BLOCK):
        near = row[nx - BLOCK - k :]
        a, b, c, d = sums[0, k], sums[0, k + 1], sums[0, k + 2], sums[0, k + 3]
        e, f, g, h = sums[1, k], sums[1, k + 1], sums[1, k + 2], sums[1, k + 3]
        for i in range(width):
            of_cosine[i] += a * near[i + 3] + b * near[i + 2] + c * near[i + 1] + d * near[i]
            of_sine[i] += e * near[i + 3] + f * near[i + 2] + g * near[i + 1] + h * near[i]
    for k in range(whole, last + 1):
        near = row[nx - 1 - k :]
        a, e = sums[0, k], sums[1, k]
        for i in range(width):
            of_cosine[i] += a * near[i]
            of_sine[i] += e * near[i]


@kernel
def _spread_rows(weights, start, rows, totals):
    """Add a block of rows to all totals, each with its own weights."""
    half, width = totals.shape
    for j in range(half):
        a, b, c, d = weights[start, j], weights[start + 1, j], weights[start + 2, j], weights[start + 3, j]
        for i in range(width):
            totals[j, i] += a * rows[0, i] + b * rows[1, i] + c * rows[2, i] + d * rows[3, i]
