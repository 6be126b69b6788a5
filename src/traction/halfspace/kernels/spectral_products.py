"""Multiplication of transforms by spectra, in place.

Units: a product has those of the transform times those of the spectrum.
"""

from traction.compiled import kernel


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
