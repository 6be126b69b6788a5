"""Products with a symmetric tensor of influences: of transforms, and on a small window by sums of waves.

xx and yy are even in both directions, xy is odd in both. Distances up to n - 1 cells are a period of
L = 2 n - 1, on which an even influence is a sum of n cosines and an odd one of n sines. Fields are split into
parts that are even or odd about the middle of the window along y and x; each is taken to its waves and back
by matrix products, and multiplied by the influence of each wave in between. That is 12 n^3 multiplications on
n x n cells, without padding; up to about a hundred rows it is faster than Fourier transforms of the
doubled window.

Units: a product has those of the field times those of the influence, m for Pa and m/Pa.
"""

import numpy as np

from traction.compiled import kernel

MOST_AT_ONCE = 1 << 18  #: multiplications of one matrix product; libraries take several threads for more


@kernel
def multiply_by_tensor_waves(field, tables, factor, result):
    """Product with a field (2, ny, nx) on (2, ny, nx + 2 m) cells, m more columns on either side.

    Tables of `tabulate_influence`: cosines and sines along y, (2, ny, half), and back; along x,
    (2, half, waves), and back; influence xx, xy, yy of each wave, (3, ny, waves).
    """
    along_y, back_y, along_x, back_x, influence = tables
    _, ny, half_y = along_y.shape
    _, half_x, waves = along_x.shape
    wide = back_x.shape[2]
    parts = np.empty((2, 2, half_y, 2 * half_x), along_y.dtype)
    _fold_field(field, factor, parts)
    rows, symbols = np.empty((ny, 2 * half_x), along_y.dtype), np.empty((2, 2, ny, 2, waves), along_y.dtype)
    for a in range(2):
        for b in range(2):
            _multiply_blocks(along_y[a], parts[a, b], rows)
            _multiply_blocks(rows.reshape(2 * ny, half_x), along_x[b], symbols[a, b].reshape(2 * ny, waves))
    _apply_influence(symbols, influence)
    spread, sums = np.empty((2 * ny, wide), along_y.dtype), np.empty((2, 2, half_y, 2 * wide), along_y.dtype)
    for a in range(2):
        for b in range(2):
            _multiply_blocks(symbols[a, b].reshape(2 * ny, waves), back_x[b], spread)
            _multiply_blocks(back_y[a], spread.reshape(ny, 2 * wide), sums[a, b])
    _unfold_parts(sums, result)


@kernel
def _multiply_blocks(a, b, result):
    """Matrix product by blocks of rows."""
    rows = max(1, MOST_AT_ONCE // (a.shape[1] * b.shape[1]))
    for start in range(0, len(a), rows):
        np.dot(a[start : start + rows], b, result[start : start + rows])


@kernel
def _take_rows(parts, j, c):
    """Row j of a component in all parts: even along y and x, even and odd, odd and even, both odd."""
    half = parts.shape[3] // 2
    low, high = c * half, (c + 1) * half
    return (
        parts[0, 0, j, low:high],
        parts[0, 1, j, low:high],
        parts[1, 0, j, low:high],
        parts[1, 1, j, low:high],
    )


@kernel
def _fold_field(field, factor, parts):
    """Parts even and odd along y, and along x, of a field about its middle, times a factor.

    A row of them holds the first half of a row of p_x, and then that of p_y.
    """
    _, ny, nx = field.shape
    half = parts.shape[3] // 2
    for j in range(parts.shape[2]):
        for c in range(2):
            above, below = field[c, j], field[c, ny - 1 - j]
            ee, eo, oe, oo = _take_rows(parts, j, c)
            for i in range(half):
                left, right = factor * above[i], factor * above[nx - 1 - i]
                low, far = factor * below[i], factor * below[nx - 1 - i]
                ee[i], eo[i] = (left + low) + (right + far), (left + low) - (right + far)
                oe[i], oo[i] = (left - low) + (right - far), (left - low) - (right - far)
            if nx % 2:  # a middle column is its own opposite
                ee[half - 1] *= 0.5
                oe[half - 1] *= 0.5
            if 2 * j == ny - 1:
                for i in range(half):
                    ee[i] *= 0.5
                    eo[i] *= 0.5


@kernel
def _apply_influence(symbols, influence):
    """Multiply the waves of both components by the influence, in place.

    sin w(y - y') sin v(x - x') takes each wave to the one that is odd where it is even, with a minus where
    only one of its factors changes sign.
    """
    ny, waves = influence.shape[1:]
    for a in range(2):
        for b in range(2):
            for k in range(ny):
                x, y = symbols[a, b, k, 0], symbols[1 - a, 1 - b, k, 1]
                xx, xy, yy = influence[0, k], influence[1, k], influence[2, k]
                for i in range(waves):
                    px, py, mixed = x[i], y[i], xy[i] if a == b else -xy[i]
                    x[i] = xx[i] * px + mixed * py
                    y[i] = mixed * px + yy[i] * py


@kernel
def _unfold_parts(parts, result):
    """The field whose parts these are, see `_fold_field`."""
    _, ny, nx = result.shape
    half = parts.shape[3] // 2
    for j in range(parts.shape[2]):
        for c in range(2):
            above, below = result[c, j], result[c, ny - 1 - j]
            ee, eo, oe, oo = _take_rows(parts, j, c)
            for i in range(half):
                left, right, low, far = ee[i] + eo[i], ee[i] - eo[i], oe[i] + oo[i], oe[i] - oo[i]
                above[i], above[nx - 1 - i] = left + low, right + far
                below[i], below[nx - 1 - i] = left - low, right - far


@kernel
def multiply_tensor(block_x, block_y, first, xx, xy, yy):
    """Multiply two transforms by the mirrored spectra of a symmetric tensor, in place.

    xx and yy are even in both directions, xy is odd in both; the columns begin with `first`.
    """
    ly, width = block_x.shape
    for j in range(ly):
        mirrored = 2 * j > ly
        k = ly - j if mirrored else j
        row_xx, row_xy, row_yy = xx[k], xy[k], yy[k]
        sign = 1.0 if mirrored else -1.0
        for i in range(width):
            fx, fy = block_x[j, i], block_y[j, i]
            mixed = sign * row_xy[first + i]
            block_x[j, i] = row_xx[first + i] * fx + mixed * fy
            block_y[j, i] = mixed * fx + row_yy[first + i] * fy


@kernel
def multiply_symmetric(transform, xx, xy, yy):
    """Multiply the transforms of two components by a real symmetric symbol, in place; (2, ny, nx)."""
    _, ny, nx = transform.shape
    for j in range(ny):
        for i in range(nx):
            fx, fy = transform[0, j, i], transform[1, j, i]
            transform[0, j, i] = xx[j, i] * fx + xy[j, i] * fy
            transform[1, j, i] = xy[j, i] * fx + yy[j, i] * fy
